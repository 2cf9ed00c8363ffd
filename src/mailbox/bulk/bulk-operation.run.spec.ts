import type { JobContext } from '../../platform/jobs/job-definition';
import { JobInterrupted } from '../../platform/jobs/jobs.errors';
import type { MessageIndexService } from '../index/message-index.service';
import type {
  CallOptions,
  LabelChange,
  MailboxChange,
  MailboxProvider,
  MessageMetadata,
} from '../../providers/port/mailbox-provider.port';
import {
  LabelNotFound,
  ProviderRejected,
  ProviderUnavailable,
} from '../../providers/port/mail-provider.errors';
import { BulkAction, RunAction } from './bulk-action';
import { BeforeFlag, JournalChunk } from './change-journal';
import { BulkOperationRun } from './bulk-operation.run';
import { OutcomeCheck } from './outcome-check';

const ACCOUNT = { id: 'account', userId: 'user', email: 'a@b.test', provider: 'gmail' };

/** A mailbox of labels, with a history whose records may come late. */
class FakeMailbox {
  readonly maxIdsPerChange = 3;
  readonly history: MailboxChange[] = [];
  readonly requests: string[][] = [];
  readonly labels = new Map<string, Set<string>>();
  /** Records not yet visible to readers of the history. */
  lag = 0;
  onRequest: (ids: readonly string[], attempt: number) => void = () => undefined;
  /** Ids whose changes are dropped, as often as said. */
  readonly ignores = new Map<string, number>();
  historyIsLost = false;

  constructor(labels: Record<string, string[]>) {
    for (const [id, own] of Object.entries(labels)) this.labels.set(id, new Set(own));
  }

  async modify(ids: readonly string[], change: LabelChange): Promise<void> {
    this.request(ids, (id, own) => {
      const labelsAdded = change.add.filter((label) => !own.has(label));
      const labelsRemoved = change.remove.filter((label) => own.has(label));
      for (const label of labelsAdded) own.add(label);
      for (const label of labelsRemoved) own.delete(label);
      if (labelsAdded.length + labelsRemoved.length > 0) {
        this.record({ kind: 'labels', id, labelsAdded, labelsRemoved });
      }
    });
  }

  async delete(ids: readonly string[]): Promise<void> {
    this.request(ids, (id) => {
      this.labels.delete(id);
      this.record({ kind: 'deleted', id });
    });
  }

  async trash(ids: readonly string[]): Promise<void> {
    await this.modify(ids, { add: ['TRASH'], remove: ['INBOX'] });
  }

  isLater(cursor: string, than: string): boolean {
    return Number(cursor) > Number(than);
  }

  async profile() {
    return { emailAddress: '', messagesTotal: this.labels.size, threadsTotal: 0, historyId: '0' };
  }

  private request(ids: readonly string[], apply: (id: string, own: Set<string>) => void): void {
    this.requests.push([...ids]);
    this.onRequest(ids, this.requests.length);
    for (const id of ids) {
      const own = this.labels.get(id);
      const ignored = this.ignores.get(id) ?? 0;
      if (ignored > 0) this.ignores.set(id, ignored - 1);
      else if (own) apply(id, own);
    }
  }

  private record({ id, ...change }: { id: string } & Omit<MailboxChange, 'message'>): void {
    this.history.push({ ...change, message: { id, threadId: id }, cursor: String(this.history.length + 1) });
  }
}

/** An index that holds nothing, or what it is given. */
class FakeIndex {
  readonly known = new Map<string, string[]>();
  refreshed: string[] = [];

  constructor(private readonly mailbox: FakeMailbox) {}

  async sync(): Promise<string> {
    return String(this.mailbox.history.length);
  }

  async followFrom(_account: unknown, since: string, onChanges: (changes: MailboxChange[]) => void) {
    if (this.mailbox.historyIsLost) {
      this.mailbox.historyIsLost = false;
      return { cursor: String(this.mailbox.history.length), complete: false };
    }
    const end = Math.max(Number(since), this.mailbox.history.length - this.mailbox.lag);
    onChanges(this.mailbox.history.slice(Number(since), end));
    return { cursor: String(end), complete: true };
  }

