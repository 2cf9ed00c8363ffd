import type { JobContext } from '../../platform/jobs/job-definition';
import { BatchContext, BatchProgress, countIn } from '../../platform/jobs/batch-context';
import type {
  CallOptions,
  MailboxProvider,
  ProviderAccount,
} from '../../providers/port/mailbox-provider.port';
import type { MessageIndexService } from '../index/message-index.service';
import { BulkAction, targetOf } from './bulk-action';
import type { BulkChanger } from './bulk-changer';
import { BeforeFlag, JournalChunk, MadeChange } from './change-journal';
import { inverseOf } from './inverse-change';
import { SubsequentChanges, WatchedChange } from './subsequent-changes';
import type { OutcomeCheck } from './outcome-check';
import { unpackPositions, SavedPositions, packPositions } from './positions';

/** Chunk numbers reserved for a batch, more than one batch writes to the journal. */
const CHUNKS_PER_BATCH = 100;

/** Counts of the outcomes for the messages that a job had changed. They add up to the number of messages. */
export interface UndoCounts {
  /** Messages that are restored to their former state. */
  restored: number;
  /** Messages that were in their former state already, because another program has undone the change. */
  alreadyBack: number;
  /** Messages that were changed in the same way again since. They stay as they are. */
  changedSince: number;
  /** Messages that the mailbox no longer has. */
  gone: number;
  /** Messages whose label has been deleted. */
  labelGone: number;
  /** Messages whose former state is not known. They are taken out of the trash, or else stay as they are. */
  unknownBefore: number;
  /** Messages that the provider refused to change. */
  refused: number;
}

export interface UndoResult extends UndoCounts {
  readonly [fact: string]: unknown;
  /** Knowledge of changes by others: `history`: all of them; `state`: only the present state of the messages. */
  readonly evidence: 'history' | 'state';
  /** Messages of an interrupted run of which it is not known whether they are restored. */
  readonly unknown?: number;
}

/** A message to restore, and the change that does it. */
interface Entry extends WatchedChange {
  readonly before: number;
  /** The change that restores the message; null: it stays as it is. */
  readonly inverse: MadeChange | null;
}

type Exclusion = 'alreadyBack' | 'changedSince' | 'gone' | 'labelGone' | 'unknownBefore';

/** State in the checkpoint, with which another process can go on. */
interface UndoState {
  evidence: 'history' | 'state';
  /** Cursor up to which the history was searched for changes by others. */
  cursor: string;
  /** Indexes in `entries` of messages that stay as they are. */
  excluded: SavedPositions;
  /** Index in `entries` of the last message that is done. */
  after: number;
  batches: number;
  batch: (BatchProgress & { readonly last: number }) | null;
  readonly counts: UndoCounts;
}

export interface UndoChangesServices {
  readonly provider: MailboxProvider;
  readonly index: MessageIndexService;
  readonly outcomes: OutcomeCheck;
  readonly bulk: BulkChanger;
}

/**
 * Undoes the changes of a job. First it determines which messages others have changed since, which stay as they are;
 * then it makes the inverse changes in batches of one kind. An attempt that continues from a checkpoint checks the
 * remaining messages again.
 */
export class UndoChangesRun {
  private readonly entries: readonly Entry[];
  private excluded = new Set<number>();
  private state: UndoState;

  constructor(
    private readonly account: ProviderAccount,
    chunks: readonly JournalChunk[],
    private readonly job: JobContext,
    private readonly services: UndoChangesServices,
  ) {
    this.entries = entriesOf(chunks);
  }

  async run(): Promise<UndoResult> {
    this.job.setTotal(this.entries.length);
    const saved = this.job.savedCheckpoint<UndoState>();
    if (saved) {
      this.state = saved;
      this.excluded = new Set(unpackPositions(saved.excluded));
      await this.excludeChanged((saved.batch?.last ?? saved.after) + 1, saved.cursor);
    } else {
      await this.begin();
    }
    while (this.prepareBatch()) await this.actOnBatch();
    return { ...this.state.counts, evidence: this.state.evidence };
  }

  private async begin(): Promise<void> {
    const counts = {
      restored: 0,
      alreadyBack: 0,
      changedSince: 0,
      gone: 0,
      labelGone: 0,
      unknownBefore: 0,
      refused: 0,
    };
    const [first] = this.entries;
    const isLater = this.services.provider.isLater.bind(this.services.provider);
    const cursor = this.entries.reduce(
      (earliest, entry) => (isLater(earliest, entry.cursor) ? entry.cursor : earliest),
      first?.cursor ?? '',
    );
    this.state = { evidence: 'history', cursor, excluded: [], after: -1, batches: 0, batch: null, counts };
    if (!first) return;
    await this.excludeLabelGone();
    this.entries.forEach(({ inverse }, position) => {
      if (!inverse) this.exclude(position, 'unknownBefore');
    });
    await this.excludeChanged(0, undefined);
    await this.save();
  }

