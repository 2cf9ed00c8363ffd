import { delayedAbort, linkedSignal } from '../../platform/concurrency/abortable';
import type { DomainError } from '../../platform/http/domain-error';
import type { JobContext } from '../../platform/jobs/job-definition';
import { JobInterrupted } from '../../platform/jobs/jobs.errors';
import { LabelNotFound, MessageNotFound, ProviderRejected } from '../../providers/port/mail-provider.errors';
import type {
  CallOptions,
  MailboxProvider,
  ProviderAccount,
} from '../../providers/port/mailbox-provider.port';
import type { MessageIndexService } from '../index/message-index.service';
import { BulkTarget, requestChange, RunAction, targetOf } from './bulk-action';
import { BeforeFlag, ChangedMessage } from './change-journal';
import type { ChangeJournalRepository } from './change-journal.repository';
import { HistoryOutcomes, BulkVerdict } from './history-outcomes';
import type { OutcomeCheck } from './outcome-check';
import { unpackPositions, type SavedPositions, packPositions } from './positions';
import { delay } from '../../platform/concurrency/timers';

/** Time for which a batch may go on after the job was stopped, in milliseconds, so that its changes are counted. */
const GRACE_MS = 5_000;
const RETRY_DELAYS_MS = [500, 2_000];
/**
 * Age up to which the index's cursor is used without a sync, in milliseconds. An older start only means a few more
 * changes to read.
 */
const CURSOR_MAX_AGE_MS = 2_000;

/** Reason for which a message was not changed, e.g. a domain error. */
type Refusal = Pick<DomainError, 'code' | 'detail'>;

const NOT_APPLIED: Refusal = {
  code: 'change-not-applied',
  detail: 'The mail provider accepted the change but did not make it.',
};

export interface BulkChange {
  readonly action: RunAction;
  /** The label of `label`, `unlabel`, `move` and `move_back`. */
  readonly labelId?: string;
  /** Ids of the messages, without duplicates. */
  readonly messageIds: readonly string[];
  /**
   * Number of the run's first chunk in the journal, for jobs that make several runs. It must be the same in every
   * attempt.
   */
  readonly firstChunk?: number;
}

/** Counts of the outcomes. For a run that came to its end they add up to the number of messages. */
export interface BulkResult {
  readonly [count: string]: unknown;
  readonly action: RunAction;
  /** Messages that the operation brought into the target state. */
  readonly changed: number;
  /** Messages that already were in the target state. */
  readonly alreadyDone: number;
  /** Ids that the mailbox does not have. */
  readonly notFound: number;
  /** Messages that the provider refused to change. */
  readonly refused: number;
  /** Messages of an interrupted run whose change was requested, but whose outcome is not known. */
  readonly unknown?: number;
}

/** State in the checkpoint, with which another process can go on after a batch. */
interface BulkState {
  /** Index of the first message not yet requested. */
  next: number;
  /** Cursor from which to go on reading the change history. */
  cursor: string;
  /** Whether the provider has forgotten the cursor meanwhile, so that the history read is incomplete. */
  historyLost: boolean;
  /** Indexes of requested messages whose outcome is still unknown. */
  open: number[];
  /** Chunks written to the journal; absent in checkpoints of earlier versions. */
  chunks?: number;
  counts: { changed: number; alreadyDone: number; notFound: number; refused: number };
}

type SavedBulkState = Omit<BulkState, 'open'> & { readonly open: SavedPositions };

/** Whether the run that left this checkpoint had requested any change. @param checkpoint of a `BulkOperationRun` */
export function isUnderWay(checkpoint: object): boolean {
  return (checkpoint as SavedBulkState).next > 0;
}

export interface BulkOperationServices {
  readonly provider: MailboxProvider;
  readonly index: MessageIndexService;
  readonly outcomes: OutcomeCheck;
  readonly journal: Pick<ChangeJournalRepository, 'write'>;
  /** Pauses before further attempts for messages that exist but are not in the target state, in milliseconds. */
  readonly retryDelaysMs?: readonly number[];
}

/**
 * Makes one bulk change in batches of as many messages as the provider accepts in a call. After each batch the change
 * history shows which messages have changed; for others the message index may show that there was nothing to do.
 * Messages that neither decides are looked up in the mailbox at the end, so that no change counts that was not made.
 *
 * The changes are written to the journal before each checkpoint, so that they can be undone. When a run is interrupted
 * before it has determined the outcome, so are the possible changes; the next attempt, or an undo, decides them by the
 * history.
 *
 * Repeating a batch is harmless: after a crash the job goes on from its last checkpoint, whose history cursor is before
 * the changes of the lost batch.
 */
