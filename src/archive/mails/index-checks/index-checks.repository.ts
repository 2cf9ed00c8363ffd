import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { BaseRepository } from '../../../platform/database/base.repository';
import { column } from '../../../platform/database/row-shape';
import { IndexCheckEntity } from './index-check.entity';

/** Numbers that a check adds to. */
export interface CheckedCounts {
  readonly mails: number;
  readonly attachments: number;
  readonly mismatches: number;
  readonly unreadable: number;
}

/** The latest check of each account. */
@Injectable()
export class IndexChecksRepository extends BaseRepository<IndexCheckEntity> {
  constructor(dataSource: DataSource) {
    super(dataSource, IndexCheckEntity);
  }

  /** The latest check of an account; null: there was none. */
  find(accountId: string): Promise<IndexCheckEntity | null> {
    return this.getTable().findOneBy({ accountId });
  }

  /** Begins a check of an account, or goes on with one that is not at its end. @returns mails still to be checked */
  async open(accountId: string, wanted: number): Promise<number> {
    await this.execute(
      `INSERT INTO archive_index_checks AS latest (account_id, wanted)
       SELECT id, $2 FROM mailbox_accounts WHERE id = $1
       ON CONFLICT (account_id) DO UPDATE
          SET started_at = now(), ended_at = NULL, wanted = excluded.wanted, mails = 0, attachments = 0, mismatches = 0, unreadable = 0
        WHERE latest.ended_at IS NOT NULL`,
      [accountId, wanted],
    );
    const [row] = await this.queryRows(
      { remaining: column.number },
      'SELECT greatest(wanted - mails - unreadable, 0) AS remaining FROM archive_index_checks WHERE account_id = $1',
      [accountId],
    );
    return row?.remaining ?? 0;
  }

  /** Adds to the numbers of a check. */
  async add(accountId: string, { mails, attachments, mismatches, unreadable }: CheckedCounts): Promise<void> {
    await this.executeAndCount(
      `UPDATE archive_index_checks SET mails = mails + $2, attachments = attachments + $3, mismatches = mismatches + $4,
              unreadable = unreadable + $5
        WHERE account_id = $1`,
      [accountId, mails, attachments, mismatches, unreadable],
    );
  }

  /** Ends a check. */
  async end(accountId: string): Promise<void> {
    await this.executeAndCount(
      'UPDATE archive_index_checks SET ended_at = now() WHERE account_id = $1 AND ended_at IS NULL',
      [accountId],
    );
  }
}
