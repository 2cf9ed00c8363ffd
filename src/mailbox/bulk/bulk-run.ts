import { Injectable } from '@nestjs/common';
import { delayedAbort, linkedSignal } from '../../platform/concurrency/abortable';
import type { DomainError } from '../../platform/http/domain-error';
import type { JobContext } from '../../platform/jobs/job-definition';
import { JobInterrupted } from '../../platform/jobs/jobs.errors';
import { LabelNotFound, MessageNotFound, ProviderRejected } from '../../providers/port/mail-provider.errors';
import { MailboxProviders, ProviderAccount } from '../../providers/port/mailbox-provider.port';
import type { CallOptions, MailboxProvider } from '../../providers/port/mailbox-provider.port';
import { MessageIndexService } from '../index/message-index.service';
import { BulkTarget, requestChange, RunAction, targetOf } from './bulk-action';
import { BeforeFlag, ChangedMessage } from './change-journal';
import { ChangeJournalRepository } from './change-journal.repository';
import { HistoryOutcomes, Verdict } from './history-outcomes';
import { OutcomeCheck } from './outcome-check';
import { positionsOf, type SavedPositions, savedPositions } from './positions';
import { delay } from '../../platform/concurrency/timers';

/** How long a batch may go on after the job was stopped, so that its changes are counted. */
const GRACE_MS = 5_000;
const RETRY_DELAYS_MS = [500, 2_000];
/** The index's own notion of fresh: a cursor this old only means a few changes more to read. */
const CURSOR_MAX_AGE_MS = 2_000;

/** A domain error, or another reason. */
type Refusal = Pick<DomainError, 'code' | 'detail'>;

const NOT_APPLIED: Refusal = {
  code: 'change-not-applied',
  detail: 'The mail provider accepted the change but did not make it.',
};

export interface BulkChange {
  readonly action: RunAction;
  /** For `label` and `unlabel`. */
  readonly labelId?: string;
  /** Without duplicates. */
  readonly messageIds: readonly string[];
  /** Where the job is changed in several runs: the first of the run's chunks in the journal, the same in every attempt. */
  readonly firstChunk?: number;
}

/** The outcome for the messages; the counts add up to the number of messages of a run that came to its end. */
export interface BulkResult {
  readonly [count: string]: unknown;
  readonly action: RunAction;
  /** Messages the operation brought into the target state. */
  readonly changed: number;
  /** Messages that were in it already. */
  readonly alreadyDone: number;
  /** Ids the mailbox does not have. */
  readonly notFound: number;
  /** Messages the provider would not change. */
  readonly refused: number;
  /** Messages of a run that broke off: their change was requested, and what became of it could not be looked at. */
  readonly unknown?: number;
}

/** Survives the process: everything needed to go on after a batch. */
interface BulkState {
  /** Index of the first message not yet requested. */
  next: number;
  /** Where to go on reading the change history. */
  cursor: string;
  /** The provider forgot the cursor in between: the history is not the whole story. */
  historyLost: boolean;
  /** Indexes of requested messages whose outcome is still unknown. */
  open: number[];
  /** Chunks written to the journal; absent in checkpoints of earlier versions. */
  chunks?: number;
  counts: { changed: number; alreadyDone: number; notFound: number; refused: number };
}

type SavedBulkState = Omit<BulkState, 'open'> & { readonly open: SavedPositions };

/** Whether a run that left this checkpoint knows of any change it requested. @param checkpoint of a `BulkRun` */
export function isUnderWay(checkpoint: object): boolean {
  return (checkpoint as SavedBulkState).next > 0;
}

export interface BulkRunServices {
  readonly provider: MailboxProvider;
  readonly index: MessageIndexService;
  readonly outcomes: OutcomeCheck;
  readonly journal: Pick<ChangeJournalRepository, 'write'>;
  /** Pauses before messages that exist but are not in the target state are tried and looked at again. */
  readonly retryDelaysMs?: readonly number[];
}

/**
 * One bulk change: batches of as many messages as the provider takes in a call. After each, the change history
 * tells which messages it reached; of the rest, the message index may know that there was nothing to do. Messages
 * unknown to both are looked up at the mailbox in the end, so that nothing counts as done that is not.
 *
 * What it changed is written to the journal before each checkpoint, so that it can be taken back. So is what it may have
 * changed when it breaks off before it could look: the next attempt, or whoever undoes it, finds out by the history.
 *
 * Repeating a batch is harmless: after a crash the job goes on from its last checkpoint, whose history cursor still
 * lies before the changes of the batch that was lost.
 */
