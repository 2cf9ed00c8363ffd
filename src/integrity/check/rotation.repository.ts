import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { BaseRepository } from '../../common/database/base.repository';
import { IntegrityStateEntity } from '../integrity-state.entity';
import type { WalkCursor } from './stored-mails.repository';

export interface RotationState {
  /** null: a round begins. */
  readonly cursor: WalkCursor | null;
  /** The night it began with, `yyyy-mm-dd`. */
  readonly roundStartedOn: string;
}

interface RotationRow {
  cursor_date: string | null;
  cursor_id: string | null;
  round_started_on: string | null;
}

/** How far the rotation has come with each account. */
@Injectable()
export class RotationRepository extends BaseRepository<IntegrityStateEntity> {
  constructor(dataSource: DataSource) {
    super(dataSource, IntegrityStateEntity);
  }

  /** null before the first round. */
  async find(accountId: string): Promise<RotationState | null> {
    const [row] = await this.rows<RotationRow>(
      `SELECT cursor_date::text AS cursor_date, cursor_id, round_started_on::text AS round_started_on
         FROM integrity_states WHERE account_id = $1`,
      [accountId],
    );
    if (!row?.round_started_on) return null;
    const { cursor_date: date, cursor_id: id } = row;
    return { cursor: date && id ? { date, id } : null, roundStartedOn: row.round_started_on };
  }

  /** Does nothing when the account is gone. @param checked files hashed since the last save */
  async save(accountId: string, { cursor, roundStartedOn }: RotationState, checked: number): Promise<void> {
    await this.affected(
      `INSERT INTO integrity_states (account_id, cursor_date, cursor_id, round_started_on, checked, visited_at)
       SELECT id, $2::timestamptz, $3::uuid, $4::date, $5::bigint, now()
         FROM mailbox_accounts WHERE id = $1 FOR KEY SHARE
       ON CONFLICT (account_id) DO UPDATE SET
         cursor_date = excluded.cursor_date, cursor_id = excluded.cursor_id,
         round_completed_at = CASE WHEN excluded.cursor_id IS NULL THEN now()
                                   ELSE integrity_states.round_completed_at END,
         round_started_on = excluded.round_started_on,
         checked = integrity_states.checked + excluded.checked, visited_at = now()`,
      [accountId, cursor?.date ?? null, cursor?.id ?? null, roundStartedOn, checked],
    );
  }
}
