import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { BaseRepository } from '../../platform/database/base.repository';
import type { Transaction } from '../../platform/database/transactions';
import { ARCHIVE_PROVIDER, ENDED_STATUSES, MailboxAccountEntity } from './mailbox-account.entity';
import { column, RowShape } from '../../platform/database/row-shape';

export interface Connection {
  readonly id: string;
  readonly userId: string;
  readonly provider: string;
  /** Address of the mailbox, in lower case. */
  readonly email: string;
  readonly sealedCredentials: string;
  readonly scopes: readonly string[];
}

/** A connection just ended, with the credentials that were deleted (null: there were none). */
export interface EndedConnection {
  readonly id: string;
  readonly provider: string;
  readonly email: string;
  readonly sealedCredentials: string | null;
}

const ENDED_CONNECTION_ROW: RowShape<EndedConnection> = {
  id: column.text,
  provider: column.text,
  email: column.text,
  sealedCredentials: column.nullable(column.text),
};

const COUNT_OWNED = {
  name: 'accounts-owned',
  sql: 'SELECT count(*)::int AS count FROM mailbox_accounts WHERE id = ANY($1::uuid[]) AND user_id = $2',
};

/** A user's accounts; every query has the owner in its WHERE clause. */
@Injectable()
export class MailboxAccountsRepository extends BaseRepository<MailboxAccountEntity> {
  constructor(dataSource: DataSource) {
    super(dataSource, MailboxAccountEntity);
  }

  async countOwned(userId: string, ids: readonly string[]): Promise<number> {
    const [found] = await this.readRows({ count: column.number }, COUNT_OWNED, [ids, userId]);
    return found?.count ?? 0;
  }

  findOwned(userId: string, id: string, transaction?: Transaction): Promise<MailboxAccountEntity | null> {
    return this.getTable(transaction).findOneBy({ id, userId });
  }

  /** Locks an account against changes until the transaction ends. */
  async lockOwned(userId: string, id: string, transaction: Transaction): Promise<void> {
    await this.execute(
      'SELECT 1 FROM mailbox_accounts WHERE id = $1 AND user_id = $2 FOR SHARE',
      [id, userId],
      transaction,
    );
  }

  /** Lists the user's accounts, oldest first. */
  listOwned(userId: string): Promise<MailboxAccountEntity[]> {
    return this.getTable().find({ where: { userId }, order: { createdAt: 'ASC', id: 'ASC' } });
  }

  findByAddress(
    userId: string,
    provider: string,
    email: string,
    transaction: Transaction,
  ): Promise<MailboxAccountEntity | null> {
    return this.getTable(transaction).findOneBy({ userId, provider, email });
  }

  /** Whether the mailbox of an address is connected by another provider. */
  async isConnectedOtherwise(
    userId: string,
    provider: string,
    email: string,
    transaction: Transaction,
  ): Promise<boolean> {
    const found = await this.queryRows(
      {},
      `SELECT 1 FROM mailbox_accounts
       WHERE user_id = $1 AND provider <> $2 AND email = $3 AND status NOT IN ${ENDED_STATUSES}`,
      [userId, provider, email],
      transaction,
    );
    return found.length > 0;
  }

  /** Counts the accounts that count towards the user's maximum. */
  async countConnected(userId: string, transaction?: Transaction): Promise<number> {
    const [row] = await this.queryRows(
      { count: column.number },
      `SELECT count(*)::int AS count FROM mailbox_accounts WHERE user_id = $1 AND status NOT IN ${ENDED_STATUSES}`,
      [userId],
      transaction,
    );
    return row?.count ?? 0;
  }

  /** Creates the account, or resumes the one with this id. A pause continues, since consent brings no quota. */
  async saveConnection(connection: Connection, transaction: Transaction): Promise<void> {
    const { id, userId, provider, email, sealedCredentials, scopes } = connection;
    await this.execute(
      `INSERT INTO mailbox_accounts (id, user_id, provider, email, sealed_credentials, scopes)
       VALUES ($1, $2, $3, $4, $5, $6)
       ON CONFLICT (id) DO UPDATE
       SET sealed_credentials = excluded.sealed_credentials, scopes = excluded.scopes, status = 'connected',
           is_active = true, updated_at = now()
       WHERE mailbox_accounts.user_id = excluded.user_id`,
      [id, userId, provider, email, sealedCredentials, scopes],
      transaction,
    );
  }

  /** Lists the user's archives without a mailbox, with those being deleted. */
  listArchives(userId: string, transaction: Transaction): Promise<{ id: string; name: string }[]> {
    return this.queryRows(
      { id: column.text, name: column.text },
      'SELECT id, email AS name FROM mailbox_accounts WHERE user_id = $1 AND provider = $2',
      [userId, ARCHIVE_PROVIDER],
      transaction,
    );
  }

  /** Creates an archive without a mailbox. It is stored as disconnected, as nothing can be done with a mailbox. */
  async insertArchive(
    { id, userId, name }: { readonly id: string; readonly userId: string; readonly name: string },
    transaction: Transaction,
  ): Promise<void> {
    await this.execute(
      `INSERT INTO mailbox_accounts (id, user_id, provider, email, status, is_active)
       VALUES ($1, $2, $3, $4, 'disconnected', false)`,
      [id, userId, ARCHIVE_PROVIDER, name],
      transaction,
    );
  }

