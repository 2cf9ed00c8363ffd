import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { AdvisoryLock } from '../../platform/database/advisory-locks';
import { BaseRepository } from '../../platform/database/base.repository';
import type { Transaction } from '../../platform/database/transactions';
import type { UserRole } from '../../platform/access/authenticated-user';
import { UserEntity } from './user.entity';
import { column } from '../../platform/database/row-shape';

export interface NewUser {
  readonly id: string;
  /** Normalised. */
  readonly email: string;
  readonly name: string | null;
  readonly passwordHash: string | null;
  /** An administrator in any case; the first user of all becomes one anyway. */
  readonly admin: boolean;
  /**
   * Named in `ADMIN_EMAIL`, but anyone could have registered the address: an administrator only while there is none.
   */
  readonly asksForAdminRole: boolean;
  readonly addedByAdministrator: boolean;
}

/** Changes of a user; absent fields stay as they are. */
export interface UserChanges {
  readonly name?: string | null;
  readonly role?: UserRole;
  /** An administrator has decided. */
  readonly adminRoleRequestedAt?: null;
  readonly isActive?: boolean;
  readonly maxMailboxAccounts?: number;
  readonly storageQuotaBytes?: number;
}

const HAS_ADMIN = `EXISTS (SELECT 1 FROM users WHERE role = 'admin' AND is_active)`;

@Injectable()
export class UsersRepository extends BaseRepository<UserEntity> {
  constructor(dataSource: DataSource) {
    super(dataSource, UserEntity);
  }

  findById(id: string, transaction?: Transaction): Promise<UserEntity | null> {
    return this.getTable(transaction).findOneBy({ id });
  }

  /** @param email normalised */
  findByEmail(email: string): Promise<UserEntity | null> {
    return this.getTable().findOneBy({ email });
  }

  /**
   * Inserts a user; the first one of the installation becomes an administrator. Registrations queue on a lock
   * for the length of this statement, so that of several first ones exactly one wins.
   * @returns false when the address is taken
   */
  async insert(user: NewUser, transaction: Transaction): Promise<boolean> {
    await this.execute('SELECT pg_advisory_xact_lock($1)', [AdvisoryLock.FirstUser], transaction);
    const inserted = await this.queryRows(
      { id: column.text },
      `WITH known AS (SELECT EXISTS (SELECT 1 FROM users) AS users, ${HAS_ADMIN} AS admins)
       INSERT INTO users (id, email, name, password_hash, added_by_administrator, role, admin_role_requested_at)
       SELECT $1::uuid, $2::varchar, $3::varchar, $4::text, $7::boolean,
              CASE WHEN $5::boolean OR NOT users OR ($6::boolean AND NOT admins) THEN 'admin' ELSE 'user' END,
              CASE WHEN $6 AND admins AND NOT $5 THEN now() END
       FROM known
       ON CONFLICT (email) DO NOTHING
       RETURNING id`,
      [
        user.id,
        user.email,
        user.name,
        user.passwordHash,
        user.admin,
        user.asksForAdminRole,
        user.addedByAdministrator,
      ],
      transaction,
    );
    return inserted.length > 0;
  }

  /** Locks the rows of all active administrators, so that two of them cannot be removed at the same time. */
  async lockActiveAdmins(transaction: Transaction): Promise<string[]> {
    const admins = await this.queryRows(
      { id: column.text },
      `SELECT id FROM users WHERE role = 'admin' AND is_active ORDER BY id FOR NO KEY UPDATE`,
      [],
      transaction,
    );
    return admins.map(({ id }) => id);
  }

  /**
   * Locks the user against other changes until the transaction ends. With the purpose `deactivation`, inserts of rows that
   * refer to the user wait too, jobs and sessions above all.
   */
  lock(
    userId: string,
    purpose: 'change' | 'deactivation',
    transaction: Transaction,
  ): Promise<UserEntity | null> {
    const mode = purpose === 'deactivation' ? 'pessimistic_write' : 'for_no_key_update';
    return this.getTable(transaction).findOne({ where: { id: userId }, lock: { mode } });
  }

  async update(userId: string, changes: UserChanges, transaction: Transaction): Promise<boolean> {
    const { affected } = await this.getTable(transaction).update(
      { id: userId },
      { ...changes, updatedAt: () => 'now()' },
    );
    return affected === 1;
  }

  /**
   * Makes administrators of the active users with these addresses whom an administrator has added, and, while there is no
   * administrator, of the oldest of the others. Whether registration is open now says nothing about the time when they
   * registered.
   * @returns ids of those who were not administrators yet
   */
  async promote(emails: readonly string[], transaction: Transaction): Promise<string[]> {
    await this.execute('SELECT pg_advisory_xact_lock($1)', [AdvisoryLock.FirstUser], transaction);
    const promoted = await this.queryRows(
      { id: column.text },
      `UPDATE users SET role = 'admin', admin_role_requested_at = NULL, updated_at = now()
       WHERE email = ANY($1) AND role <> 'admin' AND is_active AND (
         added_by_administrator OR (NOT ${HAS_ADMIN} AND id = (
           SELECT id FROM users WHERE email = ANY($1) AND is_active ORDER BY created_at, id LIMIT 1)))
       RETURNING id`,
      [emails],
      transaction,
    );
    return promoted.map(({ id }) => id);
  }

