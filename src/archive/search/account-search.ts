import { Injectable } from '@nestjs/common';
import type { DomainError } from '../../platform/http/domain-error';
import type { MessageMetadata } from '../../providers/port/mailbox-provider.port';
import type { IndexGaps } from '../mails/index-ledger/index-gaps';
import { type ListedMail, MailSearchService } from '../mails/search/mail-search.service';
import type { SearchPlace, SearchSort } from './dto/search.dto';
import { rankMetadata } from './excerpts/metadata-rank';
import { type SoughtTerm, soughtTerms } from './excerpts/sought-terms';
import type { FoundMessage } from './found-message';
import { LiveSearch, type LiveMatches, type NotSearched } from './live-search';

/** Mails that a search by relevance ranks: the newest that match. */
export const MAX_RANKED = 1_000;
/** Messages that are only in the mailbox that a search by relevance ranks: their metadata may have to be asked for. */
const MAX_RANKED_LIVE = 100;

export interface AccountQuery {
  readonly userId: string;
  readonly accountId: string;
  readonly q: string;
  readonly place: SearchPlace;
  readonly sort: SearchSort;
  /** Messages up to the end of the page. */
  readonly end: number;
  /** Whether the live mailbox is asked again. */
  readonly refresh: boolean;
  readonly signal: AbortSignal;
}

/** The messages of one mailbox and its archive that match. */
export interface AccountMatches {
  /** Not sorted; those of the page are among them. */
  readonly found: readonly FoundMessage[];
  readonly total: number;
  readonly isTotalExact: boolean;
  /** Why the live mailbox was not searched; null: it was, or was not asked for. */
  readonly notSearched: DomainError | null;
  /** Mails of the archive that the search may miss; null: it was not searched. */
  readonly gaps: IndexGaps | null;
}

const NO_MATCHES: LiveMatches = { messageIds: [], hasMore: false };

/** Searches one mailbox and its archive as one list, in which each message is once. */
@Injectable()
export class AccountSearch {
  constructor(
    private readonly archive: MailSearchService,
    private readonly live: LiveSearch,
  ) {}

  /** @throws ValidationFailed; SearchTermNotSupported of the archive */
  async search(query: AccountQuery): Promise<AccountMatches> {
    const { userId, accountId, q, place, sort, end, refresh, signal } = query;
    const depth = sort === 'relevance' ? MAX_RANKED : end;
    const [archived, answer, gaps] = await Promise.all([
      place === 'mailbox' ? { mails: [], total: 0 } : this.archive.findNewest(accountId, q, depth),
      place === 'archive' ? NO_MATCHES : this.live.find(userId, accountId, q, { refresh, signal }),
      place === 'mailbox' ? null : this.archive.countGaps(accountId),
    ]);
    const { messageIds, hasMore } = 'notSearched' in answer ? NO_MATCHES : answer;

    const copies = await this.archive.findCopies(accountId, messageIds);
    const counted =
      place === 'mailbox'
        ? new Set<string>()
        : await this.archive.findMatching(accountId, q, [...copies.keys()]);
    const onlyLive = messageIds.filter((id) => !copies.has(id));
    const reach = sort === 'relevance' ? Math.max(end, MAX_RANKED_LIVE) : end;
    const read = await this.live.readMetadata(userId, accountId, onlyLive.slice(0, reach), signal);
    const metadata = 'notSearched' in read ? [] : read;
    const failed = [answer, read].find((part): part is NotSearched => 'notSearched' in part);

    const live = new Set(messageIds);
    const mails = new Map<string, ListedMail>();
    for (const mail of archived.mails) mails.set(mail.id, mail);
    for (const mail of copies.values()) mails.set(mail.id, mail);
    const ranks =
      sort === 'relevance'
        ? await this.archive.rank(accountId, q, [...mails.keys()])
        : new Map<string, number>();
    const terms = sort === 'relevance' ? soughtTerms(q) : [];
    return {
      found: [
        ...[...mails.values()].map((mail) => foundMail(accountId, mail, live, ranks.get(mail.id) ?? 0)),
        ...metadata.map((message, at) =>
          foundLive(accountId, message, at < MAX_RANKED_LIVE ? terms : NOT_RANKED),
        ),
      ],
      total: archived.total + messageIds.length - counted.size,
      isTotalExact: !failed && !hasMore,
      notSearched: failed?.notSearched ?? null,
      gaps,
    };
  }
}

const NOT_RANKED = null;

function foundMail(
  accountId: string,
  mail: ListedMail,
  live: ReadonlySet<string>,
  rank: number,
): FoundMessage {
  const isInMailbox =
    live.has(mail.mailbox_message_id) || mail.presence === 'mailbox' || mail.presence === 'trash';
  return { accountId, place: isInMailbox ? 'both' : 'archive', date: mail.date, rank, mail, live: null };
}

function foundLive(
  accountId: string,
  live: MessageMetadata,
  terms: readonly SoughtTerm[] | null,
): FoundMessage {
  const rank = terms === null ? -1 : rankMetadata(live, terms);
  return { accountId, place: 'mailbox', date: live.internalDate.toISOString(), rank, mail: null, live };
}
