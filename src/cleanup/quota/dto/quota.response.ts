import { ApiProperty } from '@nestjs/swagger';
import type { HourUsage, SpentQuota } from '../../../providers/port/provider-usage.port';
import type { QuotaUsage } from '../quota.service';

/** The provider's limits for one mailbox account. */
export class QuotaLimitsResponse {
  /**
   * Limit per second: quota units of Gmail; commands of IMAP, unless the installation assigns some a higher cost.
   * @example 250
   */
  @ApiProperty({ type: 'integer' })
  perSecond: number;
  /**
   * Limit per minute, in the same units.
   * @example 15000
   */
  @ApiProperty({ type: 'integer' })
  perMinute: number;
  /** Bytes that may be read in 24 hours; jobs wait from 80 % on. null: no limit is known, or bytes are not counted.
   * @example 2500000000 */
  @ApiProperty({ type: 'integer', format: 'int64', nullable: true })
  receivedBytesPerDay: number | null;
  /**
   * Bytes that may be sent in 24 hours; jobs wait from 80 % on. null: no limit is known, or bytes are not counted.
   * @example 500000000
   */
  @ApiProperty({ type: 'integer', format: 'int64', nullable: true })
  sentBytesPerDay: number | null;
}

export class SpentQuotaResponse {
  /**
   * Quota units as Gmail charges them; of IMAP, one per command unless the installation assigns some a higher cost.
   * @example 4250
   */
  @ApiProperty({ type: 'integer' })
  units: number;
  /** Calls, as the provider counts them: each part of a batch, and each command of IMAP, is one.
   * @example 850 */
  @ApiProperty({ type: 'integer' })
  calls: number;
}

export class LastMinuteResponse extends SpentQuotaResponse {
  /** Share of the limit per minute that is used, in percent to one decimal. */
  @ApiProperty({ type: 'number', format: 'double', example: 28.3 })
  percentOfLimit: number;
}

export class LastDayResponse extends SpentQuotaResponse {
  /** Bytes read from the server; null where they are not counted, as with the Gmail API. */
  @ApiProperty({ type: 'integer', format: 'int64', nullable: true, example: 73400320 })
  receivedBytes: number | null;
  /** Bytes sent to the server; null where they are not counted, as with the Gmail API. */
  @ApiProperty({ type: 'integer', format: 'int64', nullable: true, example: 1048576 })
  sentBytes: number | null;
}

export class QuotaUsageResponse {
  /** Use in the last 60 seconds. */
  lastMinute: LastMinuteResponse;
  /** Use in the last 60 minutes. */
  lastHour: SpentQuotaResponse;
  /** Use in the last 24 hours. */
  last24h: LastDayResponse;
}

export class EndpointUsageResponse extends SpentQuotaResponse {
  /** The provider's method; of IMAP the command, e.g. `FETCH`.
   * @example messages.get */
  endpoint: string;
}

export class HourUsageResponse extends SpentQuotaResponse {
  /**
   * Start of the clock hour, UTC.
   * @example 2025-11-21T09:00:00.000Z
   */
  @ApiProperty({ format: 'date-time' })
  hour: string;
}

/** Example of the hours of a day. */
const A_DAY = Array.from({ length: 24 }, (_, hour) => ({
  hour: new Date(Date.UTC(2026, 4, 4, hour)).toISOString(),
  units: 1825 * (hour % 5),
  calls: 365 * (hour % 5),
}));

/** The provider's limits for an account, and the account's use of them through this service. */
export class QuotaResponse {
  limits: QuotaLimitsResponse;
  usage: QuotaUsageResponse;
  /** The most expensive methods of the last 24 hours, in descending order. */
  @ApiProperty({ type: [EndpointUsageResponse], maxItems: 10 })
  topEndpoints: EndpointUsageResponse[];
  /** The last 24 clock hours, oldest first; including hours without use. */
  @ApiProperty({ type: [HourUsageResponse], minItems: 24, maxItems: 24, example: A_DAY })
  hourlyBreakdown: HourUsageResponse[];
}

export class QuotaCleanupResponse {
  /** Number of deleted records. */
  @ApiProperty({ type: 'integer', example: 18250 })
  deleted: number;
}

export function toQuotaResponse({ limits, topEndpoints, transfer, ...usage }: QuotaUsage): QuotaResponse {
  return {
    limits: {
      ...limits,
      receivedBytesPerDay: transfer?.limits?.receivedBytes ?? null,
      sentBytesPerDay: transfer?.limits?.sentBytes ?? null,
    },
    usage: {
      lastMinute: {
        ...spent(usage.lastMinute),
        percentOfLimit: Math.round((usage.lastMinute.units / limits.perMinute) * 1_000) / 10,
      },
      lastHour: spent(usage.lastHour),
      last24h: {
        ...spent(usage.lastDay),
        receivedBytes: transfer?.receivedBytes ?? null,
        sentBytes: transfer?.sentBytes ?? null,
      },
    },
    topEndpoints: topEndpoints.map((used) => ({ endpoint: used.endpoint, ...spent(used) })),
    hourlyBreakdown: usage.hours.map(toHourUsageResponse),
  };
}

function toHourUsageResponse(used: HourUsage): HourUsageResponse {
  return { hour: used.hour.toISOString(), ...spent(used) };
}

const spent = ({ units, calls }: SpentQuota): SpentQuotaResponse => ({ units, calls });
