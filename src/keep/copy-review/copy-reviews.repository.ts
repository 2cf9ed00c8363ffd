import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { MailPosition } from '../../archive/mails/stored-mails';
import { BaseRepository } from '../../platform/database/base.repository';
import { column } from '../../platform/database/row-shape';
import type { Transaction } from '../../platform/database/transactions';
import { ImapCopyReviewEntity } from './copy-review.entity';

export interface CopyReviewState {
  readonly begunAt: Date;
  /** Position of the last mail reviewed; null: the review is at the beginning. */
  readonly position: MailPosition | null;
  readonly checked: number;
  readonly suspects: number;
  readonly restored: number;
  /** Steps that ended at this position although the mailbox answered. */
  readonly attempts: number;
  readonly isFinished: boolean;
}

export type ReviewCounts = Pick<CopyReviewState, 'checked' | 'suspects' | 'restored'>;

/** Progress of the reviews, by account. */
@Injectable()
export class CopyReviewsRepository extends BaseRepository<ImapCopyReviewEntity> {
  constructor(dataSource: DataSource) {
    super(dataSource, ImapCopyReviewEntity);
  }

  /** @returns null when the account needs none */
  async find(accountId: string): Promise<CopyReviewState | null> {
    const [row] = await this.queryRows(
      {
        begunAt: column.date,
        cursorDate: column.nullable(column.text),
        cursorId: column.nullable(column.text),
        checked: column.number,
        suspects: column.number,
        restored: column.number,
        attempts: column.number,
        isFinished: column.boolean,
      },
      `SELECT begun_at AS "begunAt", cursor_date::text AS "cursorDate", cursor_id AS "cursorId", checked, suspects, restored, attempts,
              finished_at IS NOT NULL AS "isFinished"
       FROM imap_copy_reviews WHERE account_id = $1`,
      [accountId],
    );
    if (!row) return null;
    const { cursorDate, cursorId, ...state } = row;
    return { ...state, position: cursorDate && cursorId ? { date: cursorDate, id: cursorId } : null };
  }

  /**
   * Adds the counts of a batch and moves the position behind it.
   * @param attempts those that the next batch begins with
   * @returns false when another process has moved the review on from that state
   */
  async advance(
    accountId: string,
    from: CopyReviewState,
    to: MailPosition,
    counts: ReviewCounts,
    attempts: number,
  ): Promise<boolean> {
    const advanced = await this.executeAndCount(
      `UPDATE imap_copy_reviews SET cursor_date = $4::timestamptz, cursor_id = $5, checked = checked + $6,
         suspects = suspects + $7, restored = restored + $8, attempts = $9
       WHERE account_id = $1 AND finished_at IS NULL
         AND cursor_date IS NOT DISTINCT FROM $2::timestamptz AND cursor_id IS NOT DISTINCT FROM $3::uuid`,
      [
        ...[accountId, from.position?.date ?? null, from.position?.id ?? null, to.date, to.id],
        ...[counts.checked, counts.suspects, counts.restored, attempts],
      ],
    );
    return advanced > 0;
  }

  /** Counts a step that ended at a position, unless another reviewer has moved on from it or counted one meanwhile. */
  async countAttempt(accountId: string, { position, attempts }: CopyReviewState): Promise<void> {
    await this.execute(
      `UPDATE imap_copy_reviews SET attempts = attempts + 1
       WHERE account_id = $1 AND finished_at IS NULL AND attempts = $4
         AND cursor_date IS NOT DISTINCT FROM $2::timestamptz AND cursor_id IS NOT DISTINCT FROM $3::uuid`,
      [accountId, position?.date ?? null, position?.id ?? null, attempts],
    );
  }

  /** @returns false when it had been finished before */
  async finish(accountId: string, transaction: Transaction): Promise<boolean> {
    const finished = await this.executeAndCount(
      'UPDATE imap_copy_reviews SET finished_at = now() WHERE account_id = $1 AND finished_at IS NULL',
      [accountId],
      transaction,
    );
    return finished > 0;
  }
}