  /**
   * Lets exactly the active users with these addresses wait for the role of an administrator.
   * @returns ids of those who did not wait before
   */
  async requestAdminRole(emails: readonly string[], transaction: Transaction): Promise<string[]> {
    await this.executeAndCount(
      `UPDATE users SET admin_role_requested_at = NULL
       WHERE admin_role_requested_at IS NOT NULL AND (role = 'admin' OR email <> ALL($1))`,
      [emails],
      transaction,
    );
    const waiting = await this.queryRows(
      { id: column.text },
      `UPDATE users SET admin_role_requested_at = now()
       WHERE email = ANY($1) AND role <> 'admin' AND is_active AND admin_role_requested_at IS NULL RETURNING id`,
      [emails],
      transaction,
    );
    return waiting.map(({ id }) => id);
  }

  async recordLogin(userId: string, transaction: Transaction): Promise<void> {
    await this.executeAndCount('UPDATE users SET last_login_at = now() WHERE id = $1', [userId], transaction);
  }

  async setPasswordHash(userId: string, passwordHash: string, transaction: Transaction): Promise<void> {
    await this.executeAndCount(
      'UPDATE users SET password_hash = $2, updated_at = now() WHERE id = $1',
      [userId, passwordHash],
      transaction,
    );
  }

  async setTotpEnabled(userId: string, enabled: boolean, transaction: Transaction): Promise<void> {
    await this.executeAndCount(
      'UPDATE users SET totp_enabled = $2, updated_at = now() WHERE id = $1',
      [userId, enabled],
      transaction,
    );
  }

  /**
   * Replaces a hash by a stronger one of the same password.
   * @returns false when the password, or only its hash, was changed meanwhile
   */
  async upgradePasswordHash(userId: string, from: string, to: string): Promise<boolean> {
    const upgraded = await this.executeAndCount(
      'UPDATE users SET password_hash = $3 WHERE id = $1 AND password_hash = $2',
      [userId, from, to],
    );
    return upgraded === 1;
  }

  /** Whether an active user's password and second factor are still these; they stay so until the transaction ends. */
  async hasCredentials(
    { id, passwordHash, totpEnabled }: Pick<UserEntity, 'id' | 'passwordHash' | 'totpEnabled'>,
    transaction: Transaction,
  ): Promise<boolean> {
    const found = await this.queryRows(
      {},
      `SELECT 1 FROM users WHERE id = $1 AND is_active AND password_hash = $2 AND totp_enabled = $3 FOR SHARE`,
      [id, passwordHash, totpEnabled],
      transaction,
    );
    return found.length > 0;
  }

  /**
   * The user's account maximum, with the row locked: connections of one user are counted one after another. null when
   * they are inactive or gone.
   */
  async lockAccountLimit(userId: string, transaction: Transaction): Promise<number | null> {
    const [row] = await this.queryRows(
      { limit: column.number },
      'SELECT max_mailbox_accounts AS "limit" FROM users WHERE id = $1 AND is_active FOR NO KEY UPDATE',
      [userId],
      transaction,
    );
    return row?.limit ?? null;
  }

  /** Deactivates the user and marks them for deletion. */
  async markForDeletion(userId: string, transaction: Transaction): Promise<void> {
    await this.execute(
      `UPDATE users SET is_active = false, deletion_requested_at = coalesce(deletion_requested_at, now()),
              updated_at = now() WHERE id = $1`,
      [userId],
      transaction,
    );
  }

  /** Deletes the row and, with it, all rows that refer to it. @returns false when it is gone already, or not marked */
  async deleteMarked(userId: string, transaction: Transaction): Promise<boolean> {
    const deleted = await this.executeAndCount(
      'DELETE FROM users WHERE id = $1 AND deletion_requested_at IS NOT NULL',
      [userId],
      transaction,
    );
    return deleted > 0;
  }

  /**
   * Notes that the user has had the report of the week that begins on `monday`, an ISO date.
   * @returns false when they have had it before, or are not active any more
   */
  async markReported(userId: string, monday: string, transaction: Transaction): Promise<boolean> {
    const marked = await this.executeAndCount(
      `UPDATE users SET reported_week = $2::date
       WHERE id = $1 AND is_active AND deletion_requested_at IS NULL
         AND (reported_week IS NULL OR reported_week < $2::date)`,
      [userId, monday],
      transaction,
    );
    return marked > 0;
  }
}