  /** Excludes messages whose label was deleted, which the history does not show. */
  private async excludeLabelGone(): Promise<void> {
    const isOfLabel = ({ action }: Entry): boolean =>
      [BulkAction.Label, BulkAction.Unlabel, BulkAction.Move].some((known) => known === action);
    if (!this.entries.some(isOfLabel)) return;
    const labels = await this.services.provider.listLabels(this.background());
    const known = new Set(labels.map(({ id }) => id));
    this.entries.forEach((entry, position) => {
      if (isOfLabel(entry) && !known.has(entry.labelId ?? '')) this.exclude(position, 'labelGone');
    });
  }

  /**
   * Excludes messages that others have changed since.
   * @param from index of the first message to check
   * @param since cursor from which to search; undefined: the one at which each message was changed
   */
  private async excludeChanged(from: number, since: string | undefined): Promise<void> {
    const { provider, index } = this.services;
    const isLater = provider.isLater.bind(provider);
    const positions = this.listRemaining(from);
    if (positions.length === 0) return;
    const watched = positions.map((position) => this.entries[position]!);
    const subsequent = new SubsequentChanges(
      since === undefined ? watched : watched.map((entry) => ({ ...entry, cursor: since })),
      isLater,
    );
    const followed = await index.followFrom(
      this.account,
      this.state.cursor,
      (changes) => subsequent.add(changes),
      this.background(),
    );
    this.state.cursor = followed.cursor;
    for (const position of positions) {
      const later = subsequent.changeOf(this.entries[position]!.id);
      if (later === 'gone') this.exclude(position, 'gone');
      else if (later === 'taken-back') this.exclude(position, 'alreadyBack');
      else if (later === 'made-again') this.exclude(position, 'changedSince');
    }
    if (!followed.complete) await this.excludeByState(this.listRemaining(from));
  }

  /** Excludes messages by their present state, since the history is lost. */
  private async excludeByState(positions: readonly number[]): Promise<void> {
    this.state.evidence = 'state';
    for (const group of groupsOf(positions, (position) => keyOf(this.entries[position]!))) {
      const { action, labelId } = this.entries[group[0]!]!;
      const ids = group.map((position) => this.entries[position]!.id);
      const { outcomes } = this.services;
      const now = await outcomes.fetchActualState(
        this.account,
        ids,
        targetOf(action, labelId),
        this.background(),
      );
      for (const position of group) {
        const { id } = this.entries[position]!;
        if (now.missing.has(id)) this.exclude(position, 'gone');
        else if (!now.met.has(id)) this.exclude(position, 'alreadyBack');
      }
    }
  }

  /** Excludes a message, and counts why. @param position index in `entries` */
  private exclude(position: number, outcome: Exclusion): void {
    if (this.excluded.has(position)) return;
    const { id } = this.entries[position]!;
    this.excluded.add(position);
    this.state.counts[outcome] += 1;
    if (outcome === 'alreadyBack') this.job.progress({ processed: 1 });
    else {
      const { code, reason } = REASONS[outcome];
      this.job.fail(id, code, reason);
    }
  }

  /** Returns the indexes, from this one on, of the messages that are not excluded. */
  private listRemaining(from: number): number[] {
    const positions: number[] = [];
    for (let position = from; position < this.entries.length; position += 1)
      if (!this.excluded.has(position)) positions.push(position);
    return positions;
  }

  /** @returns false when all messages are done */
  private prepareBatch(): boolean {
    this.job.throwIfCancelled();
    const { state } = this;
    if (state.batch) return true;
    const [next] = this.listRemaining(state.after + 1);
    if (next === undefined) return false;
    const positions = this.batchAt(next);
    state.batch = { last: positions.at(-1)!, inner: null, failed: [] };
    return true;
  }

  /** Returns indexes of messages of one kind from this one on, at most as many as the provider changes in a call. */
  private batchAt(first: number, last = this.entries.length - 1): number[] {
    const key = batchKeyOf(this.entries[first]!);
    const positions: number[] = [];
    for (let position = first; position <= last; position += 1) {
      if (this.excluded.has(position)) continue;
      if (batchKeyOf(this.entries[position]!) !== key) break;
      positions.push(position);
      if (positions.length === this.services.provider.maxIdsPerChange) break;
    }
    return positions;
  }

