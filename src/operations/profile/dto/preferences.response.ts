import { ApiProperty } from '@nestjs/swagger';
import {
  DENSITIES,
  type Density,
  type DisplayPreferences,
  type Language,
  LANGUAGES,
  type Theme,
  THEMES,
} from '../display-preferences.entity';

/** Display preferences of the user, on every device; null follows the browser. */
export class DisplayPreferencesResponse implements DisplayPreferences {
  /** Language of the pages. */
  @ApiProperty({ type: String, enum: LANGUAGES, nullable: true, example: 'fr' })
  language: Language | null;
  /** IANA name of the time zone that times are shown in. */
  @ApiProperty({ type: String, nullable: true, example: 'Europe/Paris' })
  timezone: string | null;
  /** Colours of the pages. */
  @ApiProperty({ type: String, enum: THEMES, nullable: true, example: 'dark' })
  theme: Theme | null;
  /** Space between the rows of lists. */
  @ApiProperty({ type: String, enum: DENSITIES, nullable: true, example: 'compact' })
  density: Density | null;
}