  /** Renames an archive without a mailbox. */
  async renameArchive(userId: string, id: string, name: string, transaction: Transaction): Promise<void> {
    await this.executeAndCount(
      `UPDATE mailbox_accounts SET email = $3, updated_at = now()
       WHERE id = $1 AND user_id = $2 AND provider = $4`,
      [id, userId, name, ARCHIVE_PROVIDER],
      transaction,
    );
  }

  /** Switches an account on or off. @returns null when it is not the user's or is disconnected */
  async toggleOwned(
    userId: string,
    id: string,
    transaction: Transaction,
  ): Promise<{ id: string; is_active: boolean } | null> {
    const [account] = await this.queryRows(
      { id: column.text, is_active: column.boolean },
      `UPDATE mailbox_accounts SET is_active = NOT is_active, updated_at = now()
       WHERE id = $1 AND user_id = $2 AND status NOT IN ${ENDED_STATUSES} RETURNING id, is_active`,
      [id, userId],
      transaction,
    );
    return account ?? null;
  }

  /**
   * Ends the connection and deletes its credentials. A purge requested earlier stays requested.
   * @returns undefined when it is not the user's
   */
  async disconnectOwned(
    userId: string,
    id: string,
    purge: boolean,
    transaction: Transaction,
  ): Promise<EndedConnection | undefined> {
    const [account] = await this.queryRows(
      ENDED_CONNECTION_ROW,
      `WITH before AS (
         SELECT id, status, sealed_credentials FROM mailbox_accounts WHERE id = $1 AND user_id = $2 FOR UPDATE
       )
       UPDATE mailbox_accounts account
       SET status = CASE WHEN $3 OR before.status = 'purging' THEN 'purging' ELSE 'disconnected' END,
           sealed_credentials = NULL, scopes = '{}', is_active = false, updated_at = now()
       FROM before WHERE account.id = before.id
       RETURNING account.id, account.provider, account.email, before.sealed_credentials AS "sealedCredentials"`,
      [id, userId, purge],
      transaction,
    );
    return account;
  }

  /** Whether another account uses a grant for the same mailbox. */
  async isSharedMailbox({ id, provider, email }: EndedConnection): Promise<boolean> {
    const others = await this.queryRows(
      {},
      `SELECT 1 FROM mailbox_accounts
       WHERE provider = $1 AND email = $2 AND id <> $3 AND status = 'connected' LIMIT 1`,
      [provider, email, id],
    );
    return others.length > 0;
  }

  /** Deletes the row of an account whose purge was requested, and with it all rows that belong to it. */
  async deletePurged(userId: string, id: string, transaction: Transaction): Promise<boolean> {
    const deleted = await this.executeAndCount(
      `DELETE FROM mailbox_accounts WHERE id = $1 AND user_id = $2 AND status = 'purging'`,
      [id, userId],
      transaction,
    );
    return deleted > 0;
  }

  async recordSync(userId: string, id: string, at: Date): Promise<void> {
    await this.executeAndCount(
      'UPDATE mailbox_accounts SET last_synced_at = $3 WHERE id = $1 AND user_id = $2',
      [id, userId, at],
    );
  }
}

/** Credentials and status of accounts for the gateway, which has checked that the account is the user's. */
@Injectable()
export class AccountCredentialsRepository extends BaseRepository<MailboxAccountEntity> {
  constructor(dataSource: DataSource) {
    super(dataSource, MailboxAccountEntity);
  }

  findAccount(id: string): Promise<MailboxAccountEntity | null> {
    return this.getTable().findOneBy({ id });
  }

  /** Whether the account's user is active. */
  async isOwnerActive(id: string): Promise<boolean> {
    const found = await this.queryRows(
      {},
      `SELECT 1 FROM mailbox_accounts account JOIN users ON users.id = account.user_id
       WHERE account.id = $1 AND users.is_active`,
      [id],
    );
    return found.length > 0;
  }

  /** Replaces the credentials, if `replacing` is still stored. @returns whether they were replaced */
  async saveCredentials(id: string, sealedCredentials: string, replacing: string): Promise<boolean> {
    const saved = await this.executeAndCount(
      `UPDATE mailbox_accounts SET sealed_credentials = $2, updated_at = now()
       WHERE id = $1 AND sealed_credentials = $3`,
      [id, sealedCredentials, replacing],
    );
    return saved > 0;
  }

  /** Marks the account, if `refused` is still stored. @returns whether it was marked */
  async markReauthRequired(id: string, refused: string): Promise<boolean> {
    const marked = await this.executeAndCount(
      `UPDATE mailbox_accounts SET status = 'needs_reauth', updated_at = now()
       WHERE id = $1 AND status = 'connected' AND sealed_credentials = $2`,
      [id, refused],
    );
    return marked > 0;
  }

  /**
   * Stores the end of a pause. It never shortens a pause, since the last of several processes to report one may know
   * the shortest.
   */
  async setPausedUntil(id: string, until: Date): Promise<void> {
    await this.executeAndCount(
      `UPDATE mailbox_accounts SET rate_limited_until = $2, updated_at = now()
       WHERE id = $1 AND (rate_limited_until IS NULL OR rate_limited_until < $2)`,
      [id, until],
    );
  }
}
