import type { HourUsage, ProviderUsageReport, SpentQuota } from '../port/provider-usage.port';

const HOUR_MS = 3_600_000;
const HOURS = 24;
const NOTHING: SpentQuota = { units: 0, calls: 0 };

/** Sums of the last day's records: of one endpoint, of one clock hour, or of all records when both are null. */
export interface UsageSum extends SpentQuota {
  readonly endpoint: string | null;
  readonly hour: Date | null;
  /** Units of the last 60 minutes; `callsOfHour` likewise. */
  readonly unitsOfHour: number;
  readonly callsOfHour: number;
}

/** Computes the part of the report that comes from the stored records. */
export function summarize(
  sums: readonly UsageSum[],
  now: Date,
): Omit<ProviderUsageReport, 'provider' | 'lastMinute' | 'transfer'> {
  const whole = sums.find(({ endpoint, hour }) => endpoint === null && hour === null);
  return {
    lastHour: { units: whole?.unitsOfHour ?? 0, calls: whole?.callsOfHour ?? 0 },
    lastDay: { units: whole?.units ?? 0, calls: whole?.calls ?? 0 },
    endpoints: sums
      .flatMap(({ endpoint, units, calls }) => (endpoint === null ? [] : [{ endpoint, units, calls }]))
      .sort((a, b) => b.units - a.units || b.calls - a.calls || (a.endpoint < b.endpoint ? -1 : 1)),
    hours: clockHours(sums, now),
  };
}

function clockHours(sums: readonly UsageSum[], now: Date): HourUsage[] {
  const known = new Map(sums.flatMap((sum) => (sum.hour ? [[sum.hour.getTime(), sum] as const] : [])));
  const current = Math.floor(now.getTime() / HOUR_MS) * HOUR_MS;
  return Array.from({ length: HOURS }, (_, index) => {
    const start = current - (HOURS - 1 - index) * HOUR_MS;
    const { units, calls } = known.get(start) ?? NOTHING;
    return { hour: new Date(start), units, calls };
  });
}
