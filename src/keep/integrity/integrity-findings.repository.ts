import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { BaseRepository } from '../../platform/database/base.repository';
import type { Transaction } from '../../platform/database/transactions';
import { IntegrityFindingEntity } from './integrity.entity';
import type { Problem } from './integrity-progress';
import type { StoredMail } from '../../archive/mails/stored-mails';
import { column, type RowShape } from '../../platform/database/row-shape';

/** The mail and the file that a finding is about. A finding says nothing of a mail that has another file by now. */
export type FoundMail = Pick<StoredMail, 'id' | 'storage' | 'storageKey' | 'sha256'>;

/** Kind of a finding; `differs`: the file is whole, and not what the mailbox holds. */
export type Finding = Problem | 'differs';

/** A mail whose file failed the check twice, or is not what the mailbox holds. */
export interface DamagedMail {
  readonly mail: FoundMail;
  readonly problem: Finding;
}

/** A finding with the mail that it is about. */
export interface ListedFinding {
  readonly mailId: string;
  readonly problem: Finding;
  readonly foundAt: string;
  readonly subject: string;
}

const LISTED_FINDING_ROW: RowShape<ListedFinding> = {
  mailId: column.text,
  problem: column.oneOf(['missing', 'altered', 'differs']),
  foundAt: column.timestamp,
  subject: column.text,
};

const LATEST = {
  sql: `SELECT finding.mail_id AS "mailId", finding.problem, finding.found_at AS "foundAt", mail.subject
          FROM integrity_findings finding JOIN archived_mails mail ON mail.id = finding.mail_id
         WHERE finding.account_id = $1 ORDER BY finding.found_at DESC, finding.mail_id LIMIT $2`,
};

export interface NewFindings {
  readonly missing: number;
  readonly altered: number;
  /** Ids of the mails of the findings, at most as many as were asked for. */
  readonly mailIds: readonly string[];
}

/** Mails whose files are missing or altered. */
@Injectable()
export class IntegrityFindingsRepository extends BaseRepository<IntegrityFindingEntity> {
  constructor(dataSource: DataSource) {
    super(dataSource, IntegrityFindingEntity);
  }

  /**
   * Records findings, or updates known ones. Mails whose row is gone or names another file by now are left out.
   * @returns ids of the mails recorded
   */
  async record(
    accountId: string,
    damaged: readonly DamagedMail[],
    transaction: Transaction,
  ): Promise<Set<string>> {
    const valuesOf = <T>(pick: (entry: DamagedMail) => T): T[] => damaged.map(pick);
    const rows = await this.queryRows(
      { mail_id: column.text },
      `INSERT INTO integrity_findings (mail_id, account_id, problem)
       SELECT m.id, m.account_id, t.problem
         FROM unnest($2::uuid[], $3::text[], $4::text[], $5::text[], $6::text[])
           AS t (id, problem, storage, storage_key, sha256)
         JOIN archived_mails m ON m.id = t.id
        WHERE m.account_id = $1 AND m.storage = t.storage AND m.storage_key = t.storage_key
          AND m.sha256::text = t.sha256
       ON CONFLICT (mail_id) DO UPDATE SET problem = excluded.problem
       RETURNING mail_id`,
      [
        accountId,
        valuesOf(({ mail }) => mail.id),
        valuesOf(({ problem }) => problem),
        valuesOf(({ mail }) => mail.storage),
        valuesOf(({ mail }) => mail.storageKey),
        valuesOf(({ mail }) => mail.sha256),
      ],
      transaction,
    );
    return new Set(rows.map((row) => row.mail_id));
  }

  /** Deletes findings of mails whose files are intact. @returns rows deleted */
  resolve(accountId: string, mailIds: readonly string[]): Promise<number> {
    return this.executeAndCount(
      `DELETE FROM integrity_findings WHERE account_id = $1 AND mail_id = ANY ($2) AND problem <> 'differs'`,
      [accountId, mailIds],
    );
  }

  /** Deletes findings of mails that turned out to be what the mailbox holds. */
  async withdraw(accountId: string, mailIds: readonly string[]): Promise<void> {
    await this.executeAndCount(
      `DELETE FROM integrity_findings WHERE account_id = $1 AND mail_id = ANY ($2) AND problem = 'differs'`,
      [accountId, mailIds],
    );
  }

  /** Findings about some mails. */
  async findAmong(accountId: string, mailIds: readonly string[]): Promise<Map<string, Finding>> {
    const rows = await this.queryRows(
      { mail_id: column.text, problem: column.oneOf(['missing', 'altered', 'differs']) },
      `SELECT mail_id, problem FROM integrity_findings
       WHERE account_id = $1 AND mail_id = ANY (ARRAY(SELECT unnest($2::uuid[])))`,
      [accountId, mailIds],
    );
    return new Map(rows.map((row) => [row.mail_id, row.problem]));
  }

  /** Findings, the latest first. */
  listLatest(accountId: string, limit: number): Promise<ListedFinding[]> {
    return this.readRows(LISTED_FINDING_ROW, LATEST, [accountId, limit]);
  }

  async count(accountId: string): Promise<number> {
    const [row] = await this.queryRows(
      { count: column.number },
      'SELECT count(*)::int AS count FROM integrity_findings WHERE account_id = $1',
      [accountId],
    );
    return row?.count ?? 0;
  }

  async hasNew(accountId: string): Promise<boolean> {
    const rows = await this.queryRows(
      {},
      `SELECT 1 FROM integrity_findings WHERE account_id = $1 AND told_at IS NULL LIMIT 1`,
      [accountId],
    );
    return rows.length > 0;
  }

  /** Marks new findings as notified and returns them. */
  async takeNew(accountId: string, limit: number, transaction: Transaction): Promise<NewFindings> {
    const [row] = await this.queryRows(
      {
        missing: column.number,
        altered: column.number,
        mail_ids: column.nullable(column.array(column.text)),
      },
      `WITH taken AS (
         UPDATE integrity_findings SET told_at = now() WHERE account_id = $1 AND told_at IS NULL
         RETURNING mail_id, problem
       )
       SELECT count(*) FILTER (WHERE problem = 'missing')::int AS missing,
              count(*) FILTER (WHERE problem <> 'missing')::int AS altered,
              (array_agg(mail_id ORDER BY mail_id))[1:$2::int] AS mail_ids
         FROM taken`,
      [accountId, limit],
      transaction,
    );
    return { missing: row?.missing ?? 0, altered: row?.altered ?? 0, mailIds: row?.mail_ids ?? [] };
  }
}
