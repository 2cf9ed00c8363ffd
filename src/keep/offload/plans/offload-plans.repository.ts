import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { storableJson } from '../../../platform/database/column-values';
import { BaseRepository } from '../../../platform/database/base.repository';
import { column, RowShape } from '../../../platform/database/row-shape';
import type { Transaction } from '../../../platform/database/transactions';
import type { Allowed } from '../block-reasons';
import { OFFLOAD_MODES } from '../receipts/receipt';
import {
  CONFIRMABLE_HOURS,
  OffloadPlan,
  OffloadSelection,
  PLAN_STATUSES,
  PlanCounts,
  PlanFigures,
  PlanOwner,
} from './offload-plan';
import { OffloadPlanEntity } from './offload-plan.entity';

export type NewPlan = Pick<
  OffloadPlan,
  'id' | 'userId' | 'accountId' | 'selection' | 'mode' | 'allowed' | 'isScheduled'
>;

/** Progress of a plan: the position of the history that has been read, and the batches that have been moved. */
export type PlanProgress = Pick<OffloadPlan, 'batches' | 'isHistoryLost'> & { readonly cursor: string };

/** The outcome of planning. */
export interface PlannedOutcome {
  readonly figures: PlanFigures;
  readonly counts: PlanCounts;
  readonly digest: string;
}

/** A plan, named by its owner. */
export interface OwnedPlan extends PlanOwner {
  readonly id: string;
}

const OWNED_PLAN_ROW: RowShape<OwnedPlan> = { id: column.text, userId: column.text, accountId: column.text };

const PLAN_ROW: RowShape<OffloadPlan> = {
  id: column.text,
  userId: column.text,
  accountId: column.text,
  selection: column.json<OffloadSelection>(),
  mode: column.oneOf(OFFLOAD_MODES),
  allowed: column.json<Allowed>(),
  isScheduled: column.boolean,
  status: column.oneOf(PLAN_STATUSES),
  figures: column.nullable(column.json<PlanFigures>()),
  counts: column.nullable(column.json<PlanCounts>()),
  digest: column.nullable(column.text),
  plannedCursor: column.nullable(column.text),
  cursor: column.nullable(column.text),
  isHistoryLost: column.boolean,
  batches: column.number,
  planJobId: column.nullable(column.text),
  jobId: column.nullable(column.text),
  expiresAt: column.nullable(column.date),
  startedAt: column.nullable(column.date),
  endedAt: column.nullable(column.date),
  createdAt: column.date,
};

/** Time at which a plan expires: 24 hours after it was made, or after its job ended. */
const EXPIRY = `CASE WHEN plan.status = 'running'
        THEN greatest(plan.expires_at, moving.completed_at + interval '${CONFIRMABLE_HOURS} hours')
        ELSE plan.expires_at END`;
const IS_EXPIRED = `coalesce(${EXPIRY} <= clock_timestamp(), false)`;
const IS_PLANNING = `(planning.number IS NOT NULL AND planning.completed_at IS NULL)`;
const IS_MOVING = `(moving.number IS NOT NULL AND moving.completed_at IS NULL)`;
const STATUS = `CASE
        WHEN plan.status = 'done' THEN 'done'
        WHEN plan.status = 'planning' THEN CASE WHEN ${IS_PLANNING} THEN 'planning' ELSE 'stopped' END
        WHEN plan.status = 'running' AND ${IS_MOVING} THEN 'running'
        WHEN ${IS_EXPIRED} THEN 'expired'
        WHEN plan.status = 'running' THEN 'stopped'
        ELSE 'ready' END`;
const FROM = `offload_plans plan
     LEFT JOIN jobs planning
       ON planning.number = plan.plan_job_number AND planning.type = 'plan_offload' AND planning.user_id = plan.user_id
     LEFT JOIN jobs moving
       ON moving.number = plan.job_number AND moving.type = 'offload_messages' AND moving.user_id = plan.user_id`;