export class BulkRun {
  private readonly target: BulkTarget;
  private state: BulkState;
  /** Changed since the last checkpoint. */
  private changed: ChangedMessage[] = [];
  /** The last change that the history has shown. */
  private seen: string | undefined;
  /** The batch that is being requested. */
  private requested: readonly number[] = [];
  /** Whether the fence has let the batch through: before that, nothing of it can have been changed. */
  private mayBeSent = false;
  /** Where the history stood with the last checkpoint. */
  private savedCursor = '';
  /** An attempt that broke off has left a chunk in the journal, which the next one replaces. */
  private hasDoubt = false;

  constructor(
    private readonly account: ProviderAccount,
    private readonly change: BulkChange,
    private readonly job: JobContext,
    private readonly services: BulkRunServices,
  ) {
    this.target = targetOf(change.action, change.labelId);
  }

  async run(): Promise<BulkResult> {
    const grace = delayedAbort(this.job.signal, GRACE_MS);
    try {
      const saved = this.job.savedCheckpoint<SavedBulkState>();
      this.state = saved ? { ...saved, open: positionsOf(saved.open) } : await this.start();
      this.savedCursor = this.state.cursor;
      this.hasDoubt = saved !== undefined;
      this.job.report(this.resultOf(this.state));
      while (this.state.next < this.change.messageIds.length) await this.changeNext(grace.signal);
      await this.settleOpen(grace.signal);
      return this.resultOf(this.state);
    } catch (error) {
      if (this.state !== undefined) {
        await this.settleInterrupted();
        await this.noteDoubt();
      }
      throw error;
    } finally {
      grace.release();
    }
  }

  /**
   * Settles, by the history, what had been requested when the run broke off: an answer may have been lost of changes that
   * were made. Another process does this for a job that it takes over.
   */
  private async settleInterrupted(): Promise<void> {
    const { state, requested } = this;
    if (isContinued(this.job.signal)) return;
    const open = new Set(state.open);
    const batch = requested.filter((position) => position >= state.next && !open.has(position));
    if (open.size + batch.length + this.changed.length === 0) return;
    const limit = linkedSignal(undefined, GRACE_MS);
    try {
      state.open.push(...batch);
      state.next = Math.max(state.next, ...batch.map((position) => position + 1));
      await this.settleByHistory(requested, limit.signal);
      this.requested = [];
      await this.save(state);
    } catch (error) {
      // A checkpoint ends a job that was cancelled, after it has been written.
      if (!this.job.signal.aborted || error !== this.job.signal.reason) this.job.logger.warn(error);
    } finally {
      limit.release();
    }
  }

  /** Requests since the last checkpoint may have been carried out, so the result never says that nothing was changed. */
  private async noteDoubt(): Promise<void> {
    const open = this.idsOf([...new Set([...this.state.open, ...this.requested])]);
    const doubtful = [...new Set([...this.changed.map(({ id }) => id), ...open])];
    // Another process goes on with a job that was taken over, and has the journal.
    if (doubtful.length === 0 || isTakenOver(this.job.signal)) return;
    this.job.report({ ...this.resultOf(this.state), unknown: open.length });
    if (this.target.kind === 'deleted') return;
    const messages = doubtful.map((id) => ({ id, before: BeforeFlag.Doubtful }));
    try {
      await this.writeChunk(messages, this.savedCursor);
    } catch (error) {
      // The error that ended the run matters more, and its result already says that the outcome is unknown. A lost lease is no
      // error here: the process that took the job over writes the journal.
      if (!(error instanceof JobInterrupted)) this.job.logger.error(error);
    }
  }

  private resultOf({ counts }: BulkState): BulkResult {
    return { action: this.change.action, ...counts };
  }

  private async start(): Promise<BulkState> {
    const cursor = await this.services.index.sync(this.account, {
      ...background(this.job.signal),
      maxAgeMs: CURSOR_MAX_AGE_MS,
    });
    const counts = { changed: 0, alreadyDone: 0, notFound: 0, refused: 0 };
    const state: BulkState = { next: 0, cursor, historyLost: false, open: [], counts };
    // Before the first change: an attempt lost with it could not be distinguished from somebody else's work afterwards.
    await this.save(state);
    return state;
  }

  private async save(state: BulkState): Promise<void> {
    await this.journalise(state);
    this.job.report(this.resultOf(state));
    this.savedCursor = state.cursor;
    await this.job.checkpoint({ ...state, open: savedPositions(state.open) } satisfies SavedBulkState);
  }

