import { Injectable } from '@nestjs/common';
import type { CallOptions, ProviderAccount } from '../../providers/port/mailbox-provider.port';
import { READ_MAX_AGE_MS } from './message-index.service';
import { MailboxTotals, MailboxTotalsRepository, SenderTotal } from './mailbox-totals.repository';
import { NewestMessages } from './newest-messages';
import type {
  FlaggedMessage,
  MessageWithParts,
  NewsletterTotals,
  RecentSender,
  RepeatedSubject,
  SampledMessage,
  SenderTotals,
} from './indexed-messages';
import { IndexedMessagesRepository } from './indexed-messages.repository';

export type { MailboxTotals } from './mailbox-totals.repository';

export interface Coverage {
  /** Whether every message except spam and trash is indexed. If not, the rest is being indexed in the background. */
  readonly complete: boolean;
}

export interface ReadyOptions extends CallOptions {
  /** Number of the newest messages that must be indexed, at most 5,000. */
  readonly newest: number;
  /** Whether to ask the provider for changes even if it was asked a moment ago. */
  readonly refresh?: boolean;
}

/**
 * Reads figures of a live mailbox. Callers call `prepare` first, which brings the index up to date and indexes missing
 * ones of the newest messages; the other methods only ask the database.
 */
@Injectable()
export class MessageIndexReader {
  constructor(
    private readonly newestMessages: NewestMessages,
    private readonly messages: IndexedMessagesRepository,
    private readonly totalsOf: MailboxTotalsRepository,
  ) {}

  /**
   * Follows the change history, indexes the newest messages, and starts indexing the rest of the mailbox in the
   * background.
   * @throws the provider taxonomy
   */
  async prepare(account: ProviderAccount, options: ReadyOptions): Promise<Coverage> {
    const { newest, refresh, ...call } = options;
    const maxAgeMs = refresh ? 0 : READ_MAX_AGE_MS;
    return { complete: await this.newestMessages.ensure(account, newest, { ...call, maxAgeMs }) };
  }

  /** Lists the newest messages except spam and trash, newest first; fewer when the mailbox has no more. */
  listNewest(account: ProviderAccount, limit: number): Promise<SampledMessage[]> {
    return this.messages.listNewest(account.id, limit);
  }

  /**
   * Finds senders of the newest indexed messages by the beginning of a word of their names and addresses, as far as messages are
   * indexed. Callers have checked the owner, and need not have called `prepare`.
   */
  findRecentSenders(accountId: string, text: string, limit: number): Promise<RecentSender[]> {
    return this.messages.findRecentSenders(accountId, text, limit);
  }

  /** Lists senders other than the account itself, by number of messages. */
  findSenders(account: ProviderAccount): Promise<SenderTotals[]> {
    return this.messages.findSenders(account.id, account.email);
  }

  /** Lists senders of messages with a List-Unsubscribe header, by number of such messages. */
  findNewsletters(account: ProviderAccount): Promise<NewsletterTotals[]> {
    return this.messages.findNewsletters(account.id, account.email);
  }

  /** Lists messages of exactly this sender, in any case, with a List-Unsubscribe header, newest first. */
  findNewsletterMessages(account: ProviderAccount, senderEmail: string): Promise<FlaggedMessage[]> {
    return this.messages.findNewsletterMessages(account.id, senderEmail);
  }

  /** Lists series of at least `atLeast` messages of one sender whose subjects follow one pattern. */
  findRepeatedSubjects(account: ProviderAccount, atLeast: number): Promise<RepeatedSubject[]> {
    return this.messages.findRepeatedSubjects(account.id, account.email, atLeast);
  }

  /** Lists the newest messages above 100 KiB with attachments, newest first. */
  listWithLargeAttachments(account: ProviderAccount, limit: number): Promise<MessageWithParts[]> {
    return this.messages.listWithLargeAttachments(account.id, limit);
  }

  /** Lists those of the messages that are indexed, except spam and trash, newest first. */
  findWithParts(account: ProviderAccount, ids: readonly string[]): Promise<MessageWithParts[]> {
    return this.messages.findWithParts(account.id, ids);
  }

  /** Counts the indexed messages except spam and trash. */
  count(account: ProviderAccount): Promise<number> {
    return this.messages.count(account.id);
  }

  /** Computes totals of all indexed messages except spam and trash. */
  findTotals(account: ProviderAccount): Promise<MailboxTotals> {
    return this.totalsOf.findTotals(account.id);
  }

  /** Lists senders other than the account itself, those with the most messages first. */
  findTopSenders(account: ProviderAccount, limit: number): Promise<SenderTotal[]> {
    return this.totalsOf.findTopSenders(account.id, account.email, limit);
  }

  /** Lists the largest messages first. */
  listLargest(account: ProviderAccount, limit: number): Promise<SampledMessage[]> {
    return this.totalsOf.listLargest(account.id, limit);
  }

  /** @returns number of messages with each label, by the label's id */
  countByLabel(account: ProviderAccount): Promise<Map<string, number>> {
    return this.totalsOf.countByLabel(account.id);
  }

  /** @returns number of messages that arrived from each of these instants to the next, by its index */
  countSince(account: ProviderAccount, starts: readonly Date[]): Promise<Map<number, number>> {
    return this.totalsOf.countSince(account.id, starts);
  }
}