const COLUMNS = `plan.id, plan.user_id AS "userId", plan.account_id AS "accountId", plan.selection, plan.mode, plan.allowed,
     plan.is_scheduled AS "isScheduled", ${STATUS} AS status, plan.figures, plan.counts, plan.digest,
     plan.planned_cursor AS "plannedCursor", plan.cursor, plan.is_history_lost AS "isHistoryLost", plan.batches,
     'plan_offload-' || plan.plan_job_number AS "planJobId", 'offload_messages-' || plan.job_number AS "jobId",
     ${EXPIRY} AS "expiresAt", plan.started_at AS "startedAt", plan.ended_at AS "endedAt", plan.created_at AS "createdAt"`;
const OWNED = 'plan.account_id = $2 AND plan.user_id = $1';

/** The number in `<kind>-<number>`. */
const numberOf = (jobId: string): string => jobId.slice(jobId.lastIndexOf('-') + 1);

/** Plans of accounts. */
@Injectable()
export class OffloadPlansRepository extends BaseRepository<OffloadPlanEntity> {
  constructor(dataSource: DataSource) {
    super(dataSource, OffloadPlanEntity);
  }

  async insert(plan: NewPlan, transaction: Transaction): Promise<void> {
    await this.execute(
      `INSERT INTO offload_plans (id, user_id, account_id, selection, mode, allowed, is_scheduled, status)
       VALUES ($1, $2, $3, $4, $5, $6, $7, 'planning')`,
      [
        plan.id,
        plan.userId,
        plan.accountId,
        storableJson(plan.selection),
        plan.mode,
        storableJson(plan.allowed),
        plan.isScheduled,
      ],
      transaction,
    );
  }

  /** Records which job makes the plan. */
  async markPlanning(
    { userId, accountId }: PlanOwner,
    id: string,
    jobId: string,
    transaction: Transaction,
  ): Promise<void> {
    await this.execute(
      `UPDATE offload_plans plan SET plan_job_number = $4 WHERE plan.id = $3 AND ${OWNED}`,
      [userId, accountId, id, numberOf(jobId)],
      transaction,
    );
  }

  /** Whether a plan of the account is made by the job. @param jobId of a job that makes plans */
  async hasPlan({ userId, accountId }: PlanOwner, jobId: string, transaction: Transaction): Promise<boolean> {
    const found = await this.queryRows(
      {},
      `SELECT 1 FROM offload_plans plan WHERE plan.plan_job_number = $3 AND ${OWNED}`,
      [userId, accountId, numberOf(jobId)],
      transaction,
    );
    return found.length > 0;
  }

  async find(
    { userId, accountId }: PlanOwner,
    id: string,
    transaction?: Transaction,
  ): Promise<OffloadPlan | null> {
    const [plan] = await this.queryRows(
      PLAN_ROW,
      `SELECT ${COLUMNS} FROM ${FROM} WHERE plan.id = $3 AND ${OWNED}`,
      [userId, accountId, id],
      transaction,
    );
    return plan ?? null;
  }

  /** A plan, locked until the transaction ends. */
  async lock(owner: PlanOwner, id: string, transaction: Transaction): Promise<OffloadPlan | null> {
    await this.execute(
      `SELECT 1 FROM offload_plans plan WHERE plan.id = $3 AND ${OWNED} FOR UPDATE`,
      [owner.userId, owner.accountId, id],
      transaction,
    );
    // A second statement sees what other transactions committed before they released the row.
    return this.find(owner, id, transaction);
  }

  /** Plans, newest first. @param after id of the last plan of the page before */
  list({ userId, accountId }: PlanOwner, after: string | null, limit: number): Promise<OffloadPlan[]> {
    return this.queryRows(
      PLAN_ROW,
      `SELECT ${COLUMNS} FROM ${FROM} WHERE ${OWNED} AND ($3::uuid IS NULL OR plan.id < $3::uuid)
       ORDER BY plan.id DESC LIMIT $4`,
      [userId, accountId, after, limit],
    );
  }

