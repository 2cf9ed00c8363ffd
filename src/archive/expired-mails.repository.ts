import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { ArchivedMailEntity } from './archived-mail.entity';
import type { FileToDelete } from '../archive-storage/file-deletions.repository';
import { BaseRepository } from '../common/database/base.repository';
import type { Transaction } from '../common/database/transactions';
import { column } from '../common/database/row-shape';

/** Which archived mails of one account are to go. */
export interface ExpiredMails {
  readonly userId: string;
  readonly accountId: string;
  /** Those whose date is before this instant. */
  readonly before: Date;
  /** Those with one of these labels; null: with any or none. */
  readonly labels: readonly string[] | null;
}

/** Where a walk through an account's mails stands, oldest first. */
export interface Position {
  /** As the database writes it, so that no digit is lost. */
  readonly date: string;
  readonly id: string;
}

export interface ExpiredSummary {
  readonly count: number;
  readonly bytes: number;
  /** Dates of the oldest and the newest of them; null when there are none. */
  readonly oldest: Date | null;
  readonly newest: Date | null;
}

/** Mails in the order of their dates, with those that are doomed. */
export interface MailWindow {
  readonly doomedIds: readonly string[];
  /** Of the last mail looked at; null when there was none. */
  readonly last: Position | null;
}

const DOOMED = `user_id = $1 AND account_id = $2 AND date < $3 AND ($4::text[] IS NULL OR label_ids && $4::text[])`;
const parametersOf = ({ userId, accountId, before, labels }: ExpiredMails): unknown[] => [
  userId,
  accountId,
  before.toISOString(),
  labels,
];

/** Archived mails that have had their time. */
@Injectable()
export class ExpiredMailsRepository extends BaseRepository<ArchivedMailEntity> {
  constructor(dataSource: DataSource) {
    super(dataSource, ArchivedMailEntity);
  }

  /** The database's clock, from which ages count: that of all processes. */
  async now(): Promise<Date> {
    const [row] = await this.rows({ now: column.date }, 'SELECT clock_timestamp() AS now');
    return (row as { now: Date }).now;
  }

  async summary(doomed: ExpiredMails): Promise<ExpiredSummary> {
    const [row] = await this.rows(
      {
        count: column.text,
        bytes: column.text,
        oldest: column.nullable(column.date),
        newest: column.nullable(column.date),
      },
      `SELECT count(*) AS count, coalesce(sum(size_bytes), 0) AS bytes, min(date) AS oldest, max(date) AS newest
         FROM archived_mails WHERE ${DOOMED}`,
      parametersOf(doomed),
    );
    const { count, bytes, oldest, newest } = row!;
    return { count: Number(count), bytes: Number(bytes), oldest, newest };
  }

  /**
   * Looks at up to `limit` mails old enough, whatever their labels: the cost is bounded however rare the label is, and
   * no mail is looked at twice.
   * @param after where the last window ended; null: from the oldest mail on
   */
  async window(doomed: ExpiredMails, after: Position | null, limit: number): Promise<MailWindow> {
    const rows = await this.rows(
      { id: column.text, date: column.text, is_doomed: column.boolean },
      `SELECT id, date::text AS date, ($4::text[] IS NULL OR label_ids && $4::text[]) AS is_doomed
         FROM archived_mails
        WHERE user_id = $1 AND account_id = $2 AND date < $3 AND (date, id) > ($5::timestamptz, $6::uuid)
        ORDER BY archived_mails.date, id LIMIT $7`,
      [
        ...parametersOf(doomed),
        after?.date ?? '-infinity',
        after?.id ?? '00000000-0000-0000-0000-000000000000',
        limit,
      ],
    );
    const last = rows.at(-1);
    return {
      doomedIds: rows.filter(({ is_doomed: isDoomed }) => isDoomed).map(({ id }) => id),
      last: last ? { date: last.date, id: last.id } : null,
    };
  }

  /**
   * Deletes those of some mails that are still there and still doomed, with what belongs to them. The caller holds the
   * lock of the account's archive. @returns their files
   */
  async delete(
    doomed: ExpiredMails,
    ids: readonly string[],
    transaction: Transaction,
  ): Promise<FileToDelete[]> {
    const rows = await this.rows(
      { storage: column.text, storage_key: column.text },
      `DELETE FROM archived_mails WHERE id = ANY ($5::uuid[]) AND ${DOOMED} RETURNING storage, storage_key`,
      [...parametersOf(doomed), ids],
      transaction,
    );
    const { userId, accountId } = doomed;
    return rows.map(({ storage, storage_key: storageKey }) => ({ storage, storageKey, userId, accountId }));
  }
}
