import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { BaseRepository } from '../../platform/database/base.repository';
import type { Lease } from '../../platform/database/leased-rows';
import { column, RowShape } from '../../platform/database/row-shape';
import type { Transaction } from '../../platform/database/transactions';
import { parseJobReference } from '../../platform/jobs/job-record';
import { JobInterrupted } from '../../platform/jobs/jobs.errors';
import type { RunAction } from './bulk-action';
import { JournalChunk, keptDays } from './change-journal';
import { ChangeJournalEntity } from './change-journal.entity';
import { packIds, unpackIds } from './packed-ids';

/** The job that makes the changes. */
export interface JournallingJob {
  /** Id of the job: `<kind>-<number>`. */
  readonly jobId: string;
  readonly userId: string;
  readonly accountId: string;
  /** Lease of the job. With it, only the process that holds the job can write. */
  readonly lease?: Lease;
}

/** Summary of the changes of a job, for an undo. */
export interface JournalSummary {
  readonly chunks: readonly JournalChunk[];
  /** Instant from which the first of the changes can no longer be undone. */
  readonly until: Date;
  readonly isExpired: boolean;
  readonly undoneBy: string | null;
}

interface ChunkRow {
  readonly chunk: number;
  readonly action: string;
  readonly labelId: string | null;
  readonly ids: Buffer;
  readonly flags: Buffer;
  readonly cursor: string;
  readonly expiresAt: Date;
  readonly isExpired: boolean;
  readonly undoneBy: string | null;
}

const CHUNK_ROW: RowShape<ChunkRow> = {
  chunk: column.number,
  action: column.text,
  labelId: column.nullable(column.text),
  ids: column.bytes,
  flags: column.bytes,
  cursor: column.text,
  expiresAt: column.date,
  isExpired: column.boolean,
  undoneBy: column.nullable(column.text),
};

/** Journal of the changes that jobs have made in mailboxes. */
@Injectable()
export class ChangeJournalRepository extends BaseRepository<ChangeJournalEntity> {
  constructor(dataSource: DataSource) {
    super(dataSource, ChangeJournalEntity);
  }

  /**
   * Writes a chunk, and replaces the one that a lost attempt may have written.
   * @throws JobInterrupted when another process has taken the job over and must write the chunk
   */
  async write(
    { jobId, userId, accountId, lease }: JournallingJob,
    chunk: JournalChunk,
    transaction?: Transaction,
  ): Promise<void> {
    const reference = parseJobReference(jobId);
    if (!reference || !('number' in reference)) throw new TypeError(`${jobId} names no job`);
    const written = await this.queryRows(
      {},
      `INSERT INTO change_journal (job_id, chunk, account_id, action, label_id, ids, flags, cursor, expires_at)
       SELECT jobs.id, $5, account.id, $6, $7, $8, $9, $10, clock_timestamp() + make_interval(days => $11)
       FROM jobs JOIN mailbox_accounts account ON account.id = $4 AND account.user_id = jobs.user_id
       WHERE jobs.type = $1 AND jobs.number = $2 AND jobs.user_id = $3 AND ($12::uuid IS NULL OR jobs.lease_token = $12)
       ON CONFLICT (job_id, chunk) DO UPDATE
         SET ids = excluded.ids, flags = excluded.flags, cursor = excluded.cursor, expires_at = excluded.expires_at
       RETURNING 1`,
      [
        reference.kind,
        reference.number,
        userId,
        accountId,
        chunk.chunk,
        chunk.action,
        chunk.labelId ?? null,
        packIds(chunk.messages.map(({ id }) => id)),
        Buffer.from(chunk.messages.map(({ before }) => before)),
        chunk.cursor,
        keptDays(chunk.action),
        lease?.token ?? null,
      ],
      transaction,
    );
    if (written.length === 0 && lease) await this.requireHeld(lease, transaction);
  }

  private async requireHeld({ id, token }: Lease, transaction: Transaction | undefined): Promise<void> {
    const held = await this.queryRows(
      {},
      'SELECT 1 FROM jobs WHERE id = $1 AND lease_token = $2',
      [id, token],
      transaction,
    );
    if (held.length === 0) throw new JobInterrupted('lease-lost');
  }