  async findLabels(_accountId: string, ids: readonly string[]) {
    return new Map([...this.known].filter(([id]) => ids.includes(id)));
  }

  async *refresh(_account: unknown, ids: readonly string[]): AsyncGenerator<MessageMetadata[]> {
    this.refreshed.push(...ids);
    yield ids.flatMap((id) => {
      const labels = this.mailbox.labels.get(id);
      return labels ? [{ id, labelIds: [...labels] } as unknown as MessageMetadata] : [];
    });
  }
}

class FakeJob {
  processed = 0;
  readonly failures: [string, string, string][] = [];
  readonly abortion = new AbortController();
  saved: string | undefined;
  reported: unknown;
  onCheckpoint: (checkpoint: number) => void = () => undefined;
  private checkpoints = 0;

  readonly signal = this.abortion.signal;
  readonly logger = { warn: () => undefined, error: () => undefined };
  assertLeased = (): void => this.signal.throwIfAborted();
  savedCheckpoint = (): unknown => this.saved && JSON.parse(this.saved);
  progress = ({ processed }: { processed?: number }): void => void (this.processed += processed ?? 0);
  fail = (item: string, code: string, reason = code): void => void this.failures.push([item, code, reason]);
  throwIfCancelled = (): void => this.signal.throwIfAborted();
  report = (result: object): void => void (this.reported = result);

  checkpoint = async (state: object): Promise<void> => {
    this.saved = JSON.stringify(state);
    this.onCheckpoint((this.checkpoints += 1));
    this.throwIfCancelled();
  };
}

function setup(labels: Record<string, string[]>) {
  const mailbox = new FakeMailbox(labels);
  const index = new FakeIndex(mailbox);
  const provider = mailbox as unknown as MailboxProvider;
  const written: JournalChunk[] = [];
  const services = {
    provider,
    journal: { write: async (_job: unknown, chunk: JournalChunk) => void written.push(chunk) },
    retryDelaysMs: [1, 1],
    index: index as unknown as MessageIndexService,
    outcomes: new OutcomeCheck({ forAccount: () => provider }, index as unknown as MessageIndexService),
  };
  const run = (action: RunAction, messageIds: string[], job = new FakeJob()) => {
    const change = { action, messageIds, labelId: 'L' };
    return new BulkOperationRun(ACCOUNT, change, job as unknown as JobContext, services)
      .run()
      .then((result) => ({ result, job }));
  };
  return { mailbox, index, run, written };
}

const unread = (...ids: string[]) => Object.fromEntries(ids.map((id) => [id, ['INBOX', 'UNREAD']]));

