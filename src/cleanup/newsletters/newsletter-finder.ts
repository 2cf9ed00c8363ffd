import { listMessageIds } from '../../providers/port/listed-message-ids';
import { Injectable } from '@nestjs/common';
import {
  CallOptions,
  MailboxProviders,
  MessageMetadata,
  ProviderAccount,
} from '../../providers/port/mailbox-provider.port';
import { senderQuery } from '../../mailbox/messages/search-text';
import type { FlaggedMessage, NewsletterTotals } from '../../mailbox/index/indexed-messages';
import { MessageFlag, senderOf } from '../../mailbox/index/message-columns';
import { MessageIndexReader } from '../../mailbox/index/message-index-reader';
import { MessageIndexService } from '../../mailbox/index/message-index.service';
import { isMailAddress } from './list-unsubscribe';

/** Labels of messages that are no newsletters: spam, trash, and mail written by the account itself. */
const NO_NEWSLETTERS_IN = new Set(['SPAM', 'TRASH', 'SENT', 'DRAFT']);

/** Finds newsletters in mailboxes whose index has been brought up to date. See ADR 12. */
@Injectable()
export class NewsletterFinder {
  constructor(
    private readonly mailbox: MessageIndexReader,
    private readonly index: MessageIndexService,
    private readonly providers: MailboxProviders,
  ) {}

  /** Senders by number of messages, in the indexed part of the mailbox. */
  async listSenders(account: ProviderAccount): Promise<NewsletterTotals[]> {
    const newsletters = await this.mailbox.findNewsletters(account);
    // A sender without an address cannot be named in the routes that list or delete its messages.
    return newsletters.filter(({ email }) => isMailAddress(email));
  }

  /**
   * All newsletters of one sender, newest first. The provider's search only gives candidates; the parsed From header decides.
   * @param address in lower case
   * @param complete whether the whole mailbox is indexed; otherwise the provider is asked for the rest
   */
  async findMessagesOf(
    account: ProviderAccount,
    address: string,
    complete: boolean,
    options: CallOptions,
  ): Promise<FlaggedMessage[]> {
    if (address === account.email.toLowerCase()) return [];
    const fetched = complete ? [] : await this.fetchUnknown(account, address, options);
    const indexed = await this.mailbox.findNewsletterMessages(account, address);
    const ids = new Set(indexed.map(({ id }) => id));
    // Fetched messages are in the index now, unless the change history was lost just then.
    return [...indexed, ...fetched.filter(({ id }) => !ids.has(id))];
  }

  /** Newsletters that are not indexed yet; fetching them adds them to the index. */
  private async fetchUnknown(
    account: ProviderAccount,
    address: string,
    options: CallOptions,
  ): Promise<FlaggedMessage[]> {
    const provider = this.providers.forAccount(account);
    const query = senderQuery(address);
    const found: FlaggedMessage[] = [];
    // The address has no letter or digit to search for: only indexed messages are found.
    if (query === null) return found;
    for await (const listed of listMessageIds(provider, { query }, options)) {
      const known = await this.index.findLabels(account.id, listed);
      const unknown = listed.filter((id) => !known.has(id));
      if (unknown.length > 0) {
        for await (const batch of this.index.readMetadata(account, unknown, options)) {
          found.push(...batch.filter((message) => isNewsletterOf(message, address)).map(toFlagged));
        }
      }
    }
    return found;
  }
}

function isNewsletterOf(
  message: Pick<MessageMetadata, 'listUnsubscribe' | 'from' | 'labelIds'>,
  address: string,
): boolean {
  return (
    message.listUnsubscribe !== null &&
    senderOf(message.from).email === address &&
    !message.labelIds.some((label) => NO_NEWSLETTERS_IN.has(label))
  );
}

function toFlagged({ id, labelIds }: Pick<MessageMetadata, 'id' | 'labelIds'>): FlaggedMessage {
  const starred = labelIds.includes('STARRED') ? MessageFlag.Starred : 0;
  const important = labelIds.includes('IMPORTANT') ? MessageFlag.Important : 0;
  return { id, flags: starred | important };
}
