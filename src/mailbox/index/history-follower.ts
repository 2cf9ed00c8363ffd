import { Injectable, Optional } from '@nestjs/common';
import { Transaction, Transactions } from '../../platform/database/transactions';
import {
  CallOptions,
  MailboxChange,
  MailboxProvider,
  MailboxProviders,
  MessageMetadata,
  ProviderAccount,
} from '../../providers/port/mailbox-provider.port';
import { CursorInvalid } from '../../providers/port/mail-provider.errors';
import { Arrivals, ArrivalsFetcher } from './arrivals-fetcher';
import { IndexState, IndexStatesRepository } from './index-states.repository';
import { FoldedChanges } from './folded-changes';
import { HistoryListener } from './history-listener.port';
import { MessageIndexRepository } from './message-index.repository';

/** Messages whose changes are held in memory before they are written, since the history of a week can be long. */
const MAX_FOLDED = 50_000;
const NO_ARRIVALS: Arrivals = { fetched: [], lost: false };

export interface Advance {
  /** Cursor from which to read: the stored one or an earlier one. */
  readonly from: string;
  /** The state that was read; when its cursor has moved since, nothing is written. */
  readonly state: IndexState;
  /** Messages fetched after `from`, which are stored before the changes are applied. */
  readonly fetched?: readonly MessageMetadata[];
  /** Writes further data of rows that was learnt after `from`, before the changes are applied. */
  readonly before?: (transaction: Transaction) => Promise<void>;
  /** Runs after the changes have been applied. */
  readonly after?: (transaction: Transaction) => Promise<void>;
  /** See `HistoryOptions.isLastLook`. */
  readonly isLastLook?: boolean;
  /** Called with every change, page by page. */
  readonly onChanges?: (changes: readonly MailboxChange[]) => void;
}

/** Applies the provider's change history to the index. */
@Injectable()
export class HistoryFollower {
  constructor(
    private readonly providers: MailboxProviders,
    private readonly messages: MessageIndexRepository,
    private readonly states: IndexStatesRepository,
    private readonly arrivals: ArrivalsFetcher,
    private readonly transactions: Transactions,
    @Optional() private readonly listener?: HistoryListener,
  ) {}

  /** Returns the stored state. On first use it stores the provider's present cursor, before anything is fetched. */
  async begin(account: ProviderAccount, options: CallOptions): Promise<IndexState> {
    const known = await this.states.find(account.id);
    if (known) return known;
    const { historyId } = await this.providers.forAccount(account).getProfile(options);
    await this.states.begin(account.id, historyId);
    const begun = await this.states.find(account.id);
    if (!begun) throw new CursorInvalid();
    return begun;
  }

  /**
   * Reads history from `from` to its end, brings the rows of known messages up to date, fetches those that became
   * visible if figures are wanted, and stores the new cursor, in one transaction. Starting earlier than the stored
   * cursor only replays known changes, and ends the same.
   *
   * @returns false when another process has moved the stored cursor meanwhile, so that nothing was written
   * @throws CursorInvalid when the provider has forgotten `from`
   */
  async advance(account: ProviderAccount, advance: Advance, options: CallOptions): Promise<boolean> {
    const { from, state, isLastLook } = advance;
    const folded = new FoldedChanges();
    const provider = this.providers.forAccount(account);
    let pageToken: string | undefined;
    let cursor: string;
    do {
      const page = await provider.listChanges(from, pageToken, { ...options, isLastLook });
      advance.onChanges?.(page.changes);
      folded.add(page.changes);
      ({ nextPageToken: pageToken, cursor } = page);
      // Only a read from the stored cursor is written in parts: a replay that stopped halfway would leave outdated
      // rows.
      if (from === state.cursor && pageToken && folded.size >= MAX_FOLDED) {
        if (!(await this.write(account, state, folded))) return false;
      }
    } while (pageToken);
    const arrivals = state.wanted
      ? await this.arrivals.fetch(account, folded.listArrived(), options)
      : NO_ARRIVALS;
    return this.write(account, state, folded, { cursor, advance, arrivals });
  }

  /**
   * Starts from the provider's present cursor, after it has forgotten the stored one. The labels of the rows are no
   * longer reliable, so the rows are not used until they have been compared with the mailbox. They stay, so that no
   * metadata is fetched twice.
   */
  async restart(account: ProviderAccount, state: IndexState, options: CallOptions): Promise<void> {
    const provider: MailboxProvider = this.providers.forAccount(account);
    const { historyId } = await provider.getProfile(options);
    await this.transactions.run(async (transaction) => {
      if ((await this.states.lock(account.id, transaction))?.cursor !== state.cursor) return;
      await this.messages.distrustAll(account.id, transaction);
      await this.states.recordLoss(account.id, transaction);
      await this.listener?.onCursorLost(account.id, transaction);
      await this.states.moveCursor(account.id, historyId, state.readAt, transaction);
    });
  }

  private write(
    account: ProviderAccount,
    state: IndexState,
    folded: FoldedChanges,
    end?: { cursor: string; advance: Advance; arrivals: Arrivals },
  ): Promise<boolean> {
    const accountId = account.id;
    const { labels, deleted } = folded.drain();
    return this.transactions.run(async (transaction) => {
      const stored = await this.states.lock(accountId, transaction);
      // A request for figures made meanwhile relies on new messages being indexed from here on.
      if (stored?.cursor !== state.cursor || stored.wanted !== state.wanted) return false;
      if (end) {
        await this.messages.store(accountId, end.advance.fetched ?? [], transaction);
        await this.messages.store(accountId, end.arrivals.fetched, transaction);
        await end.advance.before?.(transaction);
      }
      await this.messages.applyLabels(accountId, labels, transaction);
      await this.messages.delete(accountId, deleted, transaction);
      if (labels.length > 0 || deleted.length > 0) {
        await this.listener?.apply(account, { labels, deleted }, transaction);
      }
      if (!end) return true;
      await end.advance.after?.(transaction);
      if (end.arrivals.lost) await this.states.recordLoss(accountId, transaction);
      // The instant is that at which reading began, since later changes may be missing.
      await this.states.moveCursor(accountId, end.cursor, state.readAt, transaction);
      return true;
    });
  }
}
