import { Injectable } from '@nestjs/common';
import { BulkAction, requestChange, RunAction, targetOf } from '../../../mailbox/bulk/bulk-action';
import { BeforeFlag, type JournalChunk } from '../../../mailbox/bulk/change-journal';
import {
  LabelNotFound,
  MessageNotFound,
  ProviderRejected,
} from '../../../providers/port/mail-provider.errors';
import {
  type CallOptions,
  MailboxProvider,
  MailboxProviders,
  ProviderAccount,
} from '../../../providers/port/mailbox-provider.port';
import { MessageIndexService } from '../../../mailbox/index/message-index.service';
import type { MovableItem } from '../plans/offload-items.repository';
import { OffloadItemsRepository } from '../plans/offload-items.repository';
import type { OffloadPlan } from '../plans/offload-plan';
import type { PlanProgress } from '../plans/offload-plans.repository';
import { watchHistory } from './history-watch';
import { LabelChanges } from './label-changes';
import { type EvidenceOptions, TrashEvidence, TrashVerdict, verdictByLabels } from './trash-evidence';
import { delay } from '../../../platform/concurrency/timers';

/** Minutes for which a verification is valid; a copy verified earlier is read again before its message is moved. */
export const VERIFIED_MINUTES = 10;

export interface OutcomeOptions {
  /** Whether the move of messages that are still there may be requested again: their copies are held. */
  readonly mayRepeat: boolean;
  readonly signal: AbortSignal;
  /** Checked before a repeated request, see `CallOptions.fence`. */
  readonly fence?: () => void;
}

/** Pauses of offloads, in milliseconds; tests inject shorter ones. */
export class OffloadTimings {
  /** Pause before messages are read of which the history shows no outcome. */
  readonly historyLagMs: number = 500;
  /** Pauses before the move is requested again. */
  readonly retriesMs: readonly number[] = [500, 2_000];
  /** Time for the outcomes of a batch that is being moved after its job was cancelled or stopped. */
  readonly graceMs: number = 30_000;
  /** Time for the outcomes of one plan on which no job works. */
  readonly lateMs: number = 60_000;
}

/** Outcome of a message; `again`: it was not moved, and its copy has to be verified again first. */
export interface ItemOutcome {
  readonly item: MovableItem;
  readonly outcome: 'trashed' | 'again' | 'gone' | 'changed-meanwhile' | 'refused';
}

export interface MoveOutcomes {
  readonly items: readonly ItemOutcome[];
  /** Journal chunk that undoes the move of the messages in the trash; null: there are none. */
  readonly undo: JournalChunk | null;
  /** Changes to other messages in the history read. */
  readonly others: LabelChanges;
  readonly cursor: string;
  readonly complete: boolean;
}

interface Known {
  readonly verdict: TrashVerdict;
  readonly wasInInbox: boolean;
}

/** Moves messages to the trash, and finds out which of them arrived there. No other part of an offload changes a mailbox. */
@Injectable()
export class TrashMover {
  constructor(
    private readonly providers: MailboxProviders,
    private readonly index: MessageIndexService,
    private readonly items: OffloadItemsRepository,
    private readonly timings: OffloadTimings,
  ) {}

  /** Requests the move in one call. A refusal by the provider shows in the history, or in the messages themselves. */
  async request(
    provider: MailboxProvider,
    items: readonly MovableItem[],
    { signal, fence }: Pick<CallOptions, 'signal' | 'fence'>,
  ): Promise<void> {
    try {
      await provider.trash(
        items.map(({ messageId }) => messageId),
        { priority: 'background', signal, fence },
      );
    } catch (error) {
      const isRefused =
        error instanceof MessageNotFound ||
        error instanceof LabelNotFound ||
        error instanceof ProviderRejected;
      if (!isRefused) throw error;
    }
  }

