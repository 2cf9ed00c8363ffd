import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { ArchivedMailEntity } from '../../archive/archived-mail.entity';
import { BaseRepository } from '../../common/database/base.repository';
import type { Transaction } from '../../common/database/transactions';

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
    const rows = await this.rows<{ storage_key: string }>(
      'SELECT storage_key FROM archived_mails WHERE id = ANY ($1)',
      [mailIds],
      transaction,
    );
    return new Set(rows.map((row) => row.storage_key));
  }

  /** Of some keys those that any mail of the account names, whatever its id. Reads all of the account's rows. */
  async keysOfAccount(accountId: string, keys: readonly string[]): Promise<Set<string>> {
    const rows = await this.rows<{ storage_key: string }>(
      'SELECT storage_key FROM archived_mails WHERE account_id = $1 AND storage_key = ANY ($2)',
      [accountId, keys],
    );
    return new Set(rows.map((row) => row.storage_key));
  }

  /** Whether any mail of the user lies in a store. May read all of their rows. */
  async areIn(userId: string, storage: string): Promise<boolean> {
    const [row] = await this.rows<{ found: boolean }>(
      `SELECT EXISTS (SELECT FROM archived_mails mail JOIN mailbox_accounts account ON account.id = mail.account_id
                       WHERE account.user_id = $1 AND mail.storage = $2) AS found`,
      [userId, storage],
    );
    return row?.found === true;
  }

  /** Accounts of the user whose purge was asked for, whether they still exist or not. */
  async purgedAccounts(userId: string): Promise<Set<string>> {
    const rows = await this.rows<{ account_id: string }>(
      `SELECT payload ->> 'accountId' AS account_id FROM jobs WHERE user_id = $1 AND type = 'purge_account'`,
      [userId],
    );
    return new Set(rows.map((row) => row.account_id));
  }
}
