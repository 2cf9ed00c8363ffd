import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { BaseRepository } from '../../platform/database/base.repository';
import {
  BROWSERS_PREFERENCES,
  DisplayPreferences,
  DisplayPreferencesEntity,
  PREFERENCES_ROW,
} from './display-preferences.entity';

const NAMES = [
  'language',
  'timezone',
  'theme',
  'density',
] as const satisfies readonly (keyof DisplayPreferences)[];

@Injectable()
export class DisplayPreferencesRepository extends BaseRepository<DisplayPreferencesEntity> {
  constructor(dataSource: DataSource) {
    super(dataSource, DisplayPreferencesEntity);
  }

  async find(userId: string): Promise<DisplayPreferences> {
    const [row] = await this.queryRows(
      PREFERENCES_ROW,
      `SELECT ${NAMES.join(', ')} FROM display_preferences WHERE user_id = $1`,
      [userId],
    );
    return row ?? BROWSERS_PREFERENCES;
  }

  /**
   * Stores the given preferences; the others stay. It is one statement, so that concurrent changes do not undo one another.
   * @param changes at least one
   */
  async change(userId: string, changes: Partial<DisplayPreferences>): Promise<DisplayPreferences> {
    const names = NAMES.filter((name) => changes[name] !== undefined);
    const [row] = await this.queryRows(
      PREFERENCES_ROW,
      `INSERT INTO display_preferences (user_id, ${names.join(', ')})
       VALUES ($1, ${names.map((_name, index) => `$${index + 2}`).join(', ')})
       ON CONFLICT (user_id) DO UPDATE SET ${names.map((name) => `${name} = excluded.${name}`).join(', ')}
       RETURNING ${NAMES.join(', ')}`,
      [userId, ...names.map((name) => changes[name])],
    );
    return row!;
  }
}
