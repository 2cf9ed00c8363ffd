import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { ArchiveTotalsEntity } from './archived-mail.entity';
import { BaseRepository } from '../../platform/database/base.repository';
import { column, RowShape, typedRows } from '../../platform/database/row-shape';

export interface ArchiveSize {
  readonly mails: number;
  readonly bytes: number;
  readonly lastArchivedAt: string | null;
}

export interface ArchiveStats {
  readonly totals: ArchiveSize;
  /** Senders other than the account itself, those with the most mails first (at most 20). */
  readonly senders: readonly ArchivedSender[];
}

const ARCHIVE_TOTALS_ROW: RowShape<ArchiveSize> = {
  mails: column.number,
  bytes: column.number,
  lastArchivedAt: column.nullable(column.timestamp),
};

export interface AccountWithMail {
  readonly userId: string;
  readonly accountId: string;
  readonly mails: number;
}

const ACCOUNT_WITH_MAIL_ROW: RowShape<AccountWithMail> = {
  userId: column.text,
  accountId: column.text,
  mails: column.number,
};

export interface ArchivedSender {
  readonly sender: string;
  /** Number of mails of the sender, as decimal text, which the API returns unchanged. */
  readonly senderMails: string;
  readonly senderBytes: string;
}

const ARCHIVED_SENDER_ROW: RowShape<ArchivedSender> = {
  sender: column.text,
  senderMails: column.text,
  senderBytes: column.text,
};

const TOP_SENDERS = 20;

const STATS_OWNED = {
  name: 'archive-stats',
  sql: `SELECT coalesce(totals.mails, 0) AS mails, coalesce(totals.bytes, 0)::float8 AS bytes,
               (SELECT max(archived_at) FROM archived_mails WHERE account_id = $1) AS "lastArchivedAt",
               top.sender, top.mails::text AS "senderMails", top.bytes::text AS "senderBytes"
        FROM mailbox_accounts account
        LEFT JOIN archive_totals totals ON totals.account_id = account.id
        LEFT JOIN LATERAL (
          SELECT sender, mails, bytes, address FROM archived_senders
          WHERE account_id = $1 AND address <> lower(account.email)
          ORDER BY mails DESC, bytes DESC, address LIMIT ${TOP_SENDERS}
        ) top ON true
        WHERE account.id = $1 AND account.user_id = $2
        ORDER BY top.mails DESC, top.bytes DESC, top.address`,
};

/** Totals of archives, which triggers keep: no mail is counted here. */
@Injectable()
export class ArchiveTotals extends BaseRepository<ArchiveTotalsEntity> {
  constructor(dataSource: DataSource) {
    super(dataSource, ArchiveTotalsEntity);
  }

  /** The totals of an account; null when nothing was ever archived. */
  findTotals(accountId: string): Promise<ArchiveTotalsEntity | null> {
    return this.getTable().findOneBy({ accountId });
  }

  /** Accounts with archived mail, disconnected ones included, by id. @param userId null: of all users */
  findAccountsWithMail(userId: string | null): Promise<AccountWithMail[]> {
    return this.queryRows(
      ACCOUNT_WITH_MAIL_ROW,
      `SELECT account.user_id AS "userId", account.id AS "accountId", totals.mails
         FROM archive_totals totals JOIN mailbox_accounts account ON account.id = totals.account_id
        WHERE totals.mails > 0 AND ($1::uuid IS NULL OR account.user_id = $1) ORDER BY account.id`,
      [userId],
    );
  }

  /** Totals and top senders of an account in any state; null when it is not the user's. */
  async findOwnedStats(userId: string, accountId: string): Promise<ArchiveStats | null> {
    const rows = await this.readRows(
      { ...ARCHIVE_TOTALS_ROW, sender: column.nullable(column.text) },
      STATS_OWNED,
      [accountId, userId],
    );
    const [totals] = rows;
    if (!totals) return null;
    // An archive without senders is one row.
    const senders = rows.filter(({ sender }) => sender !== null);
    return { totals, senders: typedRows(ARCHIVED_SENDER_ROW, senders) };
  }
}
