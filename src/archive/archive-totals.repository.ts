import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { ArchiveTotalsEntity } from './archived-mail.entity';
import { BaseRepository } from '../common/database/base.repository';
import { column, RowShape } from '../common/database/row-shape';

export interface ArchiveTotals {
  readonly mails: number;
  readonly bytes: number;
  readonly lastArchivedAt: Date | null;
}

const ARCHIVE_TOTALS_ROW: RowShape<ArchiveTotals> = {
  mails: column.number,
  bytes: column.number,
  lastArchivedAt: column.nullable(column.date),
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
  /** As text, as the API answers it. */
  readonly mails: string;
  readonly bytes: string;
}

const ARCHIVED_SENDER_ROW: RowShape<ArchivedSender> = {
  sender: column.text,
  mails: column.text,
  bytes: column.text,
};

/** Totals of archives, which triggers keep: no mail is counted here. */
@Injectable()
export class ArchiveTotalsRepository extends BaseRepository<ArchiveTotalsEntity> {
  constructor(dataSource: DataSource) {
    super(dataSource, ArchiveTotalsEntity);
  }

  /** null when nothing was ever archived. */
  of(accountId: string): Promise<ArchiveTotalsEntity | null> {
    return this.table().findOneBy({ accountId });
  }

  /** Accounts with archived mail, disconnected ones included, by id. @param userId null: of all users */
  accountsWithMail(userId: string | null): Promise<AccountWithMail[]> {
    return this.rows(
      ACCOUNT_WITH_MAIL_ROW,
      `SELECT account.user_id AS "userId", account.id AS "accountId", totals.mails
         FROM archive_totals totals JOIN mailbox_accounts account ON account.id = totals.account_id
        WHERE totals.mails > 0 AND ($1::uuid IS NULL OR account.user_id = $1) ORDER BY account.id`,
      [userId],
    );
  }

  /** With the time of the last archiving; undefined when nothing was ever archived. */
  async totals(accountId: string): Promise<ArchiveTotals | undefined> {
    const [totals] = await this.rows(
      ARCHIVE_TOTALS_ROW,
      `SELECT mails, bytes::float8 AS bytes,
         (SELECT max(archived_at) FROM archived_mails WHERE account_id = $1) AS "lastArchivedAt"
       FROM archive_totals WHERE account_id = $1`,
      [accountId],
    );
    return totals;
  }

  /** Senders other than the account itself, by number of mails. @param ownEmail the account's address */
  topSenders(accountId: string, ownEmail: string, limit: number): Promise<ArchivedSender[]> {
    return this.rows(
      ARCHIVED_SENDER_ROW,
      `SELECT sender, mails::text AS mails, bytes::text AS bytes FROM archived_senders known
       WHERE account_id = $1 AND address <> lower($2)
       ORDER BY known.mails DESC, known.bytes DESC, address LIMIT $3`,
      [accountId, ownEmail, limit],
    );
  }
}
