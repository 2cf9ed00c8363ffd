import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { BaseRepository } from '../../../platform/database/base.repository';
import { column, RowShape } from '../../../platform/database/row-shape';
import type { Transaction } from '../../../platform/database/transactions';
import {
  IMAP_SECURITIES,
  ImapAccountEntity,
  type ImapFolderRoles,
  type ImapSecurity,
} from './imap-account.entity';

/** Server of an IMAP account and its capabilities, see `ImapAccountEntity`. */
export interface ImapAccount {
  readonly accountId: string;
  readonly host: string;
  readonly port: number;
  readonly security: ImapSecurity;
  readonly username: string;
  readonly certificateSha256: string | null;
  readonly capabilities: readonly string[];
  readonly preset: string | null;
  readonly maxConnections: number;
  readonly exactSizes: boolean;
  readonly gmailLabels: boolean;
  readonly roles: ImapFolderRoles;
  /** Issuer of the grant that logs in; null: a password does. */
  readonly oauthIssuer: string | null;
}

const ROW: RowShape<ImapAccount> = {
  accountId: column.text,
  host: column.text,
  port: column.number,
  security: column.oneOf(IMAP_SECURITIES),
  username: column.text,
  certificateSha256: column.nullable(column.text),
  capabilities: column.array(column.text),
  preset: column.nullable(column.text),
  maxConnections: column.number,
  exactSizes: column.boolean,
  gmailLabels: column.boolean,
  roles: column.json<ImapFolderRoles>(),
  oauthIssuer: column.nullable(column.text),
};

const COLUMNS = `imap.account_id AS "accountId", imap.host, imap.port, imap.security, imap.username,
  imap.certificate_sha256 AS "certificateSha256", imap.capabilities, imap.preset,
  imap.max_connections AS "maxConnections", imap.exact_sizes AS "exactSizes",
  imap.gmail_labels AS "gmailLabels", imap.roles, imap.oauth_issuer AS "oauthIssuer"`;

/** Servers of mailboxes connected by IMAP. */
@Injectable()
export class ImapAccountsRepository extends BaseRepository<ImapAccountEntity> {
  constructor(dataSource: DataSource) {
    super(dataSource, ImapAccountEntity);
  }

  /** Finds the server of an account. The caller must have checked that the account is the user's, as provider calls do. */
  async find(accountId: string): Promise<ImapAccount | null> {
    const [found] = await this.queryRows(
      ROW,
      `SELECT ${COLUMNS} FROM imap_accounts imap WHERE account_id = $1`,
      [accountId],
    );
    return found ?? null;
  }

  /** Locks the server of an account until the transaction ends. @returns null when there is none yet */
  async lock(accountId: string, transaction: Transaction): Promise<ImapAccount | null> {
    const [found] = await this.queryRows(
      ROW,
      `SELECT ${COLUMNS} FROM imap_accounts imap WHERE account_id = $1 FOR UPDATE`,
      [accountId],
      transaction,
    );
    return found ?? null;
  }

  async findOwned(userId: string, accountId: string): Promise<ImapAccount | null> {
    const [found] = await this.queryRows(
      ROW,
      `SELECT ${COLUMNS} FROM imap_accounts imap JOIN mailbox_accounts account ON account.id = imap.account_id
       WHERE imap.account_id = $1 AND account.user_id = $2`,
      [accountId, userId],
    );
    return found ?? null;
  }

  /** Inserts the row of an account, or replaces all of its columns. */
  async save(account: ImapAccount, transaction?: Transaction): Promise<void> {
    await this.execute(
      `INSERT INTO imap_accounts (account_id, host, port, security, username, certificate_sha256, capabilities, preset,
                                  max_connections, exact_sizes, gmail_labels, roles, oauth_issuer)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
       ON CONFLICT (account_id) DO UPDATE
       SET host = excluded.host, port = excluded.port, security = excluded.security, username = excluded.username,
           certificate_sha256 = excluded.certificate_sha256, capabilities = excluded.capabilities,
           preset = excluded.preset, max_connections = excluded.max_connections,
           exact_sizes = excluded.exact_sizes, gmail_labels = excluded.gmail_labels, roles = excluded.roles,
           oauth_issuer = excluded.oauth_issuer, updated_at = now()`,
      [
        account.accountId,
        account.host,
        account.port,
        account.security,
        account.username,
        account.certificateSha256,
        account.capabilities,
        account.preset,
        account.maxConnections,
        account.exactSizes,
        account.gmailLabels,
        JSON.stringify(account.roles),
        account.oauthIssuer,
      ],
      transaction,
    );
  }

  /** Stores the roles of folders that the user confirmed. */
  async setRoles(accountId: string, roles: ImapFolderRoles): Promise<void> {
    await this.executeAndCount(
      'UPDATE imap_accounts SET roles = $2, updated_at = now() WHERE account_id = $1',
      [accountId, JSON.stringify(roles)],
    );
  }

  /** Stores the capabilities that the server announces. */
  async setCapabilities(accountId: string, capabilities: readonly string[]): Promise<void> {
    await this.executeAndCount(
      `UPDATE imap_accounts SET capabilities = $2, updated_at = now()
       WHERE account_id = $1 AND capabilities <> $2`,
      [accountId, capabilities],
    );
  }
}
