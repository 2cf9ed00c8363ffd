import type { JobContext } from '../../platform/jobs/job-definition';
import type { MailboxChange, MailboxProvider } from '../../providers/port/mailbox-provider.port';
import type { MessageIndexService } from '../index/message-index.service';
import { BulkAction } from './bulk-action';
import type { BulkChanger } from './bulk-changer';
import type { BulkChange } from './bulk-operation.run';
import { BeforeFlag, JournalChunk } from './change-journal';
import type { Outcome, OutcomeCheck } from './outcome-check';
import { countChangeCalls, UndoChangesRun } from './undo-changes.run';

const ACCOUNT = { id: 'account', userId: 'user', email: 'a@b.test', provider: 'gmail' };
const NOTHING = {
  restored: 0,
  alreadyBack: 0,
  changedSince: 0,
  gone: 0,
  labelGone: 0,
  unknownBefore: 0,
  refused: 0,
  evidence: 'history',
};

class FakeJob {
  total = 0;
  processed = 0;
  readonly failures: [string, string][] = [];
  saved: string | undefined;

  readonly signal = new AbortController().signal;
  savedCheckpoint = (): unknown => this.saved && JSON.parse(this.saved);
  setTotal = (total: number): void => void (this.total = total);
  progress = ({ processed }: { processed?: number }): void => void (this.processed += processed ?? 0);
  fail = (item: string, code: string): void => void this.failures.push([item, code]);
  reported: unknown;
  report = (result: object): void => void (this.reported = result);
  throwIfCancelled = (): void => undefined;
  checkpoint = async (state: object): Promise<void> => void (this.saved = JSON.stringify(state));
}

/** @param labels there are */
function setup(chunks: readonly JournalChunk[], labels: readonly string[] = ['L']) {
  const history: MailboxChange[] = [];
  const changes: BulkChange[] = [];
  const state = { isLost: false, now: { met: new Set(), missing: new Set() } as Outcome };
  const hooks = { onChange: (_change: BulkChange, _job: JobContext): Promise<void> => Promise.resolve() };
  const index = {
    followFrom: async (_account: unknown, since: string, onChanges: (page: MailboxChange[]) => void) => {
      if (!state.isLost) onChanges(history.filter(({ cursor }) => Number(cursor) > Number(since)));
      return { cursor: '100', complete: !state.isLost };
    },
  };
  const bulk = {
    change: async (_account: unknown, change: BulkChange, job: JobContext) => {
      changes.push(change);
      await hooks.onChange(change, job);
      job.progress({ processed: change.messageIds.length });
      return { changed: change.messageIds.length, alreadyDone: 0, notFound: 0, refused: 0 };
    },
  };
  const provider = {
    maxIdsPerChange: 2,
    isLater: (cursor: string, than: string) => Number(cursor) > Number(than),
    listLabels: async () => labels.map((id) => ({ id })),
  };
  const services = {
    provider: provider as unknown as MailboxProvider,
    index: index as unknown as MessageIndexService,
    bulk: bulk as unknown as BulkChanger,
    outcomes: { fetchActualState: async () => state.now } as unknown as OutcomeCheck,
  };
  const touch = (id: string, cursor: string, labelsRemoved: string[], labelsAdded: string[] = []): void =>
    void history.push({ kind: 'labels', message: { id, threadId: id }, cursor, labelsRemoved, labelsAdded });
  const run = (job = new FakeJob()) =>
    new UndoChangesRun(ACCOUNT, chunks, job as unknown as JobContext, services)
      .run()
      .then((result) => ({ result, job }));
  return { run, touch, changes, state, hooks };
}

const trashed = (
  ids: string,
  {
    chunk = 0,
    cursor = '10',
    before = BeforeFlag.Inbox,
  }: { chunk?: number; cursor?: string; before?: number } = {},
): JournalChunk => ({
  action: BulkAction.Trash,
  chunk,
  cursor,
  messages: [...ids].map((id) => ({ id, before })),
});

const asked = (changes: readonly BulkChange[]): string[] =>
  changes.map(({ action, messageIds }) => `${action} ${messageIds.join('')}`);

