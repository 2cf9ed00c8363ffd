import { Injectable } from '@nestjs/common';
import { AccountNotOwned, ApiKeyAccountRefused } from '../../../platform/access/access.errors';
import { AccountOwnership } from '../../../platform/access/account-ownership.port';
import { type AuthenticatedUser, boundAccountsOf } from '../../../platform/access/authenticated-user';
import { forEachConcurrently } from '../../../platform/concurrency/for-each-concurrently';
import { ValidationFailed } from '../../../platform/http/domain-error';
import { offsetOf } from '../../../platform/validation/page.dto';
import { ArchiveTotals } from '../archive-totals';
import type { SearchArchivesQuery } from '../dto/archive-search.dto';
import type { AccountGaps } from '../dto/not-indexed.response';
import { IndexGapsRepository } from '../index-ledger/index-gaps.repository';
import { mailFilter } from '../mail-filter';
import { type ListedMail, type ListedPage, MailListsRepository } from '../mail-lists.repository';
import { mergeOrdered } from './merge-ordered';

/** Last mail that can be listed: each archive is read up to the end of the page, so later pages cost more and more. */
const MAX_FOUND = 1_000;
/** Archives of one search that are read at a time: other users search at the same time. */
const ARCHIVES_AT_A_TIME = 2;

export interface FoundMail {
  readonly accountId: string;
  readonly mail: ListedMail;
}

export interface FoundInArchives {
  readonly mails: readonly FoundMail[];
  readonly total: number;
  readonly archivedUntil: string | null;
  /** Mails of each archive that a search for words may miss; null for a search without words. */
  readonly gaps: readonly AccountGaps[] | null;
}

/** Searches the archives of all mailboxes of a user as one. */
@Injectable()
export class ArchiveSearchService {
  constructor(
    private readonly totals: ArchiveTotals,
    private readonly lists: MailListsRepository,
    private readonly gaps: IndexGapsRepository,
    private readonly ownership: AccountOwnership,
  ) {}

  /** @throws AccountNotOwned, ApiKeyAccountRefused; ValidationFailed for pages beyond the first 1,000 mails */
  async search(user: AuthenticatedUser, query: SearchArchivesQuery): Promise<FoundInArchives> {
    const { limit, sort, order } = query;
    const end = offsetOf(query) + limit;
    if (end > MAX_FOUND)
      throw new ValidationFailed([
        { field: 'page', message: `page must lie within the first ${MAX_FOUND} mails; narrow the search` },
      ]);
    const filter = mailFilter(query);
    const accountIds = await this.accountsOf(user, query.accountId);
    const pages = new Map<string, ListedPage>();
    const gaps: AccountGaps[] = [];
    await forEachConcurrently(accountIds, ARCHIVES_AT_A_TIME, async (accountId) => {
      pages.set(
        accountId,
        await this.lists.findPage(accountId, filter, { offset: 0, limit: end }, { sort, order }),
      );
      if (query.q) gaps.push({ accountId, gaps: await this.gaps.count(accountId) });
    });
    const found = accountIds.map((accountId) => ({ accountId, ...pages.get(accountId)! }));
    const mails = mergeOrdered(
      found.map(({ accountId, mails: ofAccount }) => ofAccount.map((mail) => ({ accountId, mail }))),
      end,
      sort === 'size' ? bySize(order) : byDate(order),
    );
    return {
      mails: mails.slice(offsetOf(query)),
      total: found.reduce((sum, { total }) => sum + total, 0),
      gaps: query.q ? gaps : null,
      archivedUntil: latest(found.map(({ archivedUntil }) => archivedUntil)),
    };
  }

  /** Only those with mail: the others would be searched in vain. */
  private async accountsOf(
    user: AuthenticatedUser,
    accountId: string | undefined,
  ): Promise<readonly string[]> {
    const within = boundAccountsOf(user);
    if (accountId !== undefined) {
      if (within && !within.includes(accountId.toLowerCase())) throw new ApiKeyAccountRefused();
      if (!(await this.ownership.owns(user.id, accountId))) throw new AccountNotOwned();
      return [accountId.toLowerCase()];
    }
    const accounts = (await this.totals.findAccountsWithMail(user.id)).map((account) => account.accountId);
    return within ? accounts.filter((id) => within.includes(id)) : accounts;
  }
}

type Comparison = (one: FoundMail, other: FoundMail) => number;

const byDate =
  (order: 'asc' | 'desc'): Comparison =>
  (one, other) =>
    (order === 'asc' ? 1 : -1) * compare(one.mail.date, other.mail.date);

const bySize =
  (order: 'asc' | 'desc'): Comparison =>
  (one, other) =>
    (order === 'asc' ? 1 : -1) * (one.mail.size_bytes - other.mail.size_bytes) || byDate(order)(one, other);

/** ISO timestamps in UTC are in the order of their text. */
const compare = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);

const latest = (instants: readonly (string | null)[]): string | null =>
  instants.reduce(
    (last, instant) => (instant !== null && (last === null || instant > last) ? instant : last),
    null,
  );
