import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { BaseRepository } from '../../platform/database/base.repository';
import { column } from '../../platform/database/row-shape';
import { MailboxListingEntity } from './message-index.entity';

/** Identifies the listings of a run, see `MailboxListingEntity`. */
export interface ListingRun {
  readonly accountId: string;
  readonly run: string;
}

/** Listings of a mailbox, stored while they are compared with the index. */
@Injectable()
export class ListingsRepository extends BaseRepository<MailboxListingEntity> {
  constructor(dataSource: DataSource) {
    super(dataSource, MailboxListingEntity);
  }

  /** Adds a page, which may be repeated. @param labelId the label that was listed; empty for all messages */
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
   * Lists messages of the run in the order of their ids, with the labels under which they were listed.
   * @param after id after which the page begins; null: from the first
   */
  readPage(
    { accountId, run }: ListingRun,
    after: string | null,
    limit: number,
  ): Promise<{ id: string; labelIds: string[] }[]> {
    return this.queryRows(
      { id: column.text, labelIds: column.array(column.text) },
      `SELECT listed.message_id AS id, array_remove(listed.labels, '') AS "labelIds" FROM (
         SELECT message_id, array_agg(label_id::text ORDER BY label_id) AS labels FROM mailbox_listings
          WHERE account_id = $1 AND run = $2 AND message_id > $3
          GROUP BY message_id ORDER BY message_id LIMIT $4
       ) listed`,
      [accountId, run, after ?? '', limit],
    );
  }

  /** Returns those of the messages that the run has not listed. */
  async findUnlisted({ accountId, run }: ListingRun, ids: readonly string[]): Promise<string[]> {
    if (ids.length === 0) return [];
    const rows = await this.queryRows(
      { id: column.text },
      `SELECT asked.id FROM unnest($3::text[]) AS asked (id) CROSS JOIN LATERAL (
         SELECT FROM mailbox_listings
          WHERE account_id = $1 AND run = $2 AND message_id = asked.id LIMIT 1
       ) listed`,
      [accountId, run, ids],
    );
    const listed = new Set(rows.map(({ id }) => id));
    return ids.filter((id) => !listed.has(id));
  }

  /** Deletes the run's listings, and those of runs that never ended. */
  async delete({ accountId, run }: ListingRun): Promise<void> {
    await this.execute(
      `DELETE FROM mailbox_listings
       WHERE account_id = $1 AND (run = $2 OR listed_at < now() - interval '2 days')`,
      [accountId, run],
    );
  }
}
