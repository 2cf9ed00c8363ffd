/** Whether the time zone database has a zone of this name. */
export function isKnownZone(zone: string): boolean {
  if (!/^[A-Za-z][\w+-]*(?:\/[\w+-]+){0,2}$/.test(zone)) return false;
  try {
    formatIn(zone, 0);
    return true;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

/**
 * The instant at which clocks of a zone show a time. A time that is skipped in spring counts as if clocks had not changed; of one that
 * comes twice in autumn, the first is taken (RFC 5545 §3.3.5).
 * @param local as `2024-06-03T10:00:00`
 * @returns in UTC, as `2024-06-03T08:00:00Z`; null for no time
 */
export function instantIn(zone: string, local: string): string | null {
  const shown = Date.parse(`${local}Z`);
  if (Number.isNaN(shown)) return null;
  const before = shown - offsetAt(zone, shown - DAY_MS);
  const after = shown - offsetAt(zone, shown + DAY_MS);
  const isBefore = before + offsetAt(zone, before) === shown;
  const isAfter = after + offsetAt(zone, after) === shown;
  const instant = isBefore || !isAfter ? before : after;
  return new Date(instant).toISOString().replace('.000', '');
}

const DAY_MS = 86_400_000;

/** The time by which clocks of a zone are ahead of UTC, in milliseconds. */
function offsetAt(zone: string, instant: number): number {
  const shown = formatIn(zone, instant);
  return Date.parse(`${shown}Z`) - Math.floor(instant / 1_000) * 1_000;
}

function formatIn(zone: string, instant: number): string {
  const parts = new Intl.DateTimeFormat('en-u-hc-h23', {
    timeZone: zone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  }).formatToParts(instant);
  const part = (name: string): string => parts.find(({ type }) => type === name)?.value ?? '';
  return `${part('year').padStart(4, '0')}-${part('month')}-${part('day')}T${part('hour')}:${part('minute')}:${part('second')}`;
}
