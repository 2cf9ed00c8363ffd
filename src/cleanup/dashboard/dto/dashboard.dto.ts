import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsOptional } from 'class-validator';
import { QueryLimit } from '../../../platform/validation/query-transforms';
import { IsTimeZoneName } from '../../../platform/validation/time-zone';

const MAX_TOP = 100;

export const STATS_SCOPES = ['newest', 'all'] as const;

export class MailboxStatsQuery {
  /** Length of the top lists; higher values count as 100. */
  @ApiPropertyOptional({ type: 'integer', minimum: 1, maximum: MAX_TOP, default: 20, example: 20 })
  @QueryLimit(MAX_TOP)
  limit: number = 20;

  /** IANA name of the time zone of the timeline's months. */
  @ApiPropertyOptional({ default: 'UTC', example: 'Europe/Paris' })
  @IsOptional()
  @IsTimeZoneName()
  tz: string = 'UTC';

  /** `newest` covers the newest 500 messages, `all` everything that is indexed so far. */
  @ApiPropertyOptional({ enum: STATS_SCOPES, default: 'newest', example: 'all' })
  @IsOptional()
  @IsIn(STATS_SCOPES)
  scope: (typeof STATS_SCOPES)[number] = 'newest';
}
