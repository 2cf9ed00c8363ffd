import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsOptional } from 'class-validator';
import { QueryLimit } from '../../common/validation/query-transforms';
import { IsTimeZoneName } from '../../common/validation/time-zone';

const MAX_TOP = 100;

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
}