  private async actOnBatch(): Promise<void> {
    const { state, job } = this;
    const { counts } = state;
    const batch = state.batch!;
    const [first] = this.listRemaining(state.after + 1);
    const positions = this.batchAt(first!, batch.last);
    const { inverse, before } = this.entries[positions[0]!]!;
    const brought = before & BeforeFlag.Unknown ? 'unknownBefore' : 'restored';
    const context = new BatchContext(
      job,
      batch,
      () => this.save(),
      (outcome) => job.report(this.resultSoFar(brought, outcome)),
    );
    const change = {
      ...inverse!,
      messageIds: positions.map((position) => this.entries[position]!.id),
      firstChunk: state.batches * CHUNKS_PER_BATCH,
    };
    const outcome = await this.services.bulk.change(this.account, change, context);
    counts[brought] += outcome.changed;
    counts.alreadyBack += outcome.alreadyDone;
    counts.gone += outcome.notFound;
    counts.refused += outcome.refused;
    state.after = batch.last;
    state.batches += 1;
    state.batch = null;
    await this.save();
  }

  /**
   * Computes the result while a batch is under way, which remains when the run is interrupted.
   * @param brought the count to which the batch's changes belong
   */
  private resultSoFar(
    brought: 'restored' | 'unknownBefore',
    outcome: Readonly<Record<string, unknown>>,
  ): UndoResult {
    const { counts, evidence } = this.state;
    const unknown = countIn(outcome, 'unknown');
    return {
      ...counts,
      [brought]: counts[brought] + countIn(outcome, 'changed'),
      alreadyBack: counts.alreadyBack + countIn(outcome, 'alreadyDone'),
      gone: counts.gone + countIn(outcome, 'notFound'),
      refused: counts.refused + countIn(outcome, 'refused'),
      ...(unknown > 0 && { unknown }),
      evidence,
    };
  }

  private save(): Promise<void> {
    this.state.excluded = packPositions([...this.excluded].sort((a, b) => a - b));
    this.job.report({ ...this.state.counts, evidence: this.state.evidence });
    return this.job.checkpoint(this.state);
  }

  private background(): CallOptions {
    return { priority: 'background', signal: this.job.signal };
  }
}

const REASONS: Readonly<
  Record<Exclude<Exclusion, 'alreadyBack'>, { readonly code: string; readonly reason: string }>
> = {
  changedSince: {
    code: 'changed-since',
    reason: 'The message was changed again since, so it stays as it is.',
  },
  gone: { code: 'message-not-found', reason: 'The mailbox no longer has this message.' },
  labelGone: { code: 'label-not-found', reason: 'The label has been deleted.' },
  unknownBefore: {
    code: 'unknown-before',
    reason: 'It is not known what this message was like before, so it stays as it is.',
  },
};

const keyOf = ({ action, labelId }: MadeChange): string => `${action} ${labelId ?? ''}`;

/** Returns a key that is equal for messages that one call can change and one count includes. */
const batchKeyOf = ({ inverse, before }: Entry): string =>
  `${inverse ? keyOf(inverse) : ''} ${before & BeforeFlag.Unknown}`;

function groupsOf<T>(items: readonly T[], keyOfItem: (item: T) => string): T[][] {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const key = keyOfItem(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return [...groups.values()];
}

/** Returns the messages of a journal, each once with its last change, grouped by batch. */
function entriesOf(chunks: readonly JournalChunk[]): Entry[] {
  const byId = new Map<string, Entry>();
  for (const { action, labelId, cursor, messages } of chunks)
    for (const { id, before } of messages)
      byId.set(id, { id, action, labelId, cursor, before, inverse: inverseOf({ action, labelId }, before) });
  return groupsOf([...byId.values()], batchKeyOf).flat();
}

/** Computes the most calls that undoing a journal needs. @param maxIdsPerChange the provider's limit */
export function countChangeCalls(chunks: readonly JournalChunk[], maxIdsPerChange: number): number {
  return groupsOf(
    entriesOf(chunks).filter(({ inverse }) => inverse),
    batchKeyOf,
  ).reduce((calls, group) => calls + Math.ceil(group.length / maxIdsPerChange), 0);
}

/** Counts the messages of a journal. */
export function countMessages(chunks: readonly JournalChunk[]): number {
  return entriesOf(chunks).length;
}
