import type { JobContext } from '../../../platform/jobs/job-definition';
import { StagedBatch } from '../writing/staged-batch';
import { MessageArchiver } from './message-archiver';
import { MessageBudget } from './message-budget';

const STARTED_AT = '2026-01-01T00:00:00Z';
const IDS = ['a1', 'a2', 'a3'];
const SIZE = 100;

/** @param kept ids that are in the archive by the time they are written, and whether since the job has begun */
async function archive(
  attempt: number,
  kept: ReadonlyMap<string, boolean>,
  { ids: asked = IDS, writer = {} }: { ids?: readonly string[]; writer?: object } = {},
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
    providers: { forAccount: () => ({ rawsAtOnce: 4 }) },
    planner: {
      select: () => Promise.resolve(new Set(asked)),
      plan: () => Promise.resolve({ todo: asked, skipped: 0, doneBefore: { mails: 0, bytes: 0 } }),
    },
    fetcher: {
      fetch: (_provider: object, messageId: string) =>
        Promise.resolve({ kind: 'mail', mail: { messageId, raw: Buffer.alloc(SIZE) } }),
    },
    writer: {
      stage: (_owner: object, mails: readonly { messageId: string }[]) => {
        const ids = mails.map(({ messageId }) => messageId);
        const archived = ids.filter((id) => !kept.has(id));
        const written = {
          archived,
          bytes: archived.length * SIZE,
          kept: ids.filter((id) => kept.has(id)),
          refused: [],
        };
        return Promise.resolve({ commit: () => Promise.resolve(written) });
      },
      ...writer,
    },
    repository: {
      readClock: () => Promise.resolve(STARTED_AT),
      findArchived: (_accountId: string, ids: readonly string[]) =>
        Promise.resolve(
          ids.map((messageId) => ({ messageId, isRecent: kept.get(messageId), sizeBytes: SIZE })),
        ),
    },
    index: {
      findSizes: (_accountId: string, ids: readonly string[]) =>
        Promise.resolve(new Map(ids.map((id) => [id, SIZE]))),
    },
  };
  const sut = new MessageArchiver(
    ...([
      ...['providers', 'planner', 'fetcher', 'writer', 'repository', 'index'].map((name) => fakes[name]),
      new MessageBudget(),
    ] as unknown as ConstructorParameters<typeof MessageArchiver>),
  );
  const account = { id: 'account', userId: 'user' } as Parameters<typeof sut.archive>[0];
  const result = await sut.archive(account, { messageIds: [...asked] }, job);
  return { result, processed };
}

describe('MessageArchiver', () => {
  it('should count mails that a lost attempt of the job still wrote while this one was running', async () => {
    expect(await archive(2, new Map([['a2', true]]))).toEqual({
      result: { archived: 3, skipped: 0, failed: 0, bytes: 3 * SIZE },
      processed: 3,
    });
  });

  it.each([
    ['before the job', 2, false],
    ['meanwhile', 1, true],
  ])('should skip messages that others archived %s', async (_when, attempt, isRecent) => {
    expect(await archive(attempt, new Map([['a2', isRecent]]))).toEqual({
      result: { archived: 2, skipped: 1, failed: 0, bytes: 2 * SIZE },
      processed: 2,
    });
  });

  describe('of several batches', () => {
    const ids = Array.from({ length: 450 }, (_, number) => `b${number}`);
    const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

    /** @param fails step at which the writer fails, with the batch's number */
    function writer(fails?: string): { steps: string[]; fake: object } {
      const steps: string[] = [];
      const step = async (name: string): Promise<void> => {
        steps.push(name);
        await turn();
        if (name === fails) throw new Error(name);
      };
      let batches = 0;
      const fake = {
        stage: async (_owner: object, mails: readonly { messageId: string }[]) => {
          const number = (batches += 1);
          await step(`files ${number}`);
          return new StagedBatch({
            commit: async () => {
              await step(`commit ${number}`);
              for (let turns = 0; turns < 50; turns++) await turn();
              steps.push(`committed ${number}`);
              return { archived: mails.map(({ messageId }) => messageId), bytes: 0, kept: [], refused: [] };
            },
            abandon: () => step(`abandon ${number}`),
          });
        },
      };
      return { steps, fake };
    }

    it('should write the files of a batch while the batch before it is being committed', async () => {
      const { steps, fake } = writer();
      expect(await archive(1, new Map(), { ids, writer: fake })).toMatchObject({ result: { archived: 450 } });
      expect(steps.indexOf('files 2')).toBeLessThan(steps.indexOf('committed 1'));
      expect(steps.filter((name) => name.startsWith('commit '))).toEqual([
        'commit 1',
        'commit 2',
        'commit 3',
      ]);
      expect(steps.indexOf('commit 2')).toBeGreaterThan(steps.indexOf('committed 1'));
    });

    it('should delete the files of the batch after one that was not committed', async () => {
      const { steps, fake } = writer('commit 1');
      await expect(archive(1, new Map(), { ids, writer: fake })).rejects.toThrow('commit 1');
      expect(steps).toContain('abandon 2');
      expect(steps).not.toContain('commit 2');
    });

    it('should commit what was written before files that cannot be written', async () => {
      const { steps, fake } = writer('files 2');
      await expect(archive(1, new Map(), { ids, writer: fake })).rejects.toThrow('files 2');
      expect(steps).toContain('committed 1');
      expect(steps).not.toContain('files 3');
    });
  });
});
