import type { JobContext } from '../../jobs/job-definition';
import { MessageArchiver } from './message-archiver';
import { MessageBudget } from './message-budget';

const STARTED_AT = '2026-01-01T00:00:00Z';
const IDS = ['a1', 'a2', 'a3'];
const SIZE = 100;

/** @param kept ids that are in the archive by the time they are written, and whether since the job has begun */
async function archive(
  attempt: number,
  kept: ReadonlyMap<string, boolean>,
): Promise<{ result: object; processed: number }> {
  let processed = 0;
  const job = {
    attempt,
    signal: new AbortController().signal,
    savedCheckpoint: () =>
      attempt === 1 ? undefined : { startedAt: STARTED_AT, archived: 0, bytes: 0, skipped: 0, failed: {} },
    setTotal: () => undefined,
    progress: (delta: { processed: number }) => (processed += delta.processed),
    report: () => undefined,
    checkpoint: () => Promise.resolve(),
  } as unknown as JobContext;
  const fakes: Record<string, object> = {
    providers: { forAccount: () => ({}) },
    planner: {
      select: () => Promise.resolve(new Set(IDS)),
      plan: () => Promise.resolve({ todo: IDS, skipped: 0, doneBefore: { mails: 0, bytes: 0 } }),
    },
    fetcher: {
      fetch: (_provider: object, messageId: string) =>
        Promise.resolve({ kind: 'mail', mail: { messageId, raw: Buffer.alloc(SIZE) } }),
    },
    writer: {
      write: (_owner: object, mails: readonly { messageId: string }[]) => {
        const ids = mails.map(({ messageId }) => messageId);
        const archived = ids.filter((id) => !kept.has(id));
        return Promise.resolve({
          archived,
          bytes: archived.length * SIZE,
          kept: ids.filter((id) => kept.has(id)),
          refused: [],
        });
      },
    },
    repository: {
      now: () => Promise.resolve(STARTED_AT),
      archivedAmong: (_accountId: string, ids: readonly string[]) =>
        Promise.resolve(
          ids.map((messageId) => ({ messageId, isRecent: kept.get(messageId), sizeBytes: SIZE })),
        ),
    },
    index: { sizes: () => Promise.resolve(new Map()) },
  };
  const sut = new MessageArchiver(
    ...([
      ...['providers', 'planner', 'fetcher', 'writer', 'repository', 'index'].map((name) => fakes[name]),
      new MessageBudget(),
    ] as unknown as ConstructorParameters<typeof MessageArchiver>),
  );
  const account = { id: 'account', userId: 'user' } as Parameters<typeof sut.archive>[0];
  const result = await sut.archive(account, { messageIds: IDS }, job);
  return { result, processed };
}

describe('MessageArchiver', () => {
  it('should count what a lost attempt of the job still wrote while this one was at work', async () => {
    expect(await archive(2, new Map([['a2', true]]))).toEqual({
      result: { archived: 3, skipped: 0, failed: 0, bytes: 3 * SIZE },
      processed: 3,
    });
  });

  it.each([
    ['before the job', 2, false],
    ['meanwhile', 1, true],
  ])('should skip what others archived %s', async (_when, attempt, isRecent) => {
    expect(await archive(attempt, new Map([['a2', isRecent]]))).toEqual({
      result: { archived: 2, skipped: 1, failed: 0, bytes: 2 * SIZE },
      processed: 2,
    });
  });
});
