import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { BaseRepository } from '../../platform/database/base.repository';
import { column, type RowShape } from '../../platform/database/row-shape';
import type { Transaction } from '../../platform/database/transactions';
import {
  DIFFERENT_CHOICES,
  type DifferentChoice,
  type ImapTarget,
  LABEL_CHOICES,
  type LabelChoice,
  RESTORE_STATUSES,
  RestoreEntity,
  type RestoreStatus,
  type StoredStatus,
} from './restore.entity';
import type { MailSelectionDto } from '../../archive/mails/dto/mail-selection.dto';

/** Owner of a restore. */
export interface RestoreOwner {
  readonly userId: string;
  readonly accountId: string;
}

export interface NewRestore extends RestoreOwner {
  readonly id: string;
  /** Account that is the target; null: the target is `imap`. */
  readonly targetAccountId: string | null;
  readonly imap: ImapTarget | null;
  readonly sealedPassword: string | null;
  readonly selection: MailSelectionDto;
  readonly labels: LabelChoice;
  readonly addLabel: string | null;
  readonly onDifferent: DifferentChoice;
  readonly verify: boolean;
}

/** Counts and estimates of a dry run. */
export interface RestoreFigures {
  readonly mails: number;
  readonly bytes: number;
  readonly encrypted: number;
  readonly tooLarge: number;
  readonly labelsToCreate: readonly string[];
  /** Units of the provider's quota; null for IMAP. */
  readonly units: number | null;
  /** Minutes at the pace of the quota; null for IMAP. */
  readonly minutes: number | null;
}

export interface Restore extends NewRestore, RestoreFigures {
  readonly status: RestoreStatus;
  readonly jobId: string;
  readonly createdAt: Date;
  readonly plannedAt: Date | null;
  readonly expiresAt: Date;
  readonly isExpired: boolean;
}

interface RestoreRow {
  id: string;
  user_id: string;
  account_id: string;
  target_account_id: string | null;
  imap: ImapTarget | null;
  sealed_password: string | null;
  selection: MailSelectionDto;
  labels: LabelChoice;
  add_label: string | null;
  on_different: DifferentChoice;
  verify: boolean;
  status: RestoreStatus;
  job_id: string;
  mails: number;
  bytes: string;
  encrypted: number;
  too_large: number;
  labels_to_create: string[];
  units: string | null;
  minutes: number | null;
  created_at: Date;
  planned_at: Date | null;
  expires_at: Date;
  is_expired: boolean;
}

const RESTORE_ROW: RowShape<RestoreRow> = {
  id: column.text,
  user_id: column.text,
  account_id: column.text,
  target_account_id: column.nullable(column.text),
  imap: column.nullable(column.json<ImapTarget>()),
  sealed_password: column.nullable(column.text),
  selection: column.json<MailSelectionDto>(),
  labels: column.oneOf(LABEL_CHOICES),
  add_label: column.nullable(column.text),
  on_different: column.oneOf(DIFFERENT_CHOICES),
  verify: column.boolean,
  status: column.oneOf(RESTORE_STATUSES),
  job_id: column.text,
  mails: column.number,
  bytes: column.text,
  encrypted: column.number,
  too_large: column.number,
  labels_to_create: column.array(column.text),
  units: column.nullable(column.text),
  minutes: column.nullable(column.number),
  created_at: column.date,
  planned_at: column.nullable(column.date),
  expires_at: column.date,
  is_expired: column.boolean,
};

/** A restore whose job has ended before its work counts as `stopped`: the next job continues it. */
const COLUMNS = `r.id, r.user_id, r.account_id, r.target_account_id, r.imap, r.sealed_password, r.selection, r.labels,
  r.add_label, r.on_different, r.verify, r.job_id, r.mails, r.bytes, r.encrypted, r.too_large, r.labels_to_create, r.units,
  r.minutes, r.created_at, r.planned_at, r.expires_at, r.expires_at <= clock_timestamp() AS is_expired,
  CASE WHEN r.status IN ('planning', 'running') AND NOT EXISTS (
    SELECT FROM jobs j WHERE j.number = split_part(r.job_id, '-', 2)::bigint AND j.completed_at IS NULL
  ) THEN 'stopped' ELSE r.status END AS status`;

@Injectable()
export class RestoresRepository extends BaseRepository<RestoreEntity> {
  constructor(dataSource: DataSource) {
    super(dataSource, RestoreEntity);
  }

