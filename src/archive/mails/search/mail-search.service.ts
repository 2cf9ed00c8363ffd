import { Injectable } from '@nestjs/common';
import { ArchivedMailsRepository } from '../archived-mails.repository';
import type { IndexGaps } from '../index-ledger/index-gaps';
import { IndexGapsRepository } from '../index-ledger/index-gaps.repository';
import { type MailFilter, mailFilter } from '../mail-filter';
import { type ListedMail, type ListedPage, MailListsRepository } from '../mail-lists.repository';
import { type KnownSender, KnownSendersRepository } from './known-senders.repository';
import { type FilePage, MailMatchesRepository } from './mail-matches.repository';

export type { KnownSender } from './known-senders.repository';
export type { ListedMail } from '../mail-lists.repository';

/** Searches one archive for a search that looks at the live mailbox as well. Callers have checked the owner. */
@Injectable()
export class MailSearchService {
  constructor(
    private readonly lists: MailListsRepository,
    private readonly gaps: IndexGapsRepository,
    private readonly matches: MailMatchesRepository,
    private readonly mails: ArchivedMailsRepository,
    private readonly senders: KnownSendersRepository,
  ) {}

  /**
   * The newest mails that match.
   * @param q words as `GET archive/:accountId` takes them
   * @throws ValidationFailed
   */
  findNewest(accountId: string, q: string, limit: number): Promise<ListedPage> {
    return this.lists.findPage(accountId, filterOf(q), { offset: 0, limit });
  }

  /** Mails of an archive that a search may miss. */
  countGaps(accountId: string): Promise<IndexGaps> {
    return this.gaps.count(accountId);
  }

  /** Senders by the beginning of a word of their names and addresses, those with most mails first. */
  findSenders(accountId: string, text: string, limit: number): Promise<KnownSender[]> {
    return this.senders.find(accountId, text, limit);
  }

  /** The archived copies of messages, by the id of the message. */
  async findCopies(accountId: string, messageIds: readonly string[]): Promise<Map<string, ListedMail>> {
    const mails = await this.lists.findByMessageIds(accountId, messageIds);
    return new Map(mails.map((mail) => [mail.mailbox_message_id, mail]));
  }

  /** The names of the files of mails, by the mail's id. */
  async findFileNames(accountId: string, mailIds: readonly string[]): Promise<Map<string, string[]>> {
    const names = new Map<string, string[]>();
    for (const { mailId, filename } of await this.mails.attachmentsOf(accountId, mailIds))
      names.set(mailId, [...(names.get(mailId) ?? []), filename]);
    return names;
  }

  /** The page in the files of each mail that fits the words of a search best. */
  findFilePages(accountId: string, q: string, mailIds: readonly string[]): Promise<FilePage[]> {
    return this.matches.findFilePages(accountId, filterOf(q), mailIds);
  }

  /** The ids of those of the messages whose archived copy matches. */
  findMatching(accountId: string, q: string, messageIds: readonly string[]): Promise<Set<string>> {
    return this.matches.findMatching(accountId, filterOf(q), messageIds);
  }

  /** The fit of each of the mails with the words of a search; mails without words, e.g. encrypted ones, have no rank. */
  rank(accountId: string, q: string, mailIds: readonly string[]): Promise<Map<string, number>> {
    return this.matches.rank(accountId, filterOf(q), mailIds);
  }
}

const filterOf = (q: string): MailFilter => mailFilter({ q });
