import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { BaseRepository } from '../../platform/database/base.repository';
import { column, RowShape } from '../../platform/database/row-shape';
import { ENDED_STATUSES } from '../../mailbox/accounts/mailbox-account.entity';
import type { UserRole } from '../../platform/access/authenticated-user';
import { UserEntity } from '../../identity/users/user.entity';

/** A row as the driver returns it, with big integers as text. */
export interface ListedUser {
  readonly id: string;
  readonly email: string;
  readonly name: string | null;
  readonly role: UserRole;
  readonly is_active: boolean;
  readonly awaits_admin_role: boolean;
  readonly max_mailbox_accounts: number;
  readonly storage_quota_bytes: string;
  readonly mailbox_accounts_count: number;
  readonly storage_used_bytes: string;
  readonly last_login_at: Date | null;
  readonly created_at: Date;
}

const LISTED_USER_ROW: RowShape<ListedUser> = {
  id: column.text,
  email: column.text,
  name: column.nullable(column.text),
  role: column.oneOf(['admin', 'user']),
  is_active: column.boolean,
  awaits_admin_role: column.boolean,
  max_mailbox_accounts: column.number,
  storage_quota_bytes: column.text,
  mailbox_accounts_count: column.number,
  storage_used_bytes: column.text,
  last_login_at: column.nullable(column.date),
  created_at: column.date,
};

/** Users with their mailboxes and archive sizes, in one statement. `page` is the relation of the users to list. */
const buildListSql = (page: string): string => `
  SELECT u.id, u.email, u.name, u.role, u.is_active, u.admin_role_requested_at IS NOT NULL AS awaits_admin_role,
         u.max_mailbox_accounts, u.storage_quota_bytes,
         owned.accounts AS mailbox_accounts_count, owned.bytes AS storage_used_bytes, u.last_login_at, u.created_at
  FROM ${page} u CROSS JOIN LATERAL (
    SELECT count(*) FILTER (WHERE account.status NOT IN ${ENDED_STATUSES})::int AS accounts,
           coalesce(sum(totals.bytes), 0) AS bytes
    FROM mailbox_accounts account LEFT JOIN archive_totals totals ON totals.account_id = account.id
    WHERE account.user_id = u.id) owned`;

/** SQL condition of the search: a substring, not a pattern; every character stands for itself. */
const MATCHES = `($1::text IS NULL OR strpos(lower(email), lower($1)) > 0 OR strpos(lower(name), lower($1)) > 0)`;

@Injectable()
export class AdminUsersRepository extends BaseRepository<UserEntity> {
  constructor(dataSource: DataSource) {
    super(dataSource, UserEntity);
  }

  /** A page of users, newest first. @param search part of the address or the name; null for all users */
  async listPage(search: string | null, limit: number, offset: number): Promise<ListedUser[]> {
    return this.queryRows(
      LISTED_USER_ROW,
      `WITH page AS (
         SELECT * FROM users WHERE ${MATCHES} ORDER BY created_at DESC, id DESC LIMIT $2 OFFSET $3
       )
       ${buildListSql('page')} ORDER BY u.created_at DESC, u.id DESC`,
      [search, limit, offset],
    );
  }

  async count(search: string | null): Promise<number> {
    const [row] = await this.queryRows(
      { count: column.number },
      `SELECT count(*)::int AS count FROM users WHERE ${MATCHES}`,
      [search],
    );
    return row?.count ?? 0;
  }

  async find(userId: string): Promise<ListedUser | null> {
    const [user] = await this.queryRows(LISTED_USER_ROW, `${buildListSql('users')} WHERE u.id = $1`, [
      userId,
    ]);
    return user ?? null;
  }
}
