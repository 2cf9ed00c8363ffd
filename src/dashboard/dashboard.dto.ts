import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsOptional, IsTimeZone } from 'class-validator';
import { QueryLimit } from '../common/http/validation/query-transforms';

const MAX_TOP = 100;

export class MailboxStatsQuery {
  /** Length of the top lists; above 100 it is lowered to 100. */
  @ApiPropertyOptional({ minimum: 1, maximum: MAX_TOP, default: 20, example: 20 })
  @QueryLimit(MAX_TOP)
  limit: number = 20;

  /** IANA name of the time zone the months of the timeline are in. */
  @ApiPropertyOptional({ default: 'UTC', example: 'Europe/Paris' })
  @IsOptional()
  @IsTimeZone({ message: 'tz must be the IANA name of a time zone' })
  tz: string = 'UTC';
}
