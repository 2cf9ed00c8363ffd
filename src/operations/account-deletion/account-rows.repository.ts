import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { BaseRepository } from '../../platform/database/base.repository';
import type { Transaction } from '../../platform/database/transactions';
import { MailboxAccountEntity } from '../../mailbox/accounts/mailbox-account.entity';

/** Number of rows deleted in one transaction, which takes some tenths of a second. */
export const ROWS_AT_ONCE = 5_000;

/**
 * Large tables: a mailbox may have a million messages. Other tables of accounts are small and are deleted with the account's
 * row; a test compares this list with the schema.
 */
export const LARGE_TABLES: readonly string[] = [
  'mailbox_messages',
  'mailbox_listings',
  'imap_messages',
  'imap_places',
  'imap_changes',
  'ledger_messages',
  'provider_usage',
  'tracking_scans',
  'archived_senders',
  'archived_sender_names',
  'archived_threads',
  'imported_thread_ids',
  'restore_items',
  'offload_items',
  'change_journal',
  'integrity_findings',
  'pii_findings',
  'imported_subjects',
];

/**
 * Tables with data read from the live mailbox, without the archive; the state of the index is last. Messages of IMAP mailboxes
 * are deleted before their places: the places find the messages that are left when the mailbox is connected again.
 */
export const MAILBOX_TABLES = [
  'mailbox_messages',
  'mailbox_listings',
  'imap_messages',
  'imap_places',
  'imap_changes',
  'imap_folders',
  'ledger_messages',
  'tracking_scans',
  'cleanup_suggestions',
  'inbox_days',
] as const;

export type MailboxTable = (typeof MAILBOX_TABLES)[number];

/**
 * Deletes rows of an account in large tables before the account's row. Deleting that row alone would be one transaction of
 * minutes, which holds the rows of the account's jobs, so that the heartbeats of all jobs of a process wait for it.
 */
@Injectable()
export class AccountRowsRepository extends BaseRepository<MailboxAccountEntity> {
  constructor(dataSource: DataSource) {
    super(dataSource, MailboxAccountEntity);
  }

  /** Deletes mails of restores of other accounts into this one, which are deleted with its row. @returns as `deleteBatch` */
  deleteItemsInto(accountId: string, transaction: Transaction): Promise<number> {
    return this.executeAndCount(
      `DELETE FROM restore_items WHERE ctid = ANY (ARRAY(
         SELECT item.ctid FROM restores restore JOIN restore_items item ON item.restore_id = restore.id
          WHERE restore.target_account_id = $1 LIMIT $2))`,
      [accountId, ROWS_AT_ONCE],
      transaction,
    );
  }

  /** Deletes a batch of the account's rows. @returns rows deleted; fewer than `ROWS_AT_ONCE` when none is left */
  deleteBatch(table: string, accountId: string, transaction: Transaction): Promise<number> {
    return this.executeAndCount(
      `DELETE FROM ${table} WHERE ctid = ANY (ARRAY(SELECT ctid FROM ${table} WHERE account_id = $1 LIMIT $2))`,
      [accountId, ROWS_AT_ONCE],
      transaction,
    );
  }

  /** Keeps a disconnected account from being connected until the transaction ends. @returns whether it is disconnected */
  async lockDisconnected(userId: string, accountId: string, transaction: Transaction): Promise<boolean> {
    const found = await this.queryRows(
      {},
      `SELECT 1 FROM mailbox_accounts WHERE id = $1 AND user_id = $2 AND status = 'disconnected' FOR SHARE`,
      [accountId, userId],
      transaction,
    );
    return found.length > 0;
  }
}
