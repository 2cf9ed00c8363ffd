import { Injectable } from '@nestjs/common';
import { DataSource, EntityManager } from 'typeorm';
import { pageFrom } from '../../platform/database/page-from';
import { BaseRepository } from '../../platform/database/base.repository';
import { newId } from '../../platform/crypto/ids';
import type { Transaction } from '../../platform/database/transactions';
import type { PiiType } from './detection/pii-match';
import type { PiiFinding } from './detection/find-pii';
import { PiiFindingEntity } from './pii-finding.entity';
import { PII_TYPES } from './detection/pii-match';
import { RowShape, column, typedRows } from '../../platform/database/row-shape';
import type { PageRange } from '../../platform/database/page-from';

/** A finding with the facts about its mail that lists show. */
export interface ListedFinding {
  readonly id: string;
  readonly archived_mail_id: string;
  readonly pii_type: PiiType;
  readonly count: number;
  readonly snippet: string;
  readonly scanned_at: Date;
  readonly subject: string;
  readonly sender: string;
  readonly date: Date;
}

const LISTED_FINDING_ROW: RowShape<ListedFinding> = {
  id: column.text,
  archived_mail_id: column.text,
  pii_type: column.oneOf(PII_TYPES),
  count: column.number,
  snippet: column.text,
  scanned_at: column.date,
  subject: column.text,
  sender: column.text,
  date: column.date,
};

/** Numbers of one type: values, and mails of which this type has the first finding. */
export interface TypeTotals {
  readonly type: PiiType;
  readonly count: number;
  readonly firsts: number;
}

const TYPE_TOTALS_ROW: RowShape<TypeTotals> = {
  type: column.oneOf(PII_TYPES),
  count: column.number,
  firsts: column.number,
};

export interface MailFindings {
  readonly mailId: string;
  readonly findings: readonly PiiFinding[];
}

/** Findings of personal data, always those of one account. */
@Injectable()
export class PiiFindingsRepository extends BaseRepository<PiiFindingEntity> {
  constructor(dataSource: DataSource) {
    super(dataSource, PiiFindingEntity);
  }

  /** A page of findings, those of the newest mail first, with the total. */
  findPage(
    accountId: string,
    type: PiiType | null,
    range: PageRange,
  ): Promise<{ findings: ListedFinding[]; total: number }> {
    // One snapshot for total and page: pages near the end are counted from it.
    return this.dataSource.transaction('REPEATABLE READ', async (manager) => {
      const [totals] = typedRows(
        { total: column.number },
        await manager.query(
          `SELECT count(*)::int AS total FROM pii_findings f WHERE ${conditions(type)}`,
          parameters(accountId, type),
        ),
      );
      const total = totals?.total ?? 0;
      return { total, findings: await this.read(manager, accountId, type, range, total) };
    });
  }

  private async read(
    manager: EntityManager,
    accountId: string,
    type: PiiType | null,
    range: PageRange,
    total: number,
  ): Promise<ListedFinding[]> {
    const { limit, offset, isReversed } = pageFrom(range, total);
    if (limit === 0) return [];
    // Within one mail types come in their order, whichever way the list is read.
    const direction = isReversed ? 'ASC' : 'DESC';
    const order = ['mail_date', 'mail_id', 'pii_type'].map((column) => `f.${column} ${direction}`).join(', ');
    // Skipped rows are read from the index alone.
    const rows = typedRows(
      LISTED_FINDING_ROW,
      await manager.query(
        `SELECT f.id, f.mail_id AS archived_mail_id, f.pii_type, f.count, f.snippet, f.scanned_at,
              m.subject, m.sender, m.date
         FROM (SELECT f.mail_id, f.pii_type FROM pii_findings f WHERE ${conditions(type)}
                ORDER BY ${order} LIMIT ${limit} OFFSET ${offset}) shown
         CROSS JOIN LATERAL (
           SELECT * FROM pii_findings WHERE mail_id = shown.mail_id AND pii_type = shown.pii_type LIMIT 1
         ) f
         CROSS JOIN LATERAL (
           SELECT * FROM archived_mails WHERE id = f.mail_id AND account_id = f.account_id LIMIT 1
         ) m
        ORDER BY ${order}`,
        parameters(accountId, type),
      ),
    );
    return isReversed ? rows.reverse() : rows;
  }

  countTotals(accountId: string): Promise<TypeTotals[]> {
    return this.queryRows(
      TYPE_TOTALS_ROW,
      `SELECT pii_type AS type, sum(count)::float8 AS count,
              (count(*) FILTER (WHERE is_first))::int AS firsts
         FROM pii_findings WHERE account_id = $1 GROUP BY pii_type`,
      [accountId],
    );
  }

  /**
   * Replaces earlier findings. Mails that were deleted or encrypted since they were read are left alone. The caller
   * holds the lock of the archive, so none is deleted meanwhile.
   * @returns the mails whose findings are now these
   */
  async replace(
    accountId: string,
    mails: readonly MailFindings[],
    transaction: Transaction,
  ): Promise<Set<string>> {
    const current = await this.queryRows(
      { id: column.text },
      `SELECT m.id FROM unnest($2::uuid[]) AS asked (id)
         CROSS JOIN LATERAL (
           SELECT id FROM archived_mails
            WHERE id = asked.id AND account_id = $1 AND NOT is_encrypted LIMIT 1
         ) m`,
      [accountId, mails.map(({ mailId }) => mailId)],
      transaction,
    );
    const ids = new Set(current.map(({ id }) => id));
    await this.executeAndCount(
      'DELETE FROM pii_findings WHERE account_id = $1 AND mail_id = ANY (ARRAY(SELECT unnest($2::uuid[])))',
      [accountId, [...ids]],
      transaction,
    );
    await this.insert(
      accountId,
      mails.filter(({ mailId }) => ids.has(mailId)),
      transaction,
    );
    return ids;
  }

  private async insert(
    accountId: string,
    mails: readonly MailFindings[],
    transaction: Transaction,
  ): Promise<void> {
    const rows = mails.flatMap(({ mailId, findings }) =>
      findings.map((finding, index) => ({ ...finding, mailId, isFirst: index === 0 })),
    );
    if (rows.length === 0) return;
    await this.execute(
      `INSERT INTO pii_findings (id, account_id, mail_id, mail_date, pii_type, is_first, count, snippet)
       SELECT new.id, $1, new.mail_id, m.date, new.pii_type, new.is_first, new.count, new.snippet
         FROM unnest($2::uuid[], $3::uuid[], $4::text[], $5::boolean[], $6::int[], $7::text[])
              AS new (id, mail_id, pii_type, is_first, count, snippet)
         CROSS JOIN LATERAL (SELECT date FROM archived_mails WHERE id = new.mail_id LIMIT 1) m`,
      [
        accountId,
        rows.map(() => newId()),
        rows.map(({ mailId }) => mailId),
        rows.map(({ type }) => type),
        rows.map(({ isFirst }) => isFirst),
        rows.map(({ count }) => count),
        rows.map(({ snippet }) => snippet),
      ],
      transaction,
    );
  }
}

const conditions = (type: PiiType | null): string =>
  type === null ? 'f.account_id = $1' : 'f.account_id = $1 AND f.pii_type = $2';

const parameters = (accountId: string, type: PiiType | null): string[] =>
  type === null ? [accountId] : [accountId, type];