  /** Replaces the content of a chunk of the user's job, without changing its expiry. @param id id of the job's record */
  async replaceChunk(userId: string, id: string, { chunk, messages, cursor }: JournalChunk): Promise<void> {
    await this.execute(
      `UPDATE change_journal SET ids = $4, flags = $5, cursor = $6 FROM jobs
       WHERE change_journal.job_id = $2 AND chunk = $3 AND jobs.id = change_journal.job_id AND jobs.user_id = $1`,
      [
        userId,
        id,
        chunk,
        packIds(messages.map((message) => message.id)),
        Buffer.from(messages.map(({ before }) => before)),
        cursor,
      ],
    );
  }

  /** Finds the chunks of the user's job, in order. @param id id of the job's record */
  async chunksOf(userId: string, id: string): Promise<JournalChunk[]> {
    return (await this.read(userId, id)).map(toChunk);
  }

  /**
   * Summarises the changes of the user's job; null when there are none, or they are no longer known.
   * @param id id of the job's record
   */
  async summarise(userId: string, id: string): Promise<JournalSummary | null> {
    const rows = await this.read(userId, id);
    const [first] = rows;
    if (!first) return null;
    return {
      chunks: rows.map(toChunk),
      until: new Date(Math.min(...rows.map(({ expiresAt }) => expiresAt.getTime()))),
      isExpired: rows.some(({ isExpired }) => isExpired),
      undoneBy: first.undoneBy,
    };
  }

  /** Locks the journal of the user's job until the transaction ends. @returns the job that undoes it; null without one */
  async lock(userId: string, id: string, transaction: Transaction): Promise<string | null> {
    const rows = await this.queryRows(
      { undoneBy: column.nullable(column.text) },
      `SELECT undone_by AS "undoneBy" FROM change_journal journal
       WHERE job_id = $2 AND EXISTS (SELECT FROM jobs WHERE jobs.id = journal.job_id AND jobs.user_id = $1)
       ORDER BY chunk FOR UPDATE`,
      [userId, id],
      transaction,
    );
    return rows[0]?.undoneBy ?? null;
  }

  /** Records the job that undoes the changes. */
  async markUndone(userId: string, id: string, undoneBy: string, transaction: Transaction): Promise<void> {
    await this.execute(
      `UPDATE change_journal SET undone_by = $3 FROM jobs
       WHERE change_journal.job_id = $2 AND jobs.id = change_journal.job_id AND jobs.user_id = $1`,
      [userId, id, undoneBy],
      transaction,
    );
  }

  /**
   * Deletes chunks that can no longer be undone, except those that a running job is undoing.
   * @returns number of deleted chunks
   */
  deleteExpired(limit: number): Promise<number> {
    return this.executeAndCount(
      `DELETE FROM change_journal WHERE (job_id, chunk) IN (
         SELECT job_id, chunk FROM change_journal journal
         WHERE expires_at <= clock_timestamp() AND NOT EXISTS (
           SELECT FROM jobs WHERE jobs.type || '-' || jobs.number = journal.undone_by AND jobs.completed_at IS NULL
         ) LIMIT $1
       )`,
      [limit],
    );
  }

  private read(userId: string, id: string): Promise<ChunkRow[]> {
    return this.queryRows(
      CHUNK_ROW,
      `SELECT journal.chunk, journal.action, journal.label_id AS "labelId", journal.ids, journal.flags, journal.cursor,
         journal.expires_at AS "expiresAt", journal.expires_at <= clock_timestamp() AS "isExpired",
         journal.undone_by AS "undoneBy"
       FROM change_journal journal JOIN jobs ON jobs.id = journal.job_id
       WHERE journal.job_id = $2 AND jobs.user_id = $1 ORDER BY journal.chunk`,
      [userId, id],
    );
  }
}

function toChunk({ chunk, action, labelId, ids, flags, cursor }: ChunkRow): JournalChunk {
  return {
    chunk,
    action: action as RunAction,
    ...(labelId !== null && { labelId }),
    messages: unpackIds(ids).map((id, place) => ({ id, before: flags[place] ?? 0 })),
    cursor,
  };
}
