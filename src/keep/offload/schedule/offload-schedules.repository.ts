import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { storableJson } from '../../../platform/database/column-values';
import { BaseRepository } from '../../../platform/database/base.repository';
import { column, RowShape } from '../../../platform/database/row-shape';
import type { Transaction } from '../../../platform/database/transactions';
import { OFFLOAD_MODES } from '../receipts/receipt';
import type { OffloadSelection, PlanOwner } from '../plans/offload-plan';
import { OffloadScheduleEntity } from './offload-schedule.entity';

export type OffloadSchedule = PlanOwner &
  Pick<OffloadScheduleEntity, 'selection' | 'mode' | 'graceDays' | 'maxPerNight' | 'isActive' | 'updatedAt'>;

const SCHEDULE_ROW: RowShape<OffloadSchedule> = {
  userId: column.text,
  accountId: column.text,
  selection: column.json<OffloadSelection>(),
  mode: column.oneOf(OFFLOAD_MODES),
  graceDays: column.number,
  maxPerNight: column.number,
  isActive: column.boolean,
  updatedAt: column.date,
};
const COLUMNS = `user_id AS "userId", account_id AS "accountId", selection, mode, grace_days AS "graceDays",
       max_per_night AS "maxPerNight", is_active AS "isActive", updated_at AS "updatedAt"`;

/** Schedules of accounts. */
@Injectable()
export class OffloadSchedulesRepository extends BaseRepository<OffloadScheduleEntity> {
  constructor(dataSource: DataSource) {
    super(dataSource, OffloadScheduleEntity);
  }

  async find({ userId, accountId }: PlanOwner): Promise<OffloadSchedule | null> {
    const [schedule] = await this.queryRows(
      SCHEDULE_ROW,
      `SELECT ${COLUMNS} FROM offload_schedules WHERE account_id = $2 AND user_id = $1`,
      [userId, accountId],
    );
    return schedule ?? null;
  }

  async save(
    schedule: Omit<OffloadSchedule, 'updatedAt'>,
    transaction: Transaction,
  ): Promise<OffloadSchedule> {
    const [saved] = await this.queryRows(
      SCHEDULE_ROW,
      `INSERT INTO offload_schedules AS schedule (user_id, account_id, selection, mode, grace_days, max_per_night, is_active)
       VALUES ($1, $2, $3, $4, $5, $6, $7)
       ON CONFLICT (account_id) DO UPDATE SET selection = excluded.selection, mode = excluded.mode,
         grace_days = excluded.grace_days, max_per_night = excluded.max_per_night, is_active = excluded.is_active,
         updated_at = clock_timestamp()
       WHERE schedule.user_id = excluded.user_id
       RETURNING ${COLUMNS}`,
      [
        schedule.userId,
        schedule.accountId,
        storableJson(schedule.selection),
        schedule.mode,
        schedule.graceDays,
        schedule.maxPerNight,
        schedule.isActive,
      ],
      transaction,
    );
    return saved!;
  }

  /** A page of active schedules, of connected mailboxes of active users. @param after account of the last one */
  listActive(after: string | null, limit: number): Promise<OffloadSchedule[]> {
    return this.queryRows(
      SCHEDULE_ROW,
      `SELECT ${COLUMNS} FROM offload_schedules schedule
       WHERE is_active AND ($1::uuid IS NULL OR account_id > $1::uuid)
         AND EXISTS (SELECT FROM mailbox_accounts account JOIN users ON users.id = account.user_id
           WHERE account.id = schedule.account_id AND account.is_active AND account.status = 'connected' AND users.is_active)
       ORDER BY account_id LIMIT $2`,
      [after, limit],
    );
  }
}