describe('BulkOperationRun', () => {
  it('should make one request per batch and read no single message when the history shows all changes', async () => {
    const { mailbox, index, run } = setup(unread('a', 'b', 'c', 'd', 'e'));
    const { result, job } = await run(BulkAction.MarkRead, ['a', 'b', 'c', 'd', 'e']);
    expect(result).toEqual({ action: 'mark_read', changed: 5, alreadyDone: 0, notFound: 0, refused: 0 });
    expect(mailbox.requests).toEqual([
      ['a', 'b', 'c'],
      ['d', 'e'],
    ]);
    expect(index.refreshed).toEqual([]);
    expect(job.processed).toBe(5);
    expect([...mailbox.labels.values()].some((own) => own.has('UNREAD'))).toBe(false);
  });

  it('should report ids that are not in the mailbox and not count them', async () => {
    const { index, run } = setup(unread('a', 'b'));
    const { result, job } = await run(BulkAction.MarkRead, ['a', 'nope', 'b']);
    expect(result).toMatchObject({ changed: 2, notFound: 1 });
    expect(job.processed).toBe(2);
    expect(job.failures).toEqual([['nope', 'message-not-found', 'The mailbox has no such message.']]);
    expect(index.refreshed).toEqual(['nope']);
  });

  it('should count messages already in the target state, requesting only those unknown to the index', async () => {
    const { index, run } = setup({ ...unread('a'), b: ['INBOX'], c: ['INBOX'] });
    index.known.set('b', ['INBOX']);
    const { result, job } = await run(BulkAction.MarkRead, ['a', 'b', 'c']);
    expect(result).toMatchObject({ changed: 1, alreadyDone: 2, notFound: 0 });
    expect(index.refreshed).toEqual(['c']);
    expect(job.processed).toBe(3);
  });

  it('should find changes whose history arrives late', async () => {
    const { mailbox, index, run } = setup(unread('a', 'b', 'c', 'd'));
    mailbox.lag = 2;
    const { result } = await run(BulkAction.MarkRead, ['a', 'b', 'c', 'd']);
    // b and c have become visible with the second batch; d is looked up.
    expect(index.refreshed).toEqual(['c', 'd']);
    expect(result).toMatchObject({ changed: 2, alreadyDone: 2, notFound: 0, refused: 0 });
  });

  it('should journal changes whose history arrives after the last batch', async () => {
    const { mailbox, run, written } = setup(unread('a', 'b'));
    mailbox.lag = 2;
    const job = new FakeJob();
    // The history catches up when the batch has been saved.
    job.onCheckpoint = () => {
      if (mailbox.requests.length > 0) mailbox.lag = 0;
    };
    const { result } = await run(BulkAction.MarkRead, ['a', 'b'], job);
    expect(result).toMatchObject({ changed: 2 });
    expect(written.at(-1)?.messages.map(({ id }) => id)).toEqual(['a', 'b']);
    expect(JSON.parse(job.saved ?? '{}')).toMatchObject({ open: [] });
  });

  it('should request a message again that the provider skipped', async () => {
    const { mailbox, run } = setup(unread('a', 'b'));
    mailbox.ignores.set('b', 1);
    const { result, job } = await run(BulkAction.MarkRead, ['a', 'b']);
    expect(mailbox.requests).toEqual([['a', 'b'], ['b']]);
    expect(result).toMatchObject({ changed: 2, refused: 0 });
    expect(job.failures).toEqual([]);
  });

  it('should report a message that the provider keeps skipping', async () => {
    const { mailbox, run } = setup(unread('a', 'b'));
    mailbox.ignores.set('b', 100);
    const { result, job } = await run(BulkAction.MarkRead, ['a', 'b']);
    expect(result).toMatchObject({ changed: 1, refused: 1 });
    expect(job.processed).toBe(1);
    expect(job.failures).toEqual([
      ['b', 'change-not-applied', 'The mail provider accepted the change but did not make it.'],
    ]);
  });

  it('should count and journal the changes of a batch that was refused but applied', async () => {
    const { mailbox, run, written } = setup(unread('a', 'b'));
    const modify = mailbox.modify.bind(mailbox);
    mailbox.modify = async ([first], change) => {
      await modify([first!], change);
      throw new ProviderRejected('unsupported', 'Not in this folder.');
    };
    const { result, job } = await run(BulkAction.MarkRead, ['a', 'b']);
    expect(result).toMatchObject({ changed: 1, refused: 1 });
    expect(job.failures).toEqual([['b', 'provider-rejected', 'Not in this folder.']]);
    expect(written).toMatchObject([{ chunk: 0, messages: [{ id: 'a' }] }]);
  });

  it('should report and journal unknown outcomes when it stops, and resolve them in the next attempt', async () => {
    const { mailbox, index, run, written } = setup(unread('a', 'b', 'c', 'd'));
    const job = new FakeJob();
    const followFrom = index.followFrom.bind(index);
    index.followFrom = async (...given) => {
      if (mailbox.requests.length === 2) throw new ProviderUnavailable();
      return followFrom(...given);
    };
    await expect(run(BulkAction.MarkRead, ['a', 'b', 'c', 'd'], job)).rejects.toThrow();
    expect(job.reported).toMatchObject({ changed: 3, unknown: 1 });
    expect(written).toMatchObject([
      { chunk: 0, messages: [{ id: 'a' }, { id: 'b' }, { id: 'c' }] },
      { chunk: 1, messages: [{ id: 'd', before: BeforeFlag.Doubtful }] },
    ]);
    index.followFrom = followFrom;
    const { result } = await run(BulkAction.MarkRead, ['a', 'b', 'c', 'd'], job);
    expect(result).toMatchObject({ changed: 4, refused: 0 });
    expect(result).not.toHaveProperty('unknown');
    expect(written.at(-1)).toMatchObject({ chunk: 1, messages: [{ id: 'd', before: 0 }] });
  });

  it('should fail the items of a refused batch and continue', async () => {
    const { mailbox, run } = setup(unread('a', 'b', 'c', 'd'));
    mailbox.onRequest = (_ids, attempt) => {
      if (attempt === 1) throw new ProviderRejected('domainPolicy', 'Not allowed.');
    };
    const { result, job } = await run(BulkAction.MarkRead, ['a', 'b', 'c', 'd']);
    expect(result).toMatchObject({ changed: 1, refused: 3 });
    expect(job.failures).toEqual([
      ['a', 'provider-rejected', 'Not allowed.'],
      ['b', 'provider-rejected', 'Not allowed.'],
      ['c', 'provider-rejected', 'Not allowed.'],
    ]);
  });

  it('should fail the items when the label has been deleted in the meantime', async () => {
    const { mailbox, run } = setup(unread('a'));
    mailbox.onRequest = () => {
      throw new LabelNotFound();
    };
    const { result, job } = await run(BulkAction.Label, ['a']);
    expect(result).toMatchObject({ changed: 0, refused: 1 });
    expect(job.failures).toEqual([['a', 'label-not-found', 'The mailbox has no such label.']]);
  });

  it('should apply the rest of a batch that contains a malformed id', async () => {
    const { mailbox, run } = setup(unread('a', 'b'));
    mailbox.onRequest = (ids) => {
      if (ids.includes('???')) throw new ProviderRejected('invalidArgument');
    };
    const { result, job } = await run(BulkAction.MarkRead, ['a', '???', 'b']);
    expect(result).toMatchObject({ changed: 2, notFound: 1, refused: 0 });
    expect(mailbox.requests.at(-1)).toEqual(['a', 'b']);
    expect(job.failures).toEqual([['???', 'message-not-found', 'The mailbox has no such message.']]);
  });

  it('should count deletions by the history and report ids that never existed', async () => {
    const { mailbox, run } = setup(unread('a', 'b'));
    const { result, job } = await run(BulkAction.Delete, ['a', 'ghost', 'b']);
    expect(result).toMatchObject({ changed: 2, notFound: 1 });
    expect(job.failures).toEqual([['ghost', 'message-not-found', 'The mailbox has no such message.']]);
    expect(mailbox.labels.size).toBe(0);
  });

  it('should not report deleted messages as unknown when the provider has lost the history', async () => {
    const { mailbox, run } = setup(unread('a', 'b'));
    mailbox.historyIsLost = true;
    const { result, job } = await run(BulkAction.Delete, ['a', 'b']);
    expect(result).toMatchObject({ changed: 2, notFound: 0 });
    expect(job.failures).toEqual([]);
  });

  it('should continue from its checkpoint and count nothing twice', async () => {
    const { mailbox, run } = setup(unread('a', 'b', 'c', 'd', 'e'));
    mailbox.onRequest = (_ids, attempt) => {
      if (attempt === 2) throw new ProviderUnavailable();
    };
    const job = new FakeJob();
    await expect(run(BulkAction.MarkRead, ['a', 'b', 'c', 'd', 'e'], job)).rejects.toThrow(
      ProviderUnavailable,
    );
    // The second batch has reached the mailbox, and the process has died before the checkpoint.
    await mailbox.modify(['d', 'e'], { add: [], remove: ['UNREAD'] });
    const { result } = await run(BulkAction.MarkRead, ['a', 'b', 'c', 'd', 'e'], job);
    expect(result).toEqual({ action: 'mark_read', changed: 5, alreadyDone: 0, notFound: 0, refused: 0 });
    expect(job.processed).toBe(5);
    expect(mailbox.requests.filter((ids) => ids.includes('a'))).toHaveLength(1);
  });

  it('should finish and count the current batch when cancelled, and then stop', async () => {
    const { mailbox, run } = setup(unread('a', 'b', 'c', 'd'));
    const job = new FakeJob();
    mailbox.onRequest = () => job.abortion.abort(new Error('cancelled'));
    await expect(run(BulkAction.MarkRead, ['a', 'b', 'c', 'd'], job)).rejects.toThrow('cancelled');
    expect(mailbox.requests).toHaveLength(1);
    expect(job.processed).toBe(3);
    expect(JSON.parse(job.saved!)).toMatchObject({ next: 3, counts: { changed: 3 } });
    expect(job.reported).toEqual({
      action: 'mark_read',
      changed: 3,
      alreadyDone: 0,
      notFound: 0,
      refused: 0,
    });
  });

  describe('when it is cancelled before it repeats a call whose answer was lost', () => {
    /** The call is carried out for the first two messages; its answer is lost, and the job cancelled before the repetition. */
    async function loseAnswer({ made }: { made: boolean }) {
      const context = setup(unread('a', 'b', 'c'));
      const { mailbox, run } = context;
      const job = new FakeJob();
      type Modify = (ids: readonly string[], change: LabelChange, options?: CallOptions) => Promise<void>;
      const modify: Modify = mailbox.modify.bind(mailbox);
      let calls = 0;
      (mailbox as { modify: Modify }).modify = async (ids, change, options) => {
        if (!made) job.abortion.abort(new JobInterrupted('cancelled'));
        options?.fence?.();
        calls += 1;
        await modify(ids.slice(0, 2), change);
        job.abortion.abort(new JobInterrupted('cancelled'));
        options?.fence?.();
        calls += 1;
      };
      await expect(run(BulkAction.MarkRead, ['a', 'b', 'c'], job)).rejects.toThrow(JobInterrupted);
      return { ...context, job, calls };
    }

    it('should resolve the requests by the history, journal the changes and report the unknown ones', async () => {
      const { job, written, calls } = await loseAnswer({ made: true });
      expect(calls).toBe(1);
      expect(job.processed).toBe(2);
      expect(job.reported).toMatchObject({ changed: 2, unknown: 1 });
      expect(written).toMatchObject([
        {
          chunk: 0,
          messages: [
            { id: 'a', before: 0 },
            { id: 'b', before: 0 },
          ],
        },
        { chunk: 1, messages: [{ id: 'c', before: BeforeFlag.Doubtful }] },
      ]);
      expect(JSON.parse(job.saved!)).toMatchObject({ next: 3, counts: { changed: 2 } });
    });

    it('should not report as unknown what was never sent', async () => {
      const { job, written, calls } = await loseAnswer({ made: false });
      expect(calls).toBe(0);
      expect(job.reported).toEqual({
        action: 'mark_read',
        changed: 0,
        alreadyDone: 0,
        notFound: 0,
        refused: 0,
      });
      expect(written).toEqual([]);
    });
  });

  describe('when its process loses the job between two batches', () => {
    /** A job that another process has taken over, as the fence of a call finds out: no heartbeat has told it yet. */
    class LostJob extends FakeJob {
      isLost = false;
      override assertLeased = (): void => {
        if (this.isLost) this.abortion.abort(new JobInterrupted('lease-lost'));
        this.signal.throwIfAborted();
      };
    }

    /** Each call asks its fence before it is made. */
    function fenced(labels: Record<string, string[]>) {
      const context = setup(labels);
      const { mailbox } = context;
      type Modify = (ids: readonly string[], change: LabelChange, options?: CallOptions) => Promise<void>;
      const modify: Modify = mailbox.modify.bind(mailbox);
      (mailbox as { modify: Modify }).modify = async (ids, change, options) => {
        options?.fence?.();
        await modify(ids, change);
      };
      return context;
    }
    const ids = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];

    it('should make no further call, and leave a complete journal', async () => {
      const { mailbox, run, written } = fenced(unread(...ids));
      const job = new LostJob();
      // The first checkpoint comes before the first batch.
      job.onCheckpoint = (checkpoint) => void (job.isLost = checkpoint === 2);
      await expect(run(BulkAction.MarkRead, ids, job)).rejects.toEqual(new JobInterrupted('lease-lost'));
      expect(mailbox.requests).toEqual([['a', 'b', 'c']]);
      expect(written.map(({ chunk, messages }) => [chunk, messages.map(({ id }) => id)])).toEqual([
        [0, ['a', 'b', 'c']],
      ]);
      expect(JSON.parse(job.saved!)).toMatchObject({ next: 3, open: [], counts: { changed: 3 } });
    });

    it('should neither request skipped messages again nor write about them', async () => {
      const { mailbox, run, written } = fenced(unread('a', 'b'));
      mailbox.ignores.set('b', 1);
      const job = new LostJob();
      // With the checkpoint after the last look at the history, before the pause.
      job.onCheckpoint = (checkpoint) => void (job.isLost = checkpoint === 3);
      const running = run(BulkAction.MarkRead, ['a', 'b'], job);
      await expect(running).rejects.toEqual(new JobInterrupted('lease-lost'));
      expect(mailbox.requests).toEqual([['a', 'b']]);
      expect(written).toMatchObject([{ chunk: 0, messages: [{ id: 'a' }] }]);
      expect(JSON.parse(job.saved!)).toMatchObject({ open: [1], counts: { changed: 1 } });
    });

    it('should let the next process do the rest, each message once', async () => {
      const { mailbox, run, written } = fenced(unread(...ids));
      const job = new LostJob();
      job.onCheckpoint = (checkpoint) => void (job.isLost = checkpoint === 2);
      await expect(run(BulkAction.MarkRead, ids, job)).rejects.toThrow(JobInterrupted);
      const next = new FakeJob();
      next.saved = job.saved;
      const { result } = await run(BulkAction.MarkRead, ids, next);
      expect(result).toMatchObject({ changed: 7, alreadyDone: 0 });
      expect(mailbox.requests).toEqual([['a', 'b', 'c'], ['d', 'e', 'f'], ['g']]);
      expect(written.flatMap(({ messages }) => messages.map(({ id }) => id))).toEqual(ids);
    });
  });

  describe('the journal', () => {
    it('should contain the run’s own changes, and whether the message was in the inbox', async () => {
      const { index, run, written } = setup({
        ...unread('a', 'b'),
        c: ['UNREAD'],
        d: ['TRASH'],
        e: ['INBOX'],
      });
      index.known.set('d', ['TRASH']);
      await run(BulkAction.Trash, ['a', 'b', 'c', 'd', 'nope', 'e']);
      expect(written).toEqual([
        {
          action: 'trash',
          labelId: 'L',
          chunk: 0,
          cursor: '3',
          messages: [
            { id: 'a', before: BeforeFlag.Inbox },
            { id: 'b', before: BeforeFlag.Inbox },
            { id: 'c', before: 0 },
          ],
        },
        {
          action: 'trash',
          labelId: 'L',
          chunk: 1,
          cursor: '4',
          messages: [{ id: 'e', before: BeforeFlag.Inbox }],
        },
      ]);
    });

    it('should record an unknown previous state for messages missing in the history', async () => {
      const { mailbox, run, written } = setup(unread('a', 'b'));
      mailbox.historyIsLost = true;
      await run(BulkAction.MarkRead, ['a', 'b']);
      expect(written.flatMap(({ messages }) => messages)).toEqual([
        { id: 'a', before: BeforeFlag.Unknown },
        { id: 'b', before: BeforeFlag.Unknown },
      ]);
    });

    it('should be written before the checkpoint, and identically by an attempt that repeats the batch', async () => {
      const { run, written } = setup(unread('a', 'b', 'c', 'd'));
      const job = new FakeJob();
      job.onCheckpoint = (checkpoint) => {
        // The one after the first batch is lost with its process.
        if (checkpoint !== 2) return;
        job.saved = saved;
        throw new Error('killed');
      };
      let saved: string | undefined;
      const first = job.checkpoint;
      job.checkpoint = async (state) => {
        saved = job.saved;
        await first(state);
      };
      await expect(run(BulkAction.MarkRead, ['a', 'b', 'c', 'd'], job)).rejects.toThrow('killed');
      expect(written).toHaveLength(1);
      await run(BulkAction.MarkRead, ['a', 'b', 'c', 'd'], job);
      expect(written.map(({ chunk, messages }) => [chunk, messages.map(({ id }) => id).join('')])).toEqual([
        [0, 'abc'],
        [0, 'abc'],
        [1, 'd'],
      ]);
    });

    it('should be empty for deletions', async () => {
      const { run, written } = setup(unread('a'));
      await run(BulkAction.Delete, ['a']);
      expect(written).toEqual([]);
    });
  });
});
