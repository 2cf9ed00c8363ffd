import { Injectable } from '@nestjs/common';
import { ResultCache } from '../../platform/redis/result-cache';
import { Transactions } from '../../platform/database/transactions';
import { ResourceNotFound } from '../../platform/http/domain-error';
import { MailboxAccountsService } from '../../mailbox/accounts/mailbox-accounts.service';
import { MessageIndexReader } from '../../mailbox/index/message-index-reader';
import type { ProviderAccount } from '../../providers/port/mailbox-provider.port';
import type { CleanupSuggestionEntity } from './analytics.entity';
import { INTERACTIVE, keepSecondsFor, SAMPLE_SIZE } from './figures';
import { SuggestionsRepository } from './suggestions.repository';
import { findSuggestions, MIN_REPETITIONS } from './suggestions';
import { KeptFigure } from './kept-figures';
import { findRecords, inOrder } from './suggestion-order';

const MAX_LISTED = 100;
/** Number of suggestions stored: more than are listed, so that others take the place of dismissed ones. */
const MAX_STORED = 1_000;

/** A suggestion, and whether its mail may be receipts, invoices or other records. */
export interface ListedSuggestion extends CleanupSuggestionEntity {
  readonly mayBeRecords: boolean;
}

/** Cleanup suggestions of a mailbox. */
@Injectable()
export class SuggestionsService {
  constructor(
    private readonly accounts: MailboxAccountsService,
    private readonly mailbox: MessageIndexReader,
    private readonly suggestions: SuggestionsRepository,
    private readonly cache: ResultCache,
    private readonly transactions: Transactions,
  ) {}

  /** Suggestions by what is missed least, records last, without dismissed ones. @throws the 409s of an account that cannot be used */
  async list(userId: string, accountId: string, refresh: boolean): Promise<ListedSuggestion[]> {
    const account = await this.accounts.requireUsable(userId, accountId);
    // The suggestions are rows, so that dismissing one shows at once; the cache only holds that they were computed.
    await this.cache.getOrCompute([KeptFigure.Suggestions, account.id], refresh, () =>
      this.compute(account, refresh),
    );
    const open = await this.suggestions.listOpen(userId, account.id, MAX_STORED);
    const records = findRecords(open);
    return inOrder(open, records)
      .slice(0, MAX_LISTED)
      .map((suggestion) => ({ ...suggestion, mayBeRecords: records.has(suggestion) }));
  }

  /**
   * Dismisses a suggestion: it is not suggested again, even when it is found again. Can be repeated. @throws ResourceNotFound
   */
  async dismiss(userId: string, suggestionId: string): Promise<void> {
    if (!(await this.suggestions.dismissOwned(userId, suggestionId)))
      throw new ResourceNotFound('suggestion');
  }

  private async compute(
    account: ProviderAccount,
    refresh: boolean,
  ): Promise<{ value: true; keepSeconds: number }> {
    const coverage = await this.mailbox.prepare(account, { ...INTERACTIVE, newest: SAMPLE_SIZE, refresh });
    const [senders, series] = await Promise.all([
      this.mailbox.findSenders(account),
      this.mailbox.findRepeatedSubjects(account, MIN_REPETITIONS),
    ]);
    const found = findSuggestions(senders, series).slice(0, MAX_STORED);
    await this.transactions.run((transaction) => this.suggestions.replace(account, found, transaction));
    return { value: true, keepSeconds: keepSecondsFor(coverage) };
  }
}