  private async journalise(state: BulkState): Promise<void> {
    if ((this.changed.length === 0 && !this.hasDoubt) || this.target.kind === 'deleted') return;
    const { provider } = this.services;
    // The stored cursor may lie behind what has been seen, if another process was faster.
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
    await this.settleByHistory(batch, signal);
    // A part of it may have been changed before the provider refused the rest.
    if (refusal && !(refusal instanceof MessageNotFound)) this.refuseOpen(batch, refusal);
    this.requested = [];
    await this.save(this.state);
  }

  /**
   * Asks for the change of these messages.
   * @returns why the provider refuses it for good: MessageNotFound when a single id may be to blame
   */
  private async request(
    batch: readonly number[],
    signal: AbortSignal,
  ): Promise<LabelNotFound | MessageNotFound | ProviderRejected | null> {
    const { provider } = this.services;
    try {
      await requestChange(provider, this.change.action, this.target, this.idsOf(batch), {
        ...background(signal),
        // A process that was suspended may have lost the job.
        fence: () => this.assertLeased(),
      });
      return null;
    } catch (error) {
      if (error instanceof MessageNotFound || error instanceof LabelNotFound) return error;
      if (!(error instanceof ProviderRejected)) throw error;
      // An id in a form the provider does not even read spoils the whole batch: it is found by looking.
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

  /** Settles the open messages as far as the history, and for `batch` the message index, knows of them. */
  private async settleByHistory(batch: readonly number[], signal: AbortSignal): Promise<void> {
    const { index } = this.services;
    const history = new HistoryOutcomes(this.target, this.idsOf(this.state.open));
    const followed = await index.followFrom(
      this.account,
      this.state.cursor,
      (changes) => history.add(changes),
      background(signal),
    );
    this.state.cursor = followed.cursor;
    this.state.historyLost ||= !followed.complete;
    this.seen = history.cursor ?? this.seen;
    const silent = this.idsOf(batch).filter((id) => history.verdictOn(id) === 'open');
    const known =
      this.target.kind === 'deleted' || silent.length === 0
        ? new Map<string, readonly string[]>()
        : await index.knownLabels(this.account.id, silent);
    this.settle(
      (id) => history.verdictOn(id, known.get(id)),
      (id) => history.beforeOf(id),
    );
  }

  /** Looks the open messages up at the mailbox; those it has but did not change are requested again. */
  private async settleOpen(signal: AbortSignal): Promise<void> {
    // History may lag behind the change by a moment; reading on costs next to nothing.
    if (this.state.open.length > 0) {
      await this.settleByHistory([], signal);
      // What it has decided is in the journal before the job ends.
      await this.save(this.state);
    }
    for (let attempt = 0; this.state.open.length > 0; attempt += 1) {
      const { outcomes } = this.services;
      const open = this.idsOf(this.state.open);
      const outcome = await outcomes.inspect(this.account, open, this.target, background(this.job.signal));
      const ownWork = attempt > 0 || this.state.historyLost;
      this.settle(
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
      // These exist: whatever the provider dislikes now, it is not an unknown id.
      if (refusal) {
        const reason = refusal instanceof MessageNotFound ? NOT_APPLIED : refusal;
        for (const position of batch) refused.set(position, reason);
      }
    }
    await this.settleByHistory([], signal);
    for (const [position, reason] of refused) this.refuseOpen([position], reason);
  }

  /** @param beforeOf bits of `BeforeFlag` for messages that were changed */
  private settle(verdictOn: (id: string) => Verdict, beforeOf: (id: string) => number): void {
    const { counts } = this.state;
    let done = 0;
    this.state.open = this.state.open.filter((position) => {
      const id = this.change.messageIds[position]!;
      const verdict = verdictOn(id);
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

  /** Refuses those of a batch of which nothing shows that they were changed. */
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

/** Whether another attempt goes on with the job, now or after a restart. */
const isContinued = ({ reason }: AbortSignal): boolean =>
  reason instanceof JobInterrupted && reason.interruption !== 'cancelled';

const background = (signal: AbortSignal): CallOptions => ({ priority: 'background', signal });

/** Changes many messages of one mailbox on behalf of a job, whichever kind it is of; see `BulkRun`. */
@Injectable()
export class BulkRunner {
  constructor(
    private readonly providers: MailboxProviders,
    private readonly index: MessageIndexService,
    private readonly outcomes: OutcomeCheck,
    private readonly journal: ChangeJournalRepository,
  ) {}

  /** Goes on from the job's checkpoint. @param account checked to be usable */
  run(account: ProviderAccount, change: BulkChange, job: JobContext): Promise<BulkResult> {
    const { index, outcomes, journal } = this;
    const provider = this.providers.forAccount(account);
    return new BulkRun(account, change, job, { provider, index, outcomes, journal }).run();
  }
}
