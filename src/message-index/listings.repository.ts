import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { BaseRepository } from '../common/database/base.repository';
import type { Transaction } from '../common/database/transactions';
import { MailboxListingEntity } from './message-index.entity';

/** What a run is about, see `MailboxListingEntity`. */
export interface ListingRun {
  readonly accountId: string;
  readonly run: string;
}

/** Listings of a mailbox, as long as it takes to compare them with the index. */
@Injectable()
export class ListingsRepository extends BaseRepository<MailboxListingEntity> {
  constructor(dataSource: DataSource) {
    super(dataSource, MailboxListingEntity);
  }

  /** Adds a page; repeating it does no harm. @param labelId empty: of all messages */
  async add({ accountId, run }: ListingRun, labelId: string, ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    await this.execute(
      `INSERT INTO mailbox_listings (account_id, run, message_id, label_id)
       SELECT $1, $2, id, $3 FROM unnest($4::text[]) AS id
       ON CONFLICT DO NOTHING`,
      [accountId, run, labelId, ids],
    );
  }

  /**
   * Gives up to `limit` rows that had to be verified the labels they were listed with.
   * @returns how many rows that were; 0: the rest is not listed
   */
  verifyRows({ accountId, run }: ListingRun, limit: number, transaction: Transaction): Promise<number> {
    // The listings come and go, so that the planner's idea of how many there are is often wrong. OFFSET 0 keeps it
    // from joining, ctid from searching: each row is looked up by its full key, whatever the planner believes.
    return this.affected(
      `UPDATE mailbox_messages m SET label_ids = listed.labels, stale = false
       FROM (
         SELECT due.row, ARRAY(
           SELECT label.label_id::text FROM mailbox_listings label
           WHERE label.account_id = $1 AND label.run = $2 AND label.message_id = due.message_id
             AND label.label_id <> ''
         ) AS labels
         FROM (
           SELECT stored.ctid AS row, stored.message_id FROM mailbox_messages stored
           WHERE stored.account_id = $1 AND stored.stale AND EXISTS (
             SELECT FROM mailbox_listings listing
             WHERE listing.account_id = $1 AND listing.run = $2
               AND listing.message_id = stored.message_id AND listing.label_id = '' OFFSET 0
           ) LIMIT $3
         ) due
       ) listed
       WHERE m.ctid = listed.row`,
      [accountId, run, limit],
      transaction,
    );
  }

  /** Removes the run's listings, and those of runs that never came to an end. */
  async remove({ accountId, run }: ListingRun): Promise<void> {
    await this.execute(
      `DELETE FROM mailbox_listings
       WHERE account_id = $1 AND (run = $2 OR listed_at < now() - interval '2 days')`,
      [accountId, run],
    );
  }
}