  /** Current labels, by message id; the provider is asked for each message. */
  async readLabels(
    account: ProviderAccount,
    items: readonly MovableItem[],
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, readonly string[]>> {
    const labels = new Map<string, readonly string[]>();
    const ids = items.map(({ messageId }) => messageId);
    for await (const messages of this.index.refresh(account, ids, { priority: 'background', signal })) {
      for (const { id, labelIds } of messages) labels.set(id, labelIds);
    }
    return labels;
  }

  /**
   * Finds out the outcomes of messages that were to be moved: by the history since just before the move, and where it does not
   * show them by the messages themselves. The move of messages that are still there is requested again while their verification
   * is valid. Messages that others have starred or moved since are taken out of the trash. Can be repeated.
   */
  async resolveOutcomes(
    account: ProviderAccount,
    plan: OffloadPlan,
    { cursor: since, batches }: PlanProgress,
    moving: readonly MovableItem[],
    { mayRepeat, signal, fence }: OutcomeOptions,
  ): Promise<MoveOutcomes> {
    const provider = this.providers.forAccount(account);
    const options: EvidenceOptions = { labelsAreFolders: await provider.labelsAreFolders() };
    const ids = new Set(moving.map(({ messageId }) => messageId));
    const others = new LabelChanges((id) => !ids.has(id));
    const evidence = new TrashEvidence(moving, options);
    const state = { cursor: since, seen: since, complete: true };
    const follow = async (): Promise<void> => {
      const watched = await watchHistory(
        { index: this.index, provider },
        account,
        state.cursor,
        (changes) => {
          evidence.add(changes);
          others.add(changes);
        },
        { signal, isLastLook: true, lagMs: this.timings.historyLagMs },
      );
      state.complete &&= watched.complete;
      Object.assign(state, { cursor: watched.cursor, seen: watched.seen });
    };
    await follow();
    const known = new Map<string, Known>();
    const note = (items: readonly MovableItem[]): MovableItem[] =>
      items.filter(({ messageId }) => {
        const verdict = evidence.verdictOn(messageId);
        if (verdict !== 'open')
          known.set(messageId, { verdict, wasInInbox: evidence.hasLeftInbox(messageId) });
        return verdict === 'open';
      });
    const outcomes = new Map<string, ItemOutcome['outcome']>();
    let open = note(moving);
    if (open.length > 0 && state.complete) {
      // The history may lag behind the change by a moment.
      await delay(this.timings.historyLagMs, undefined, { signal });
      await follow();
      open = note(open);
    }
    for (let attempt = 0; open.length > 0; attempt += 1) {
      open = await this.readOpen(account, open, known, options, signal);
      const pause = this.timings.retriesMs[attempt];
      if (open.length === 0) break;
      if (pause === undefined) {
        for (const { messageId } of open) outcomes.set(messageId, 'refused');
        break;
      }
      const positions = mayRepeat ? open.map(({ position }) => position) : [];
      const fresh = await this.items.findFreshlyVerified(plan, positions, VERIFIED_MINUTES);
      for (const { messageId, position } of open) if (!fresh.has(position)) outcomes.set(messageId, 'again');
      open = open.filter(({ position }) => fresh.has(position));
      if (open.length === 0) break;
      await delay(pause, undefined, { signal });
      await this.request(provider, open, { signal, fence });
      await follow();
      open = note(open);
    }
    await this.untrash(provider, known, signal);
    for (const [messageId, { verdict }] of known) outcomes.set(messageId, OUTCOMES[verdict]);
    const resolved = moving.map((item) => ({ item, outcome: outcomes.get(item.messageId) ?? 'again' }));
    const undo = undoOf(batches, resolved, known, state.seen);
    return { items: resolved, undo, others, cursor: state.cursor, complete: state.complete };
  }

  /** Reads messages whose outcome is open. @returns those that the mailbox has, unchanged, outside of the trash */
  private async readOpen(
    account: ProviderAccount,
    items: readonly MovableItem[],
    known: Map<string, Known>,
    options: EvidenceOptions,
    signal: AbortSignal,
  ): Promise<MovableItem[]> {
    const labels = await this.readLabels(account, items, signal);
    return items.filter(({ messageId, labels: planned }) => {
      const now = labels.get(messageId);
      const verdict = now ? verdictByLabels(planned, now, options) : 'gone';
      if (verdict !== 'open') known.set(messageId, { verdict, wasInInbox: planned.includes('INBOX') });
      return verdict === 'open';
    });
  }

  private async untrash(
    provider: MailboxProvider,
    known: ReadonlyMap<string, Known>,
    signal: AbortSignal,
  ): Promise<void> {
    for (const wasInInbox of [true, false]) {
      const ids = [...known].flatMap(([id, each]) =>
        each.verdict === 'to-untrash' && each.wasInInbox === wasInInbox ? [id] : [],
      );
      if (ids.length === 0) continue;
      const action = wasInInbox ? RunAction.UntrashToInbox : RunAction.Untrash;
      await requestChange(provider, action, targetOf(action), ids, { priority: 'background', signal });
    }
  }
}

function undoOf(
  chunk: number,
  resolved: readonly ItemOutcome[],
  known: ReadonlyMap<string, Known>,
  cursor: string,
): JournalChunk | null {
  const messages = resolved.flatMap(({ item: { messageId: id }, outcome }) =>
    outcome === 'trashed' ? [{ id, before: known.get(id)?.wasInInbox ? BeforeFlag.Inbox : 0 }] : [],
  );
  return messages.length === 0 ? null : { action: BulkAction.Trash, chunk, messages, cursor };
}

const OUTCOMES: Readonly<Record<TrashVerdict, ItemOutcome['outcome']>> = {
  trashed: 'trashed',
  'to-untrash': 'changed-meanwhile',
  changed: 'changed-meanwhile',
  gone: 'gone',
  open: 'again',
};
