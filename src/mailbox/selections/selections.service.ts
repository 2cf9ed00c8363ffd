import { Injectable } from '@nestjs/common';
import { deleteInBatches } from '../../platform/database/base.repository';
import { newId } from '../../platform/crypto/ids';
import { Transactions } from '../../platform/database/transactions';
import { MailboxAccountsService } from '../accounts/mailbox-accounts.service';
import { SelectionFinder, SelectionFigures, SelectionQuery } from './selection-finder';
import { CountMismatch } from '../../platform/http/count-mismatch';
import { SelectionExpired } from './selections.errors';
import { SelectionOwner, SelectionsRepository } from './selections.repository';

const KEPT_SECONDS = 15 * 60;
/** Most selections of one user; older ones are deleted for new ones. */
const MAX_KEPT = 10;

export interface Selection extends SelectionFigures {
  readonly id: string;
  readonly expiresAt: Date;
}

/** A selection that a request names, with the number of messages that the user saw. */
export interface ConfirmedSelection {
  readonly selectionId: string;
  readonly confirmedCount: number;
}

/** Freezes the messages that queries find, so that a change affects exactly those that the user saw counted. See ADR 58. */
@Injectable()
export class SelectionsService {
  constructor(
    private readonly accounts: MailboxAccountsService,
    private readonly finder: SelectionFinder,
    private readonly selections: SelectionsRepository,
    private readonly transactions: Transactions,
  ) {}

  /**
   * @param signal aborts the search when the client disconnects
   * @throws SelectionTooLarge, MailboxDisconnected, ReauthRequired, the provider taxonomy
   */
  async create(owner: SelectionOwner, query: SelectionQuery, signal: AbortSignal): Promise<Selection> {
    const account = await this.accounts.requireUsable(owner.userId, owner.accountId);
    const { messageIds, figures } = await this.finder.find(account, query, signal);
    const id = newId();
    const expiresAt = await this.transactions.run(async (transaction) => {
      const expiry = await this.selections.insert(owner, id, messageIds, KEPT_SECONDS, transaction);
      await this.selections.keepNewest(owner.userId, MAX_KEPT, transaction);
      return expiry;
    });
    return { id, expiresAt, ...figures };
  }

  /** Returns the message ids of a selection. @throws SelectionExpired, CountMismatch */
  async findMessageIds(
    owner: SelectionOwner,
    { selectionId, confirmedCount }: ConfirmedSelection,
  ): Promise<readonly string[]> {
    const messageIds = await this.selections.findOwned(owner, selectionId);
    if (!messageIds) throw new SelectionExpired();
    if (messageIds.length !== confirmedCount) throw new CountMismatch(messageIds.length);
    return messageIds;
  }

  /** @returns number of deleted selections */
  deleteExpired(): Promise<number> {
    return deleteInBatches((limit) => this.selections.deleteExpired(limit));
  }
}
