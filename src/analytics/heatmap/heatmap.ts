export interface HeatmapCell {
  /** 0 = Monday … 6 = Sunday. */
  readonly day: number;
  readonly hour: number;
  readonly count: number;
}

const DAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];
const HOURS = 24;

/**
 * Counts instants by weekday and hour as the clocks of a place show them, summer time included.
 * @param instants epoch milliseconds
 * @param timeZone an IANA name
 * @returns all 168 cells, Monday 0 h first
 */
export function heatmapOf(instants: readonly number[], timeZone: string): HeatmapCell[] {
  const clock = new Intl.DateTimeFormat('en-US', {
    timeZone,
    weekday: 'short',
    hour: '2-digit',
    hourCycle: 'h23',
  });
  const counts = new Array<number>(DAYS.length * HOURS).fill(0);
  for (const instant of instants) {
    const parts = clock.formatToParts(instant);
    const part = (type: string): string => parts.find((candidate) => candidate.type === type)?.value ?? '';
    const cell = DAYS.indexOf(part('weekday')) * HOURS + Number(part('hour'));
    counts[cell] = (counts[cell] ?? 0) + 1;
  }
  return counts.map((count, cell) => ({ day: Math.floor(cell / HOURS), hour: cell % HOURS, count }));
}
