import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { BaseRepository } from '../common/database/base.repository';
import { MailboxListingEntity } from './message-index.entity';

/** Identifies the listings of a run, see `MailboxListingEntity`. */
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

  /** Deletes the run's listings, and those of runs that never came to an end. */
  async delete({ accountId, run }: ListingRun): Promise<void> {
    await this.execute(
      `DELETE FROM mailbox_listings
       WHERE account_id = $1 AND (run = $2 OR listed_at < now() - interval '2 days')`,
      [accountId, run],
    );
  }
}
