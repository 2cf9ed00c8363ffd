import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { BaseRepository } from '../common/database/base.repository';
import { NotificationPreferencesEntity, PREFERENCE_NAMES, Preferences } from './notification.entity';

@Injectable()
export class PreferencesRepository extends BaseRepository<NotificationPreferencesEntity> {
  constructor(dataSource: DataSource) {
    super(dataSource, NotificationPreferencesEntity);
  }

  /** null when the user has never chosen. */
  async find(userId: string): Promise<Preferences | null> {
    const [row] = await this.rows<Preferences>(
      `SELECT ${PREFERENCE_NAMES.join(', ')} FROM notification_preferences WHERE user_id = $1`,
      [userId],
    );
    return row ?? null;
  }

  /** Stores the given ones; the others stay, or begin with their defaults. One statement: changes never cross. */
  async change(userId: string, changes: Partial<Preferences>): Promise<void> {
    const names = PREFERENCE_NAMES.filter((name) => changes[name] !== undefined);
    const assignments = names.map((name) => `${name} = excluded.${name}`);
    await this.affected(
      `INSERT INTO notification_preferences (user_id, ${names.join(', ')})
       VALUES ($1, ${names.map((_name, index) => `$${index + 2}`).join(', ')})
       ON CONFLICT (user_id) DO UPDATE SET ${assignments.join(', ')}`,
      [userId, ...names.map((name) => changes[name])],
    );
  }
}
