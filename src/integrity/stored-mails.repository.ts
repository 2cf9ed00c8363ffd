import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { ArchivedMailEntity } from '../archive/archived-mail.entity';
import { BaseRepository } from '../common/database/base.repository';
import type { Transaction } from '../common/database/transactions';
import { column, RowShape } from '../common/database/row-shape';

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

const CHECKED_ACCOUNT_ROW: RowShape<CheckedAccount> = {
  userId: column.text,
  accountId: column.text,
  mails: column.number,
};

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

const STORED_MAIL_ROW: RowShape<StoredMailRow> = {
  id: column.text,
  user_id: column.text,
  date: column.text,
  storage: column.text,
  storage_key: column.text,
  sha256: column.text,
  size_bytes: column.text,
  is_encrypted: column.boolean,
};

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
    return this.rows(
      CHECKED_ACCOUNT_ROW,
      `SELECT account.user_id AS "userId", account.id AS "accountId", totals.mails
         FROM archive_totals totals JOIN mailbox_accounts account ON account.id = totals.account_id
        WHERE totals.mails > 0 AND ($1::uuid IS NULL OR account.user_id = $1) ORDER BY account.id`,
      [userId],
    );
  }

  /** @param after null: from the first mail on */
  async next(accountId: string, after: WalkCursor | null, limit: number): Promise<StoredMail[]> {
    const { date, id } = after ?? BEFORE_ALL;
    const rows = await this.rows(
      STORED_MAIL_ROW,
      `SELECT ${COLUMNS} FROM archived_mails
        WHERE account_id = $1 AND (archived_mails.date, id) > ($2::timestamptz, $3::uuid)
        ORDER BY archived_mails.date, id LIMIT $4`,
      [accountId, date, id, limit],
    );
    return rows.map(toStoredMail);
  }

  async countAfter(accountId: string, after: WalkCursor): Promise<number> {
    const [row] = await this.rows(
      { count: column.number },
      `SELECT count(*)::int AS count FROM archived_mails
        WHERE account_id = $1 AND (date, id) > ($2::timestamptz, $3::uuid)`,
      [accountId, after.date, after.id],
    );
    return row?.count ?? 0;
  }

  /** The mail as it is now; null when it is gone. */
  async find(accountId: string, id: string): Promise<StoredMail | null> {
    const [row] = await this.rows(
      STORED_MAIL_ROW,
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

/**
 * Which files rows name. Whatever store they say: two configurations of a user, before and after a change of keys for
 * example, may well be one bucket.
 */
@Injectable()
export class NamedFilesRepository extends BaseRepository<ArchivedMailEntity> {
  constructor(dataSource: DataSource) {
    super(dataSource, ArchivedMailEntity);
  }

  /** The keys that the mails of these ids name. By primary key. */
  async keysOfMails(mailIds: readonly string[], transaction?: Transaction): Promise<Set<string>> {
    const rows = await this.rows(
      { storage_key: column.text },
      'SELECT storage_key FROM archived_mails WHERE id = ANY ($1)',
      [mailIds],
      transaction,
    );
    return new Set(rows.map((row) => row.storage_key));
  }

  /** Of some keys those that any mail of the account names, whatever its id. Reads all of the account's rows. */
  async keysOfAccount(accountId: string, keys: readonly string[]): Promise<Set<string>> {
    const rows = await this.rows(
      { storage_key: column.text },
      'SELECT storage_key FROM archived_mails WHERE account_id = $1 AND storage_key = ANY ($2)',
      [accountId, keys],
    );
    return new Set(rows.map((row) => row.storage_key));
  }

  /** Whether any mail of the user lies in a store. May read all of their rows. */
  async areIn(userId: string, storage: string): Promise<boolean> {
    const [row] = await this.rows(
      { found: column.boolean },
      `SELECT EXISTS (SELECT FROM archived_mails mail JOIN mailbox_accounts account ON account.id = mail.account_id
                       WHERE account.user_id = $1 AND mail.storage = $2) AS found`,
      [userId, storage],
    );
    return row?.found === true;
  }

  /** Accounts of the user whose purge was asked for, whether they still exist or not. */
  async purgedAccounts(userId: string): Promise<Set<string>> {
    const rows = await this.rows(
      { account_id: column.text },
      `SELECT payload ->> 'accountId' AS account_id FROM jobs WHERE user_id = $1 AND type = 'purge_account'`,
      [userId],
    );
    return new Set(rows.map((row) => row.account_id));
  }
}