export class BulkOperationRun {
  private readonly target: BulkTarget;
  private state: BulkState;
  /** Messages changed since the last checkpoint. */
  private changed: ChangedMessage[] = [];
  /** Cursor of the last change that the history has shown. */
  private seen: string | undefined;
  /** The batch that is being requested. */
  private requested: readonly number[] = [];
  /** Whether the fence has admitted the batch. Before that, none of its messages can have been changed. */
  private mayBeSent = false;
  /** History cursor of the last checkpoint. */
  private savedCursor = '';
  /**
   * Whether an interrupted attempt may have left a chunk of possible changes in the journal, which the next chunk
   * replaces.
   */
  private hasDoubt = false;

  constructor(
    private readonly account: ProviderAccount,
    private readonly change: BulkChange,
    private readonly job: JobContext,
    private readonly services: BulkOperationServices,
  ) {
    this.target = targetOf(change.action, change.labelId);
  }

  async run(): Promise<BulkResult> {
    const grace = delayedAbort(this.job.signal, GRACE_MS);
    try {
      const saved = this.job.savedCheckpoint<SavedBulkState>();
      this.state = saved ? { ...saved, open: unpackPositions(saved.open) } : await this.start();
      this.savedCursor = this.state.cursor;
      this.hasDoubt = saved !== undefined;
      this.job.report(this.resultOf(this.state));
      while (this.state.next < this.change.messageIds.length) await this.changeNext(grace.signal);
      await this.resolveOpen(grace.signal);
      return this.resultOf(this.state);
    } catch (error) {
      if (this.state !== undefined) {
        await this.resolveInterrupted();
        await this.reportDoubtful();
      }
      throw error;
    } finally {
      grace.release();
    }
  }

  /**
   * Decides by the history the changes that were requested when the run was interrupted, since the answer to a change
   * may have been lost. A process that takes the job over does this itself.
   */
  private async resolveInterrupted(): Promise<void> {
    const { state, requested } = this;
    if (isContinued(this.job.signal)) return;
    const open = new Set(state.open);
    const batch = requested.filter((position) => position >= state.next && !open.has(position));
    if (open.size + batch.length + this.changed.length === 0) return;
    const limit = linkedSignal(undefined, GRACE_MS);
    try {
      state.open.push(...batch);
      state.next = Math.max(state.next, ...batch.map((position) => position + 1));
      await this.resolveByHistory(requested, limit.signal);
      this.requested = [];
      await this.save(state);
    } catch (error) {
      // Writing the checkpoint of a cancelled job throws the reason of its end, which is no error here.
      if (!this.job.signal.aborted || error !== this.job.signal.reason) this.job.logger.warn(error);
    } finally {
      limit.release();
    }
  }

  /**
   * Reports and journals the changes requested since the last checkpoint, which may have been made, so that the result
   * never says that nothing was changed.
   */
  private async reportDoubtful(): Promise<void> {
    const open = this.idsOf([...new Set([...this.state.open, ...this.requested])]);
    const doubtful = [...new Set([...this.changed.map(({ id }) => id), ...open])];
    // The process that took the job over writes the journal.
    if (doubtful.length === 0 || isTakenOver(this.job.signal)) return;
    this.job.report({ ...this.resultOf(this.state), unknown: open.length });
    if (this.target.kind === 'deleted') return;
    const messages = doubtful.map((id) => ({ id, before: BeforeFlag.Doubtful }));
    try {
      await this.writeChunk(messages, this.savedCursor);
    } catch (error) {
      // The error that ended the run matters more, and its result already says that the outcome is unknown. A lost
      // lease is not an error here, since the process that took the job over writes the journal.
      if (!(error instanceof JobInterrupted)) this.job.logger.error(error);
    }
  }

  private resultOf({ counts }: BulkState): BulkResult {
    return { action: this.change.action, ...counts };
  }

