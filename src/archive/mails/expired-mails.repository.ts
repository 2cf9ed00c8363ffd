import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { ArchivedMailEntity } from './archived-mail.entity';
import type { FileToDelete } from '../files/file-deletions';
import { BaseRepository } from '../../platform/database/base.repository';
import type { Transaction } from '../../platform/database/transactions';
import { column } from '../../platform/database/row-shape';
import { notHeld } from './holds/archive-holds';
import { AGEING_FROM } from './stored-mails';

/** Expired mails of one account. */
export interface ExpiredMails {
  readonly userId: string;
  readonly accountId: string;
  /** Mails whose date and arrival are both before this instant (`AGEING_FROM`). */
  readonly before: Date;
  /** Mails with one of these labels; null: with any or none. */
  readonly labels: readonly string[] | null;
  /** Also mails whose messages were moved out of the mailbox after they had been archived. */
  readonly includeOffloaded: boolean;
  /** Also mails of which it is not known, since a backup was restored, whether their messages were moved out of the mailbox. */
  readonly includeDoubtful: boolean;
}

export interface ExpiredSummary {
  readonly count: number;
  readonly bytes: number;
  /** Dates of the oldest and the newest of them; null when there are none. */
  readonly oldest: Date | null;
  readonly newest: Date | null;
}

const MATCHING = `user_id = $1 AND account_id = $2 AND date < $3 AND ${AGEING_FROM} < $3 AND ($4::text[] IS NULL OR label_ids && $4::text[])
  AND ($5::boolean OR offload_plan_id IS NULL OR coalesce(presence = 'mailbox', false))`;
const EXPIRED = `${MATCHING} AND ($6::boolean OR NOT may_be_offloaded)`;
const parametersOf = (expired: ExpiredMails): unknown[] => [
  expired.userId,
  expired.accountId,
  expired.before.toISOString(),
  expired.labels,
  expired.includeOffloaded,
  expired.includeDoubtful,
];

/** Archived mails that retention policies no longer keep. */
@Injectable()
export class ExpiredMailsRepository extends BaseRepository<ArchivedMailEntity> {
  constructor(dataSource: DataSource) {
    super(dataSource, ArchivedMailEntity);
  }

  async summarize(expired: ExpiredMails): Promise<ExpiredSummary> {
    const [row] = await this.queryRows(
      {
        count: column.text,
        bytes: column.text,
        oldest: column.nullable(column.date),
        newest: column.nullable(column.date),
      },
      `SELECT count(*) AS count, coalesce(sum(size_bytes), 0) AS bytes, min(date) AS oldest, max(date) AS newest
         FROM archived_mails WHERE ${EXPIRED}`,
      parametersOf(expired),
    );
    const { count, bytes, oldest, newest } = row!;
    return { count: Number(count), bytes: Number(bytes), oldest, newest };
  }

  /** Mails that would be deleted if it were known that no offload before the last restored backup has moved their messages. */
  async countUncertain(expired: ExpiredMails): Promise<number> {
    if (expired.includeDoubtful) return 0;
    const [row] = await this.queryRows(
      { count: column.number },
      `SELECT count(*)::int AS count FROM archived_mails WHERE ${MATCHING} AND may_be_offloaded`,
      parametersOf(expired).slice(0, 5),
    );
    return row!.count;
  }

  /**
   * Deletes the given mails that still exist and are still expired, with their dependent rows. Held ones stay until
   * the next run.
   * @param transaction has locked the account's archive
   * @returns their files, which the caller enqueues to be deleted
   */
  async delete(
    expired: ExpiredMails,
    ids: readonly string[],
    transaction: Transaction,
  ): Promise<FileToDelete[]> {
    const rows = await this.queryRows(
      { storage: column.text, storage_key: column.text },
      `DELETE FROM archived_mails WHERE id = ANY ($7::uuid[]) AND ${EXPIRED} AND ${notHeld('archived_mails')}
       RETURNING storage, storage_key`,
      [...parametersOf(expired), ids],
      transaction,
    );
    const { userId, accountId } = expired;
    return rows.map(({ storage, storage_key: storageKey }) => ({ storage, storageKey, userId, accountId }));
  }
}
