/** Longest array of a payload that lists show in full. */
const LISTED_ITEMS = 100;

/**
 * The payload with its long arrays cut, or null when it has none. A payload may hold 50,000 ids: the preview is stored
 * beside it, so that lists of jobs never read them. Payloads are flat, see the payload classes.
 */
export function previewOf(payload: object): Record<string, unknown> | null {
  const isLong = (value: unknown): value is unknown[] => Array.isArray(value) && value.length > LISTED_ITEMS;
  const fields = Object.entries(payload) as [string, unknown][];
  if (!fields.some(([, value]) => isLong(value))) return null;
  return Object.fromEntries(
    fields.map(([name, value]) => [name, isLong(value) ? value.slice(0, LISTED_ITEMS) : value]),
  );
}