describe('UndoChangesRun', () => {
  it('should request the messages of one kind together, from all chunks', async () => {
    const chunks = [
      trashed('ab'),
      trashed('c', { chunk: 1, before: 0 }),
      trashed('de', { chunk: 2, cursor: '20' }),
      trashed('f', { chunk: 3, before: 0 }),
    ];
    const { run, changes } = setup(chunks);
    const { result, job } = await run();
    expect(result).toEqual({ ...NOTHING, restored: 6 });
    expect(asked(changes)).toEqual(['untrash_to_inbox ab', 'untrash_to_inbox de', 'untrash cf']);
    expect(countChangeCalls(chunks, 2)).toBe(3);
    // Each batch uses different chunk numbers in the journal.
    expect(changes.map(({ firstChunk }) => firstChunk)).toEqual([0, 100, 200]);
    expect(job).toMatchObject({ total: 6, processed: 6 });
  });

  it('should not mistake the job’s changes to later chunks for changes by others', async () => {
    const { run, touch } = setup([trashed('a', { cursor: '10' }), trashed('b', { chunk: 1, cursor: '20' })]);
    touch('b', '15', ['INBOX'], ['TRASH']);
    touch('a', '16', ['TRASH']);
    touch('a', '17', [], ['TRASH']);
    const { result, job } = await run();
    expect(result).toEqual({ ...NOTHING, restored: 1, changedSince: 1 });
    expect(job.failures).toEqual([['a', 'changed-since']]);
  });

  it('should take messages with an unknown state out of the trash, and otherwise leave them alone', async () => {
    const read: JournalChunk = {
      action: BulkAction.MarkRead,
      chunk: 1,
      cursor: '10',
      messages: [{ id: 'b', before: BeforeFlag.Unknown }],
    };
    const { run, changes } = setup([trashed('a', { before: BeforeFlag.Unknown }), read]);
    const { result, job } = await run();
    expect(result).toEqual({ ...NOTHING, unknownBefore: 2 });
    expect(asked(changes)).toEqual(['untrash a']);
    expect(job.failures.map(([id]) => id)).toEqual(['b']);
  });

  it('should use the current state of messages when the history is lost', async () => {
    const { run, changes, state } = setup([trashed('abc')]);
    state.isLost = true;
    state.now = { met: new Set(['a']), missing: new Set(['c']) };
    const { result } = await run();
    expect(result).toEqual({ ...NOTHING, restored: 1, alreadyBack: 1, gone: 1, evidence: 'state' });
    expect(asked(changes)).toEqual(['untrash_to_inbox a']);
  });

  it('should not look for a deleted label', async () => {
    const messages = [{ id: 'a', before: 0 }];
    const labelled = { action: BulkAction.Label, labelId: 'Gone', chunk: 0, cursor: '10', messages };
    const { run, changes } = setup([labelled]);
    expect((await run()).result).toEqual({ ...NOTHING, labelGone: 1 });
    expect(changes).toEqual([]);
  });

  it('should report unknown outcomes when it stops in the middle of a batch', async () => {
    const { run, hooks } = setup([trashed('abcd')]);
    const job = new FakeJob();
    hooks.onChange = async ({ messageIds }, inner) => {
      if (messageIds[0] !== 'c') return;
      inner.report({ changed: 1, alreadyDone: 0, notFound: 0, refused: 0, unknown: 1 });
      throw new Error('cancelled');
    };
    await expect(run(job)).rejects.toThrow('cancelled');
    expect(job.reported).toEqual({ ...NOTHING, restored: 3, unknown: 1 });
  });

  it('should repeat the batch of an attempt that was lost during its call, and check the others again', async () => {
    const { run, touch, changes, hooks } = setup([trashed('abcdef')]);
    const job = new FakeJob();
    hooks.onChange = async ({ messageIds }, inner) => {
      await inner.checkpoint({ next: 0 });
      if (messageIds[0] === 'c') throw new Error('killed');
    };
    await expect(run(job)).rejects.toThrow('killed');
    // The lost call had taken effect; meanwhile another program changes the mailbox.
    for (const id of ['c', 'd']) touch(id, '101', ['TRASH'], ['INBOX']);
    touch('e', '102', ['TRASH']);
    const given: unknown[] = [];
    hooks.onChange = async (_change, inner) => void given.push(inner.savedCheckpoint());
    const { result } = await run(job);
    expect(asked(changes)).toEqual([
      'untrash_to_inbox ab',
      'untrash_to_inbox cd',
      'untrash_to_inbox cd',
      'untrash_to_inbox f',
    ]);
    expect(changes.map(({ firstChunk }) => firstChunk)).toEqual([0, 100, 100, 200]);
    expect(given).toEqual([{ next: 0 }, undefined]);
    expect(result).toEqual({ ...NOTHING, restored: 5, alreadyBack: 1 });
  });
});
