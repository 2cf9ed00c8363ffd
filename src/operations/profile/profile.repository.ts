import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { BaseRepository } from '../../platform/database/base.repository';
import { column, RowShape, typedRows } from '../../platform/database/row-shape';
import type { StoredAccountStatus } from '../../mailbox/accounts/mailbox-account.entity';
import { DisplayPreferences, PREFERENCES_ROW } from './display-preferences.entity';
import { UserEntity } from '../../identity/users/user.entity';

export interface ProfileUser {
  readonly id: string;
  readonly email: string;
  readonly name: string | null;
  readonly role: 'admin' | 'user';
  readonly is_active: boolean;
  readonly max_mailbox_accounts: number;
  readonly storage_quota_bytes: number;
  readonly totp_enabled: boolean;
  readonly has_password: boolean;
  readonly created_at: string;
}

export interface ProfileAccount {
  readonly account_id: string;
  readonly account_email: string;
  readonly provider: string;
  readonly account_is_active: boolean;
  readonly status: StoredAccountStatus;
  readonly sealed_credentials: string | null;
  readonly rate_limited_until: string | null;
  readonly last_synced_at: string | null;
  readonly account_created_at: string;
  /** Bytes of the account's archived mails. */
  readonly archived_bytes: number;
}

export interface Profile {
  readonly user: ProfileUser;
  readonly preferences: DisplayPreferences;
  /** Accounts, oldest first, including disconnected ones. */
  readonly accounts: readonly ProfileAccount[];
}

const USER_ROW: RowShape<ProfileUser> = {
  id: column.text,
  email: column.text,
  name: column.nullable(column.text),
  role: column.oneOf(['admin', 'user']),
  is_active: column.boolean,
  max_mailbox_accounts: column.number,
  storage_quota_bytes: column.number,
  totp_enabled: column.boolean,
  has_password: column.boolean,
  created_at: column.timestamp,
};

const ACCOUNT_ROW: RowShape<ProfileAccount> = {
  account_id: column.text,
  account_email: column.text,
  provider: column.text,
  account_is_active: column.boolean,
  status: column.oneOf(['connected', 'needs_reauth', 'disconnected', 'purging']),
  sealed_credentials: column.nullable(column.text),
  rate_limited_until: column.nullable(column.timestamp),
  last_synced_at: column.nullable(column.timestamp),
  account_created_at: column.timestamp,
  archived_bytes: column.number,
};

const FIND = {
  name: 'profile',
  sql: `SELECT u.id, u.email, u.name, u.role, u.is_active, u.max_mailbox_accounts,
               u.storage_quota_bytes::float8 AS storage_quota_bytes, u.totp_enabled,
               u.password_hash IS NOT NULL AS has_password, u.created_at,
               p.language, p.timezone, p.theme, p.density,
               a.id AS account_id, a.email AS account_email, a.provider, a.is_active AS account_is_active, a.status,
               a.sealed_credentials, a.rate_limited_until, a.last_synced_at, a.created_at AS account_created_at,
               coalesce(t.bytes, 0)::float8 AS archived_bytes
        FROM users u
        LEFT JOIN display_preferences p ON p.user_id = u.id
        LEFT JOIN mailbox_accounts a ON a.user_id = u.id
        LEFT JOIN archive_totals t ON t.account_id = a.id
        WHERE u.id = $1
        ORDER BY a.created_at, a.id`,
};

/** Reads the response of `GET /api/auth/me` in one statement. */
@Injectable()
export class ProfileRepository extends BaseRepository<UserEntity> {
  constructor(dataSource: DataSource) {
    super(dataSource, UserEntity);
  }

  /** Tells whether the installation has users. */
  async hasUsers(): Promise<boolean> {
    const [row] = await this.queryRows(
      { exists: column.boolean },
      'SELECT EXISTS (SELECT FROM users) AS exists',
      [],
    );
    return row?.exists ?? false;
  }

  /** A user's profile; null when the user is gone. */
  async find(userId: string): Promise<Profile | null> {
    const rows = await this.readRows({ account_id: column.nullable(column.text) }, FIND, [userId]);
    const [user] = typedRows(USER_ROW, rows);
    const [preferences] = typedRows(PREFERENCES_ROW, rows);
    if (!user || !preferences) return null;
    // A user without accounts is one row whose account is null.
    const owned = rows.filter(({ account_id: id }) => id !== null);
    return { user, preferences, accounts: typedRows(ACCOUNT_ROW, owned) };
  }
}