  /** Stores the position of the history when the choice of messages begins. */
  async setPlannedCursor({ userId, accountId }: PlanOwner, id: string, cursor: string): Promise<void> {
    await this.execute(
      `UPDATE offload_plans plan SET planned_cursor = $4, cursor = $4 WHERE plan.id = $3 AND ${OWNED}`,
      [userId, accountId, id, cursor],
    );
  }

  async markReady(
    { userId, accountId }: PlanOwner,
    id: string,
    { figures, counts, digest }: PlannedOutcome,
    transaction: Transaction,
  ): Promise<void> {
    await this.execute(
      `UPDATE offload_plans plan SET status = 'ready', figures = $4, counts = $5, digest = $6,
         expires_at = clock_timestamp() + interval '${CONFIRMABLE_HOURS} hours'
       WHERE plan.id = $3 AND ${OWNED}`,
      [userId, accountId, id, storableJson(figures), storableJson(counts), digest],
      transaction,
    );
  }

  async markRunning(
    { userId, accountId }: PlanOwner,
    id: string,
    jobId: string,
    transaction: Transaction,
  ): Promise<void> {
    await this.execute(
      `UPDATE offload_plans plan SET status = 'running', job_number = $4,
         started_at = coalesce(plan.started_at, clock_timestamp())
       WHERE plan.id = $3 AND ${OWNED}`,
      [userId, accountId, id, numberOf(jobId)],
      transaction,
    );
  }

  /** Stores the position up to which the history has been read, and the number of batches that have been moved. */
  async advance(
    { userId, accountId }: PlanOwner,
    id: string,
    { cursor, isHistoryLost, batches }: PlanProgress,
    transaction: Transaction,
  ): Promise<void> {
    await this.execute(
      `UPDATE offload_plans plan SET cursor = $4, is_history_lost = $5, batches = $6 WHERE plan.id = $3 AND ${OWNED}`,
      [userId, accountId, id, cursor, isHistoryLost, batches],
      transaction,
    );
  }

  async setCounts(
    { userId, accountId }: PlanOwner,
    id: string,
    counts: PlanCounts,
    transaction: Transaction,
  ): Promise<void> {
    await this.execute(
      `UPDATE offload_plans plan SET counts = $4 WHERE plan.id = $3 AND ${OWNED}`,
      [userId, accountId, id, storableJson(counts)],
      transaction,
    );
  }

  /** Marks a plan as done. @returns the time at which it ended */
  async markDone({ userId, accountId }: PlanOwner, id: string, transaction: Transaction): Promise<Date> {
    const [row] = await this.queryRows(
      { ended_at: column.date },
      `UPDATE offload_plans plan SET status = 'done', ended_at = clock_timestamp()
       WHERE plan.id = $3 AND ${OWNED} RETURNING ended_at`,
      [userId, accountId, id],
      transaction,
    );
    return row!.ended_at;
  }

  async delete({ userId, accountId }: PlanOwner, id: string, transaction: Transaction): Promise<void> {
    await this.execute(
      `DELETE FROM offload_plans plan WHERE plan.id = $3 AND ${OWNED}`,
      [userId, accountId, id],
      transaction,
    );
  }

  /** Deletes the account's oldest plans for which nothing was moved and on which no job works. */
  async keepNewest({ userId, accountId }: PlanOwner, limit: number, transaction: Transaction): Promise<void> {
    await this.execute(
      `DELETE FROM offload_plans WHERE id IN (
         SELECT plan.id FROM ${FROM}
         WHERE ${OWNED} AND plan.started_at IS NULL AND NOT ${IS_PLANNING} ORDER BY plan.id DESC OFFSET $3)`,
      [userId, accountId, limit],
      transaction,
    );
  }

