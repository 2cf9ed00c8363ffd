import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { ArchivedMailEntity } from '../../archive/archived-mail.entity';
import { BaseRepository } from '../../common/database/base.repository';

/** A place in the walk over an account's mails, by date and id. */
export interface WalkCursor {
  /** As the database writes it, so that no digit is lost. */
  readonly date: string;
  readonly id: string;
}

export interface StoredMail {
  readonly id: string;
  readonly userId: string;
  /** As the database writes it. */
  readonly date: string;
  readonly storage: string;
  readonly storageKey: string;
  readonly sha256: string;
  readonly sizeBytes: number;
  readonly isEncrypted: boolean;
}

export interface CheckedAccount {
  readonly userId: string;
  readonly accountId: string;
  readonly mails: number;
}

interface StoredMailRow {
  id: string;
  user_id: string;
  date: string;
  storage: string;
  storage_key: string;
  sha256: string;
  size_bytes: string;
  is_encrypted: boolean;
}

const COLUMNS = 'id, user_id, date::text AS date, storage, storage_key, sha256, size_bytes, is_encrypted';
const BEFORE_ALL: WalkCursor = { date: '-infinity', id: '00000000-0000-0000-0000-000000000000' };

/** Archived mails as the check walks them. */
@Injectable()
export class StoredMailsRepository extends BaseRepository<ArchivedMailEntity> {
  constructor(dataSource: DataSource) {
    super(dataSource, ArchivedMailEntity);
  }

  /** Accounts with archived mail, by id; of one user, or of everybody. Disconnected ones are among them. */
  async accounts(userId: string | null): Promise<CheckedAccount[]> {
    return this.rows<CheckedAccount>(
      `SELECT account.user_id AS "userId", account.id AS "accountId", totals.mails
         FROM archive_totals totals JOIN mailbox_accounts account ON account.id = totals.account_id
        WHERE totals.mails > 0 AND ($1::uuid IS NULL OR account.user_id = $1) ORDER BY account.id`,
      [userId],
    );
  }

  /** @param after null: from the first mail on */
  async next(accountId: string, after: WalkCursor | null, limit: number): Promise<StoredMail[]> {
    const { date, id } = after ?? BEFORE_ALL;
    const rows = await this.rows<StoredMailRow>(
      `SELECT ${COLUMNS} FROM archived_mails
        WHERE account_id = $1 AND (archived_mails.date, id) > ($2::timestamptz, $3::uuid)
        ORDER BY archived_mails.date, id LIMIT $4`,
      [accountId, date, id, limit],
    );
    return rows.map(toStoredMail);
  }

  async countAfter(accountId: string, after: WalkCursor): Promise<number> {
    const [row] = await this.rows<{ count: number }>(
      `SELECT count(*)::int AS count FROM archived_mails
        WHERE account_id = $1 AND (date, id) > ($2::timestamptz, $3::uuid)`,
      [accountId, after.date, after.id],
    );
    return row?.count ?? 0;
  }

  /** The mail as it is now; null when it is gone. */
  async find(accountId: string, id: string): Promise<StoredMail | null> {
    const [row] = await this.rows<StoredMailRow>(
      `SELECT ${COLUMNS} FROM archived_mails WHERE id = $2 AND account_id = $1`,
      [accountId, id],
    );
    return row ? toStoredMail(row) : null;
  }
}

const toStoredMail = (row: StoredMailRow): StoredMail => ({
  id: row.id,
  userId: row.user_id,
  date: row.date,
  storage: row.storage,
  storageKey: row.storage_key,
  sha256: row.sha256,
  sizeBytes: Number(row.size_bytes),
  isEncrypted: row.is_encrypted,
});
