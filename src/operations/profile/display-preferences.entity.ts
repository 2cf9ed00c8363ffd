import { column, RowShape } from '../../platform/database/row-shape';
import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';

/** Languages of the pages. */
export const LANGUAGES = ['en', 'fr'] as const;
export type Language = (typeof LANGUAGES)[number];

export const THEMES = ['light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

export const DENSITIES = ['comfortable', 'compact'] as const;
export type Density = (typeof DENSITIES)[number];

/** Display preferences of a user, on every device; null follows the browser. */
export interface DisplayPreferences {
  readonly language: Language | null;
  /** IANA name of the time zone. */
  readonly timezone: string | null;
  readonly theme: Theme | null;
  readonly density: Density | null;
}

/** Preferences of users who have never chosen any. */
export const BROWSERS_PREFERENCES: DisplayPreferences = {
  language: null,
  timezone: null,
  theme: null,
  density: null,
};

export const PREFERENCES_ROW: RowShape<DisplayPreferences> = {
  language: column.nullable(column.oneOf(LANGUAGES)),
  timezone: column.nullable(column.text),
  theme: column.nullable(column.oneOf(THEMES)),
  density: column.nullable(column.oneOf(DENSITIES)),
};

@Entity('display_preferences')
export class DisplayPreferencesEntity implements DisplayPreferences {
  @ForeignKey('UserEntity', 'id', { onDelete: 'CASCADE' })
  @PrimaryColumn('uuid')
  userId: string;

  @Column('varchar', { length: 8, nullable: true }) language: Language | null;
  @Column('varchar', { length: 64, nullable: true }) timezone: string | null;
  @Column('varchar', { length: 16, nullable: true }) theme: Theme | null;
  @Column('varchar', { length: 16, nullable: true }) density: Density | null;
}
