import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsOptional } from 'class-validator';
import { PlainName } from '../../../platform/validation/field-rules';
import { IsTimeZoneName } from '../../../platform/validation/time-zone';
import {
  DENSITIES,
  type Density,
  type DisplayPreferences,
  type Language,
  LANGUAGES,
  type Theme,
  THEMES,
} from '../display-preferences.entity';

const MAX_NAME = 200;

/** Fields of their own account that users may change. */
export class UpdateMeDto {
  /** Name shown to people; null removes it. */
  @ApiPropertyOptional({
    type: String,
    nullable: true,
    minLength: 1,
    maxLength: MAX_NAME,
    example: 'Ada Lovelace',
  })
  @IsOptional()
  @PlainName(MAX_NAME)
  name?: string | null;
}

/** The preferences to change; omitted ones stay, and null follows the browser. */
export class UpdatePreferencesDto implements Partial<DisplayPreferences> {
  /** Language of the pages. */
  @ApiPropertyOptional({ enum: LANGUAGES, nullable: true, example: 'fr' })
  @IsOptional()
  @IsIn(LANGUAGES)
  language?: Language | null;

  /** IANA name of the time zone that times are shown in. */
  @ApiPropertyOptional({ type: String, maxLength: 64, nullable: true, example: 'Europe/Paris' })
  @IsOptional()
  @IsTimeZoneName()
  timezone?: string | null;

  /** Colours of the pages. */
  @ApiPropertyOptional({ enum: THEMES, nullable: true, example: 'dark' })
  @IsOptional()
  @IsIn(THEMES)
  theme?: Theme | null;

  /** Space between the rows of lists. */
  @ApiPropertyOptional({ enum: DENSITIES, nullable: true, example: 'compact' })
  @IsOptional()
  @IsIn(DENSITIES)
  density?: Density | null;
}