  private async start(): Promise<BulkState> {
    const cursor = await this.services.index.sync(this.account, {
      ...backgroundOptions(this.job.signal),
      maxAgeMs: CURSOR_MAX_AGE_MS,
    });
    const counts = { changed: 0, alreadyDone: 0, notFound: 0, refused: 0 };
    const state: BulkState = { next: 0, cursor, historyLost: false, open: [], counts };
    // The state is saved before the first change. Otherwise the changes of a lost attempt could not be distinguished
    // from those of another program.
    await this.save(state);
    return state;
  }

  private async save(state: BulkState): Promise<void> {
    await this.writeJournal(state);
    this.job.report(this.resultOf(state));
    this.savedCursor = state.cursor;
    await this.job.checkpoint({ ...state, open: packPositions(state.open) } satisfies SavedBulkState);
  }

  private async writeJournal(state: BulkState): Promise<void> {
    if ((this.changed.length === 0 && !this.hasDoubt) || this.target.kind === 'deleted') return;
    const { provider } = this.services;
    // The stored cursor may be earlier than the last change seen, if another process was faster.
    const cursor =
      this.seen !== undefined && provider.isLater(this.seen, state.cursor) ? this.seen : state.cursor;
    await this.writeChunk(this.changed, cursor, state);
    state.chunks = (state.chunks ?? 0) + 1;
    this.changed = [];
    this.hasDoubt = false;
  }

  private writeChunk(
    messages: readonly ChangedMessage[],
    cursor: string,
    { chunks = 0 } = this.state,
  ): Promise<void> {
    const { action, labelId, firstChunk = 0 } = this.change;
    return this.services.journal.write(
      {
        jobId: this.job.jobId,
        userId: this.account.userId,
        accountId: this.account.id,
        lease: this.job.lease,
      },
      { action, labelId, chunk: firstChunk + chunks, messages, cursor },
    );
  }

  private async changeNext(signal: AbortSignal): Promise<void> {
    this.job.throwIfCancelled();
    const { messageIds } = this.change;
    const end = Math.min(messageIds.length, this.state.next + this.services.provider.maxIdsPerChange);
    const batch = Array.from({ length: end - this.state.next }, (_, offset) => this.state.next + offset);
    this.requested = batch;
    this.mayBeSent = false;
    const refusal = await this.request(batch, signal);
    this.state.next = end;
    this.state.open.push(...batch);
    await this.resolveByHistory(batch, signal);
    // The provider may have changed a part of the batch before it refused the rest.
    if (refusal && !(refusal instanceof MessageNotFound)) this.refuseOpen(batch, refusal);
    this.requested = [];
    await this.save(this.state);
  }

  /**
   * Requests the change of these messages.
   * @returns the reason for which the provider refuses it for good: MessageNotFound when a single id may be the cause
   */
  private async request(
    batch: readonly number[],
    signal: AbortSignal,
  ): Promise<LabelNotFound | MessageNotFound | ProviderRejected | null> {
    const { provider } = this.services;
    try {
      await requestChange(provider, this.change.action, this.target, this.idsOf(batch), {
        ...backgroundOptions(signal),
        // A process that was suspended may have lost the lease of the job.
        fence: () => this.assertLeased(),
      });
      return null;
    } catch (error) {
      if (error instanceof MessageNotFound || error instanceof LabelNotFound) return error;
      if (!(error instanceof ProviderRejected)) throw error;
      // One id of an invalid form makes the provider refuse the whole batch. The later look-up finds it.
      return error.reason === 'invalidArgument' ? new MessageNotFound() : error;
    }
  }

  private assertLeased(): void {
    try {
      this.job.assertLeased();
    } catch (error) {
      if (!this.mayBeSent) this.requested = [];
      throw error;
    }
    this.mayBeSent = true;
  }

  /** Decides the open messages by the history, and those of `batch` by the message index too. */
  private async resolveByHistory(batch: readonly number[], signal: AbortSignal): Promise<void> {
    const { index } = this.services;
    const history = new HistoryOutcomes(this.target, this.idsOf(this.state.open));
    const followed = await index.followFrom(
      this.account,
      this.state.cursor,
      (changes) => history.add(changes),
      backgroundOptions(signal),
    );
    this.state.cursor = followed.cursor;
    this.state.historyLost ||= !followed.complete;
    this.seen = history.cursor ?? this.seen;
    const silent = this.idsOf(batch).filter((id) => history.verdictOf(id) === 'open');
    const known =
      this.target.kind === 'deleted' || silent.length === 0
        ? new Map<string, readonly string[]>()
        : await index.findLabels(this.account.id, silent);
    this.recordOutcomes(
      (id) => history.verdictOf(id, known.get(id)),
      (id) => history.beforeOf(id),
    );
  }