  async insert(restore: NewRestore, jobId: string, validMs: number, transaction: Transaction): Promise<void> {
    await this.execute(
      `INSERT INTO restores (id, user_id, account_id, target_account_id, imap, sealed_password, selection, labels,
         add_label, on_different, verify, status, job_id, expires_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, 'planning', $12,
         clock_timestamp() + make_interval(secs => $13))`,
      [
        restore.id,
        restore.userId,
        restore.accountId,
        restore.targetAccountId,
        restore.imap && JSON.stringify(restore.imap),
        restore.sealedPassword,
        JSON.stringify(restore.selection),
        restore.labels,
        restore.addLabel,
        restore.onDifferent,
        restore.verify,
        jobId,
        validMs / 1_000,
      ],
      transaction,
    );
  }

  /** A restore of the owner. @param transaction locks the row until it ends */
  async findOwned(
    { userId, accountId }: RestoreOwner,
    id: string,
    transaction?: Transaction,
  ): Promise<Restore | null> {
    const [row] = await this.queryRows(
      RESTORE_ROW,
      `SELECT ${COLUMNS} FROM restores r WHERE r.id = $1 AND r.user_id = $2 AND r.account_id = $3
        ${transaction ? 'FOR UPDATE OF r' : ''}`,
      [id, userId, accountId],
      transaction,
    );
    return row ? toRestore(row) : null;
  }

  /** Restores, newest first. @param after id of the last restore of the page before */
  async list({ userId, accountId }: RestoreOwner, after: string | null, limit: number): Promise<Restore[]> {
    const rows = await this.queryRows(
      RESTORE_ROW,
      `SELECT ${COLUMNS} FROM restores r
        WHERE r.account_id = $2 AND r.user_id = $1 AND ($3::uuid IS NULL OR r.id < $3::uuid)
        ORDER BY r.id DESC LIMIT $4`,
      [userId, accountId, after, limit],
    );
    return rows.map(toRestore);
  }

  async markPlanned(id: string, figures: RestoreFigures, transaction: Transaction): Promise<void> {
    await this.execute(
      `UPDATE restores SET status = 'ready', planned_at = clock_timestamp(), mails = $2, bytes = $3, encrypted = $4,
         too_large = $5, labels_to_create = $6, units = $7, minutes = $8 WHERE id = $1`,
      [
        id,
        figures.mails,
        figures.bytes,
        figures.encrypted,
        figures.tooLarge,
        figures.labelsToCreate,
        figures.units,
        figures.minutes,
      ],
      transaction,
    );
  }

  async markStarted(id: string, jobId: string, validMs: number, transaction: Transaction): Promise<void> {
    await this.execute(
      `UPDATE restores SET status = 'running', job_id = $2,
         expires_at = clock_timestamp() + make_interval(secs => $3) WHERE id = $1`,
      [id, jobId, validMs / 1_000],
      transaction,
    );
  }

  /** Sets the status, and erases the password of a restore that is done. */
  async setStatus(id: string, status: StoredStatus): Promise<void> {
    await this.execute(
      `UPDATE restores SET status = $2::text, sealed_password = CASE WHEN $2::text = 'done' THEN NULL ELSE sealed_password END
        WHERE id = $1`,
      [id, status],
    );
  }

  /** Erases the passwords of restores that have expired. @returns the number of restores */
  forgetPasswords(): Promise<number> {
    return this.executeAndCount(
      `UPDATE restores SET sealed_password = NULL
        WHERE sealed_password IS NOT NULL AND expires_at <= clock_timestamp()`,
      [],
    );
  }

  /** Deletes old restores with the outcomes of their mails. @returns the number of restores */
  deleteOld(keptMs: number, limit: number): Promise<number> {
    return this.executeAndCount(
      `DELETE FROM restores WHERE id IN (
         SELECT id FROM restores WHERE expires_at <= clock_timestamp() - make_interval(secs => $1) LIMIT $2)`,
      [keptMs / 1_000, limit],
    );
  }
}

const toRestore = (row: RestoreRow): Restore => ({
  id: row.id,
  userId: row.user_id,
  accountId: row.account_id,
  targetAccountId: row.target_account_id,
  imap: row.imap,
  sealedPassword: row.sealed_password,
  selection: row.selection,
  labels: row.labels,
  addLabel: row.add_label,
  onDifferent: row.on_different,
  verify: row.verify,
  status: row.status,
  jobId: row.job_id,
  mails: row.mails,
  bytes: Number(row.bytes),
  encrypted: row.encrypted,
  tooLarge: row.too_large,
  labelsToCreate: row.labels_to_create,
  units: row.units === null ? null : Number(row.units),
  minutes: row.minutes,
  createdAt: row.created_at,
  plannedAt: row.planned_at,
  expiresAt: row.expires_at,
  isExpired: row.is_expired,
});
