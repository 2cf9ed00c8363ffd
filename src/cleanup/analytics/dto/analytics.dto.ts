import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsBoolean } from 'class-validator';
import { IsTimeZoneName } from '../../../platform/validation/time-zone';
import { QueryLimit } from '../../../platform/validation/query-transforms';
import { MAX_SCORED_SENDERS } from '../sender-scores.service';

const SWITCHES = new Map<unknown, boolean>([
  ['1', true],
  ['true', true],
  ['0', false],
  ['false', false],
]);

/** A query parameter `1` or `true`, `0` or `false`; anything else is a 400. */
function QuerySwitch(): PropertyDecorator {
  return applyDecorators(
    Transform(({ value }: { value: unknown }) => SWITCHES.get(value) ?? value),
    IsBoolean({ message: '$property must be 1 or 0' }),
  );
}

export class AnalyticsQuery {
  /** 1 asks the provider what is new and computes the figures anew; otherwise they may be up to 15 minutes old. */
  @ApiPropertyOptional({ enum: ['1', '0', 'true', 'false'], default: '0', example: '1' })
  @QuerySwitch()
  refresh: boolean = false;
}

export class HeatmapQuery extends AnalyticsQuery {
  /** IANA name of the time zone of days and hours. */
  @ApiPropertyOptional({ default: 'UTC', example: 'Europe/Paris' })
  @IsTimeZoneName()
  tz: string = 'UTC';
}

export class SenderScoresQuery extends AnalyticsQuery {
  /** Number of senders to list; higher values count as 2,000. */
  @ApiPropertyOptional({
    type: 'integer',
    minimum: 1,
    maximum: MAX_SCORED_SENDERS,
    default: MAX_SCORED_SENDERS,
    example: 100,
  })
  @QueryLimit(MAX_SCORED_SENDERS)
  limit: number = MAX_SCORED_SENDERS;
}