  /** Looks the open messages up in the mailbox, and requests the change again for those that exist unchanged. */
  private async resolveOpen(signal: AbortSignal): Promise<void> {
    // The history may lag behind the change by a moment. Reading it again costs little.
    if (this.state.open.length > 0) {
      await this.resolveByHistory([], signal);
      // The changes found are in the journal before the job ends.
      await this.save(this.state);
    }
    for (let attempt = 0; this.state.open.length > 0; attempt += 1) {
      const { outcomes } = this.services;
      const open = this.idsOf(this.state.open);
      const outcome = await outcomes.fetchActualState(
        this.account,
        open,
        this.target,
        backgroundOptions(this.job.signal),
      );
      const ownWork = attempt > 0 || this.state.historyLost;
      this.recordOutcomes(
        (id) => {
          if (outcome.met.has(id)) return ownWork ? 'changed' : 'met';
          if (!outcome.missing.has(id)) return 'open';
          return this.target.kind === 'deleted' && ownWork ? 'changed' : 'gone';
        },
        () => BeforeFlag.Unknown,
      );
      if (this.state.open.length > 0) await this.retryOpen(attempt, signal);
      await this.save(this.state);
    }
  }

  private async retryOpen(attempt: number, signal: AbortSignal): Promise<void> {
    const pause = (this.services.retryDelaysMs ?? RETRY_DELAYS_MS)[attempt];
    if (pause === undefined) {
      this.refuse(this.state.open, NOT_APPLIED);
      this.state.open = [];
      return;
    }
    await delay(pause, undefined, { signal: this.job.signal });
    const { maxIdsPerChange } = this.services.provider;
    const open = this.state.open;
    const refused = new Map<number, Refusal>();
    for (let start = 0; start < open.length; start += maxIdsPerChange) {
      const batch = open.slice(start, start + maxIdsPerChange);
      const refusal = await this.request(batch, signal);
      // These messages exist, so the reason is not an unknown id.
      if (refusal) {
        const reason = refusal instanceof MessageNotFound ? NOT_APPLIED : refusal;
        for (const position of batch) refused.set(position, reason);
      }
    }
    await this.resolveByHistory([], signal);
    for (const [position, reason] of refused) this.refuseOpen([position], reason);
  }

  /** @param beforeOf bits of `BeforeFlag` for messages that were changed */
  private recordOutcomes(verdictOf: (id: string) => BulkVerdict, beforeOf: (id: string) => number): void {
    const { counts } = this.state;
    let done = 0;
    this.state.open = this.state.open.filter((position) => {
      const id = this.change.messageIds[position]!;
      const verdict = verdictOf(id);
      if (verdict === 'open') return true;
      if (verdict === 'gone') {
        counts.notFound += 1;
        this.job.fail(id, 'message-not-found', 'The mailbox has no such message.');
      } else {
        counts[verdict === 'changed' ? 'changed' : 'alreadyDone'] += 1;
        if (verdict === 'changed') this.changed.push({ id, before: beforeOf(id) });
        done += 1;
      }
      return false;
    });
    if (done > 0) this.job.progress({ processed: done });
  }

  /** Counts those messages of a batch as refused that are not known to be changed. */
  private refuseOpen(batch: readonly number[], reason: Refusal): void {
    const open = new Set(this.state.open);
    const refused = batch.filter((position) => open.has(position));
    const without = new Set(refused);
    this.state.open = this.state.open.filter((position) => !without.has(position));
    this.refuse(refused, reason);
  }

  private refuse(batch: readonly number[], { code, detail }: Refusal): void {
    this.state.counts.refused += batch.length;
    for (const id of this.idsOf(batch)) this.job.fail(id, code, detail);
  }

  private idsOf(positions: readonly number[]): string[] {
    return positions.map((position) => this.change.messageIds[position]!);
  }
}

const isTakenOver = ({ reason }: AbortSignal): boolean =>
  reason instanceof JobInterrupted && reason.interruption === 'lease-lost';

/** Whether another attempt continues the job, now or after a restart. */
const isContinued = ({ reason }: AbortSignal): boolean =>
  reason instanceof JobInterrupted && reason.interruption !== 'cancelled';

const backgroundOptions = (signal: AbortSignal): CallOptions => ({ priority: 'background', signal });