  /** Whether a job moves messages of a mailbox of the user. */
  async isMovingAnyOf(userId: string, transaction: Transaction): Promise<boolean> {
    const found = await this.queryRows(
      {},
      `SELECT 1 FROM ${FROM} WHERE plan.user_id = $1 AND plan.status = 'running' AND ${IS_MOVING} LIMIT 1`,
      [userId],
      transaction,
    );
    return found.length > 0;
  }

  /** Whether a job moves messages of the account. */
  async isMoving({ userId, accountId }: PlanOwner, transaction?: Transaction): Promise<boolean> {
    const found = await this.queryRows(
      {},
      `SELECT 1 FROM ${FROM} WHERE ${OWNED} AND plan.status = 'running' AND ${IS_MOVING} LIMIT 1`,
      [userId, accountId],
      transaction,
    );
    return found.length > 0;
  }

  /** Whether a job works on a plan. @param transaction that has locked the plan */
  async isAtWork(id: string, transaction: Transaction): Promise<boolean> {
    const found = await this.queryRows(
      {},
      `SELECT 1 FROM ${FROM} WHERE plan.id = $1 AND ${IS_MOVING}`,
      [id],
      transaction,
    );
    return found.length > 0;
  }

  /** Locks a plan of any owner until the transaction ends: it cannot be confirmed meanwhile. */
  async lockAny(id: string, transaction: Transaction): Promise<void> {
    await this.execute('SELECT 1 FROM offload_plans WHERE id = $1 FOR UPDATE', [id], transaction);
  }

  /** Plans of which something was moved, and that can no longer be confirmed. @param after id; null: from the first on */
  listExpired(after: string | null, limit: number): Promise<OwnedPlan[]> {
    return this.queryRows(
      OWNED_PLAN_ROW,
      `SELECT plan.id, plan.user_id AS "userId", plan.account_id AS "accountId" FROM ${FROM}
       WHERE plan.status = 'running' AND NOT ${IS_MOVING} AND ${IS_EXPIRED} AND ($1::uuid IS NULL OR plan.id > $1::uuid)
       ORDER BY plan.id LIMIT $2`,
      [after, limit],
    );
  }

  /**
   * Plans with messages whose outcome is not known, and on which no job has worked for a minute. Plans that ended more than
   * `days` ago, and mailboxes that cannot be reached, are left out.
   * @param after id; null: from the first on
   */
  listUnresolved(after: string | null, days: number, limit: number): Promise<OwnedPlan[]> {
    return this.queryRows(
      OWNED_PLAN_ROW,
      `SELECT plan.id, plan.user_id AS "userId", plan.account_id AS "accountId" FROM ${FROM}
       JOIN mailbox_accounts account ON account.id = plan.account_id AND account.user_id = plan.user_id
       WHERE EXISTS (SELECT FROM offload_items item WHERE item.plan_id = plan.id AND item.state IN ('trashing', 'unknown'))
         AND NOT ${IS_MOVING} AND coalesce(moving.completed_at < clock_timestamp() - interval '1 minute', true)
         AND coalesce(plan.ended_at > clock_timestamp() - make_interval(days => $2), true)
         AND account.status = 'connected' AND account.is_active AND ($1::uuid IS NULL OR plan.id > $1::uuid)
       ORDER BY plan.id LIMIT $3`,
      [after, days, limit],
    );
  }

  /** Deletes plans for which nothing was moved, some days after they expired. @returns the number deleted */
  deleteExpired(days: number, limit: number): Promise<number> {
    return this.executeAndCount(
      `DELETE FROM offload_plans WHERE id IN (
         SELECT plan.id FROM ${FROM}
         WHERE plan.started_at IS NULL AND NOT ${IS_PLANNING}
           AND coalesce(plan.expires_at, plan.created_at) < clock_timestamp() - make_interval(days => $1) LIMIT $2)`,
      [days, limit],
    );
  }
}
