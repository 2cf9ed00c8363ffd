import { Injectable } from '@nestjs/common';
import type { AuthenticatedUser } from '../../platform/access/authenticated-user';
import { forEachConcurrently } from '../../platform/concurrency/for-each-concurrently';
import { DomainError, ValidationFailed } from '../../platform/http/domain-error';
import { offsetOf } from '../../platform/validation/page.dto';
import {
  ArchiveWithoutMailbox,
  MailboxDisconnected,
  SearchTermNotSupported,
} from '../../providers/port/mail-provider.errors';
import type { AccountGaps } from '../mails/dto/not-indexed.response';
import { AccountSearch, type AccountMatches } from './account-search';
import type { SearchQuery } from './dto/search.dto';
import type { Excerpt } from './excerpts/excerpt';
import { ExcerptFinder } from './excerpts/excerpt-finder';
import type { MatchField } from './excerpts/sought-terms';
import { byDate, byRank, type FoundMessage, messageIdOf } from './found-message';
import { LiveSearch } from './live-search';
import { SearchedAccounts } from './searched-accounts';

/** Last message that can be listed: each account is searched up to the end of the page, so later pages cost more and more. */
const MAX_FOUND = 1_000;
/** Accounts of one search that are searched at a time: other users search at the same time. */
const ACCOUNTS_AT_A_TIME = 3;

export interface SearchAnswer {
  readonly messages: readonly FoundMessage[];
  /** Parts that match of each of the messages. */
  readonly excerpts: readonly ReadonlyMap<MatchField, Excerpt>[];
  /** Beginnings of the texts of messages that are not archived, by their ids. */
  readonly snippets: ReadonlyMap<string, string>;
  readonly total: number;
  readonly isTotalExact: boolean;
  readonly notSearched: readonly { readonly accountId: string; readonly error: DomainError }[];
  /** Mails of each archive that the search may miss; null: no archive was searched. */
  readonly gaps: readonly AccountGaps[] | null;
}

/** Searches the live mailboxes and the archives of a user as one list. */
@Injectable()
export class SearchService {
  constructor(
    private readonly accounts: SearchedAccounts,
    private readonly accountSearch: AccountSearch,
    private readonly live: LiveSearch,
    private readonly excerpts: ExcerptFinder,
  ) {}

  /** @throws AccountNotOwned, ApiKeyAccountRefused, SearchTermNotSupported; ValidationFailed for pages beyond the first 1,000 messages */
  async search(user: AuthenticatedUser, query: SearchQuery, signal: AbortSignal): Promise<SearchAnswer> {
    const offset = offsetOf(query);
    const end = offset + query.limit;
    if (end > MAX_FOUND)
      throw new ValidationFailed([
        {
          field: 'page',
          message: `page must lie within the first ${MAX_FOUND} messages; narrow the search`,
        },
      ]);
    const { q, place, sort, page } = query;
    const accountIds = await this.accounts.listIds(user, query.accountId);
    const answers = new Map<string, AccountMatches>();
    await forEachConcurrently(accountIds, ACCOUNTS_AT_A_TIME, async (accountId) => {
      const asked = { userId: user.id, accountId, q, place, sort, end, refresh: page === 1, signal };
      answers.set(accountId, await this.accountSearch.search(asked));
    });
    const all = accountIds.map((accountId) => answers.get(accountId)!);
    if (place === 'mailbox') requireReadable(all);
    const messages = all
      .flatMap(({ found }) => found)
      .toSorted(sort === 'relevance' ? byRank : byDate)
      .slice(offset, end);
    const snippets = await this.snippetsOf(user.id, messages, signal);
    return {
      messages,
      snippets,
      excerpts: await this.excerpts.find(messages, snippets, q, signal),
      total: all.reduce((sum, { total }) => sum + total, 0),
      isTotalExact: all.every(({ isTotalExact }) => isTotalExact),
      gaps:
        place === 'mailbox'
          ? null
          : accountIds.flatMap((accountId) => {
              const { gaps } = answers.get(accountId)!;
              return gaps ? [{ accountId, gaps }] : [];
            }),
      notSearched: accountIds.flatMap((accountId) => {
        const error = answers.get(accountId)!.notSearched;
        return error === null || hasNoLiveMail(error) ? [] : [{ accountId, error }];
      }),
    };
  }

  private async snippetsOf(
    userId: string,
    messages: readonly FoundMessage[],
    signal: AbortSignal,
  ): Promise<Map<string, string>> {
    const idsOf = new Map<string, string[]>();
    for (const message of messages) {
      if (message.live === null) continue;
      const ids = idsOf.get(message.accountId) ?? [];
      idsOf.set(message.accountId, [...ids, messageIdOf(message)]);
    }
    const snippets = new Map<string, string>();
    await forEachConcurrently(idsOf, ACCOUNTS_AT_A_TIME, async ([accountId, ids]) => {
      const ofAccount = await this.live.readSnippets(userId, accountId, ids, signal);
      for (const [id, snippet] of ofAccount) snippets.set(id, snippet);
    });
    return snippets;
  }
}

/** A search that no mailbox can read is refused, as the archive refuses what it cannot read. */
function requireReadable(answers: readonly AccountMatches[]): void {
  const refusals = answers.flatMap(({ notSearched }) => notSearched ?? []);
  const refused = refusals.find((error) => error instanceof SearchTermNotSupported);
  if (refused && refusals.length === answers.length) throw refused;
}

/** An account that is only an archive is searched as a whole. */
const hasNoLiveMail = (error: DomainError): boolean =>
  error instanceof ArchiveWithoutMailbox || error instanceof MailboxDisconnected;
