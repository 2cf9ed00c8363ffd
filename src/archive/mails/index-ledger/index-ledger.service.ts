import { Injectable } from '@nestjs/common';
import { AccountMaintenance } from '../../../mailbox/accounts/account-maintenance';
import { Transactions } from '../../../platform/database/transactions';
import { ValidationFailed } from '../../../platform/http/domain-error';
import { offsetOf } from '../../../platform/validation/page.dto';
import { READ_ATTACHMENTS_CHORE } from '../attached-texts/attached-texts.service';
import type { IndexItemsQuery, RetryIndexingDto } from '../dto/index-ledger.dto';
import type { IndexCheckEntity } from '../index-checks/index-check.entity';
import { IndexChecksService } from '../index-checks/index-checks.service';
import { OutdatedMarks } from '../rereading/outdated-marks';
import { ArchiveLock } from '../writing/archive-lock';
import type { ArchiveOwner } from '../writing/mail-to-archive';
import { INDEX_CLASSES, type IndexClass, type IndexedKind } from './index-class';
import { type ClassCount, type IndexItem, IndexLedgerRepository } from './index-ledger.repository';

/** Last item that can be listed: a page is read from the first item on. */
const MAX_LISTED = 10_000;
/** Most mails, and most attachments, that one request makes wait: other writers of the archive wait for it. */
export const MAX_RETRIED = 10_000;

/** Numbers of mails or attachments by class, which add up to their total. */
export interface KindCounts {
  readonly total: number;
  readonly byClass: Readonly<Record<IndexClass, number>>;
  /** Numbers of what is not read as a whole by reason, most first. */
  readonly reasons: readonly ClassCount[];
}

/** The index of an account: its numbers, and their proof. */
export interface IndexLedger {
  readonly counts: Readonly<Record<IndexedKind, KindCounts>>;
  /** The latest check; null: there was none. */
  readonly check: IndexCheckEntity | null;
}

/** Tells which mails and attachments of an archive are found by their words, and reads others again. */
@Injectable()
export class IndexLedgerService {
  constructor(
    private readonly ledger: IndexLedgerRepository,
    private readonly checks: IndexChecksService,
    private readonly outdated: OutdatedMarks,
    private readonly archiveLock: ArchiveLock,
    private readonly maintenance: AccountMaintenance,
    private readonly transactions: Transactions,
  ) {}

  /** Counts the mails and attachments of an account by class, and tells of the latest check. */
  async read(accountId: string): Promise<IndexLedger> {
    const [counts, check] = await Promise.all([
      this.ledger.countByClass(accountId),
      this.checks.findLatest(accountId),
    ]);
    return { counts: { mail: countsOf(counts, 'mail'), attachment: countsOf(counts, 'attachment') }, check };
  }

  /** Lists mails or attachments of a class. @throws ValidationFailed beyond the first 10,000 */
  async list(
    accountId: string,
    query: IndexItemsQuery,
  ): Promise<{ readonly items: readonly IndexItem[]; readonly total: number }> {
    const offset = offsetOf(query);
    if (offset + query.limit > MAX_LISTED)
      throw new ValidationFailed([
        { field: 'page', message: `page must lie within the first ${MAX_LISTED} items` },
      ]);
    const asked = { kind: query.kind, class: query.class, reason: query.reason ?? null };
    const counts = await this.ledger.countByClass(accountId);
    const total = counts
      .filter((count) => count.kind === asked.kind && count.class === asked.class)
      .filter(({ reason }) => asked.reason === null || reason === asked.reason)
      .reduce((sum, { count }) => sum + count, 0);
    if (total <= offset) return { items: [], total };
    return { items: await this.ledger.findItems(accountId, asked, { limit: query.limit, offset }), total };
  }

  /** Makes mails and attachments wait to be read again. @returns their number */
  async retry(owner: ArchiveOwner, { class: retried, ids = null }: RetryIndexingDto): Promise<number> {
    return this.transactions.run(async (transaction) => {
      if (!(await this.archiveLock.acquire(owner, transaction))) return 0;
      const { accountId } = owner;
      const attachments = await this.ledger.retryAttachments(
        accountId,
        retried,
        ids,
        MAX_RETRIED,
        transaction,
      );
      if (attachments > 0) await this.maintenance.makeDue(READ_ATTACHMENTS_CHORE, accountId, transaction);
      const mailIds = await this.ledger.findRetried(accountId, retried, ids, MAX_RETRIED, transaction);
      return attachments + (await this.outdated.markOutdated(accountId, mailIds, transaction));
    });
  }
}

function countsOf(all: readonly ClassCount[], kind: IndexedKind): KindCounts {
  const counts = all.filter((count) => count.kind === kind);
  const sum = (of: readonly ClassCount[]): number => of.reduce((total, { count }) => total + count, 0);
  return {
    total: sum(counts),
    byClass: Object.fromEntries(
      INDEX_CLASSES.map((name) => [name, sum(counts.filter((count) => count.class === name))]),
    ) as Record<IndexClass, number>,
    reasons: counts
      .filter(({ reason }) => reason !== null)
      .toSorted((one, other) => other.count - one.count || (one.reason! < other.reason! ? -1 : 1)),
  };
}
