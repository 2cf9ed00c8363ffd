import { Injectable } from '@nestjs/common';
import type { CallOptions, ProviderAccount } from '../../providers/port/mailbox-provider.port';
import { READ_MAX_AGE_MS } from './message-index.service';
import { MailboxTotals, MailboxTotalsRepository, SenderTotal } from './mailbox-totals.repository';
import { NewestMessages } from './newest-messages';
import type {
  FlaggedMessage,
  MessageWithParts,
  NewsletterTotals,
  RepeatedSubject,
  SampledMessage,
  SenderTotals,
} from './indexed-messages';
import { IndexedMessagesRepository } from './indexed-messages.repository';

export interface Coverage {
  /** Whether every message but spam and trash is indexed; if not, the rest is being indexed in the background. */
  readonly complete: boolean;
}

export interface ReadyOptions extends CallOptions {
  /** How many of the newest messages must be indexed, at most 5,000. */
  readonly newest: number;
  /** Asks the provider what is new, however short the last time is ago. */
  readonly refresh?: boolean;
}

/**
 * Figures about a live mailbox. Call `ready` first: it brings the index up to date and indexes the missing ones
 * of the newest messages; the reads then ask the database only.
 */
@Injectable()
export class MessageIndexReader {
  constructor(
    private readonly newestMessages: NewestMessages,
    private readonly messages: IndexedMessagesRepository,
    private readonly totalsOf: MailboxTotalsRepository,
  ) {}

  /**
   * Follows the change history, makes sure that the newest messages are indexed, and has the rest of the mailbox
   * indexed in the background.
   * @throws the provider taxonomy
   */
  async ready(account: ProviderAccount, options: ReadyOptions): Promise<Coverage> {
    const { newest, refresh, ...call } = options;
    const maxAgeMs = refresh ? 0 : READ_MAX_AGE_MS;
    return { complete: await this.newestMessages.ensure(account, newest, { ...call, maxAgeMs }) };
  }

  /** The newest messages but spam and trash, newest first; fewer when the mailbox has no more. */
  newest(account: ProviderAccount, limit: number): Promise<SampledMessage[]> {
    return this.messages.newest(account.id, limit);
  }

  /** Senders other than the account itself, by number of messages. */
  senders(account: ProviderAccount): Promise<SenderTotals[]> {
    return this.messages.senders(account.id, account.email);
  }

  /** Senders of messages with a List-Unsubscribe header, by number of such messages. */
  newsletters(account: ProviderAccount): Promise<NewsletterTotals[]> {
    return this.messages.newsletters(account.id, account.email);
  }

  /** Messages with a List-Unsubscribe header of exactly this sender, in any case; newest first. */
  newsletterMessages(account: ProviderAccount, senderEmail: string): Promise<FlaggedMessage[]> {
    return this.messages.newsletterMessages(account.id, senderEmail);
  }

  /** Series of at least so many messages of one sender whose subjects follow one pattern. */
  repeatedSubjects(account: ProviderAccount, atLeast: number): Promise<RepeatedSubject[]> {
    return this.messages.repeatedSubjects(account.id, account.email, atLeast);
  }

  /** The newest messages above 100 KiB with attachments, newest first. */
  withLargeAttachments(account: ProviderAccount, limit: number): Promise<MessageWithParts[]> {
    return this.messages.withLargeAttachments(account.id, limit);
  }

  /** Of these messages the indexed ones but spam and trash, newest first. */
  withParts(account: ProviderAccount, ids: readonly string[]): Promise<MessageWithParts[]> {
    return this.messages.withParts(account.id, ids);
  }

  /** Indexed messages but spam and trash. */
  count(account: ProviderAccount): Promise<number> {
    return this.messages.count(account.id);
  }

  /** Over everything that is indexed. */
  totals(account: ProviderAccount): Promise<MailboxTotals> {
    return this.totalsOf.totals(account.id);
  }

  /** Senders other than the account itself, those of most messages first. */
  topSenders(account: ProviderAccount, limit: number): Promise<SenderTotal[]> {
    return this.totalsOf.topSenders(account.id, account.email, limit);
  }

  /** The largest messages first. */
  largest(account: ProviderAccount, limit: number): Promise<SampledMessage[]> {
    return this.totalsOf.largest(account.id, limit);
  }

  /** @returns how many messages carry each label, by the label's id */
  labels(account: ProviderAccount): Promise<Map<string, number>> {
    return this.totalsOf.labels(account.id);
  }

  /** @returns how many messages arrived from each of these instants to the next, by their places */
  since(account: ProviderAccount, starts: readonly Date[]): Promise<Map<number, number>> {
    return this.totalsOf.since(account.id, starts);
  }
}
