import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { MailPosition } from '../archive/stored-mails.repository';
import { BaseRepository } from '../common/database/base.repository';
import { column } from '../common/database/row-shape';
import type { Transaction } from '../common/database/transactions';
import { ImapCopyReviewEntity } from './copy-review.entity';

export interface CopyReviewState {
  readonly begunAt: Date;
  /** Null: at the beginning. */
  readonly position: MailPosition | null;
  readonly checked: number;
  readonly suspects: number;
  readonly restored: number;
  readonly isFinished: boolean;
}

export type ReviewCounts = Pick<CopyReviewState, 'checked' | 'suspects' | 'restored'>;

/** How far the reviews of accounts have come. */
@Injectable()
export class CopyReviewsRepository extends BaseRepository<ImapCopyReviewEntity> {
  constructor(dataSource: DataSource) {
    super(dataSource, ImapCopyReviewEntity);
  }

  /** @returns null when the account needs none */
  async find(accountId: string): Promise<CopyReviewState | null> {
    const [row] = await this.rows(
      {
        begunAt: column.date,
        cursorDate: column.nullable(column.text),
        cursorId: column.nullable(column.text),
        checked: column.number,
        suspects: column.number,
        restored: column.number,
        isFinished: column.boolean,
      },
      `SELECT begun_at AS "begunAt", cursor_date::text AS "cursorDate", cursor_id AS "cursorId", checked, suspects, restored,
              finished_at IS NOT NULL AS "isFinished"
       FROM imap_copy_reviews WHERE account_id = $1`,
      [accountId],
    );
    if (!row) return null;
    const { cursorDate, cursorId, ...state } = row;
    return { ...state, position: cursorDate && cursorId ? { date: cursorDate, id: cursorId } : null };
  }

  async advance(accountId: string, position: MailPosition, counts: ReviewCounts): Promise<void> {
    await this.execute(
      `UPDATE imap_copy_reviews SET cursor_date = $2::timestamptz, cursor_id = $3, checked = checked + $4,
         suspects = suspects + $5, restored = restored + $6
       WHERE account_id = $1 AND finished_at IS NULL`,
      [accountId, position.date, position.id, counts.checked, counts.suspects, counts.restored],
    );
  }

  /** @returns false when it had been finished before */
  async finish(accountId: string, transaction: Transaction): Promise<boolean> {
    const finished = await this.affected(
      'UPDATE imap_copy_reviews SET finished_at = now() WHERE account_id = $1 AND finished_at IS NULL',
      [accountId],
      transaction,
    );
    return finished > 0;
  }
}
