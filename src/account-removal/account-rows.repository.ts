import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { BaseRepository } from '../common/database/base.repository';
import { MailboxAccountEntity } from '../mailbox/mailbox-account.entity';

/** Rows deleted in one transaction: some tenths of a second. */
const BATCH = 5_000;

/** A mailbox may have a million messages. Other tables of accounts are small and go with the account's row. */
const LARGE_TABLES: readonly string[] = [
  'mailbox_messages',
  'mailbox_listings',
  'provider_usage',
  'tracking_scans',
  'archived_senders',
  'archived_threads',
  'imported_thread_ids',
];

/**
 * Rows of an account in large tables, deleted before the account's row: deleting that alone would be one transaction of
 * minutes, which holds the rows of the account's jobs, so that the heartbeats of all jobs of a process wait for it.
 */
@Injectable()
export class AccountRowsRepository extends BaseRepository<MailboxAccountEntity> {
  constructor(dataSource: DataSource) {
    super(dataSource, MailboxAccountEntity);
  }

  /** @param betweenBatches may throw to stop */
  async deleteOf(accountId: string, betweenBatches: () => void): Promise<void> {
    for (const table of LARGE_TABLES) {
      for (let deleted = BATCH; deleted === BATCH;) {
        betweenBatches();
        deleted = await this.affected(
          `DELETE FROM ${table} WHERE ctid = ANY (ARRAY(SELECT ctid FROM ${table} WHERE account_id = $1 LIMIT $2))`,
          [accountId, BATCH],
        );
      }
    }
  }
}
