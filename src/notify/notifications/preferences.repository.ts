import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { BaseRepository } from '../../platform/database/base.repository';
import { column } from '../../platform/database/row-shape';
import { NotificationPreferencesEntity, PREFERENCE_NAMES, Preferences } from './notification.entity';

@Injectable()
export class PreferencesRepository extends BaseRepository<NotificationPreferencesEntity> {
  constructor(dataSource: DataSource) {
    super(dataSource, NotificationPreferencesEntity);
  }

  /** @returns null when the user has never changed a preference */
  async find(userId: string): Promise<Preferences | null> {
    const [row] = await this.queryRows(
      {
        weekly_report: column.boolean,
        job_completed: column.boolean,
        job_failed: column.boolean,
        rule_executed: column.boolean,
        quota_warning: column.boolean,
        integrity_alert: column.boolean,
        weekly_report_toast: column.boolean,
        job_completed_toast: column.boolean,
        job_failed_toast: column.boolean,
        rule_executed_toast: column.boolean,
        quota_warning_toast: column.boolean,
        integrity_alert_toast: column.boolean,
      },
      `SELECT ${PREFERENCE_NAMES.join(', ')} FROM notification_preferences WHERE user_id = $1`,
      [userId],
    );
    return row ?? null;
  }

  /** Stores the given preferences; the others keep their value or get their default. One statement, so that changes at the same time do not undo one another. */
  async change(userId: string, changes: Partial<Preferences>): Promise<void> {
    const names = PREFERENCE_NAMES.filter((name) => changes[name] !== undefined);
    const assignments = names.map((name) => `${name} = excluded.${name}`);
    await this.executeAndCount(
      `INSERT INTO notification_preferences (user_id, ${names.join(', ')})
       VALUES ($1, ${names.map((_name, index) => `$${index + 2}`).join(', ')})
       ON CONFLICT (user_id) DO UPDATE SET ${assignments.join(', ')}`,
      [userId, ...names.map((name) => changes[name])],
    );
  }
}
