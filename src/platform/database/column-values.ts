import type { ValueTransformer } from 'typeorm';

/** `bigint` columns arrive from the driver as strings; sizes and counters fit a double exactly up to 2^53. */
export const bigintAsNumber: ValueTransformer = {
  to: (value: number | null | undefined) => value,
  from: (value: string | null) => (value === null ? null : Number(value)),
};

/** PostgreSQL stores neither NUL nor half a surrogate pair; mail headers hold both now and then. */
export function storableText(text: string): string {
  return text.replaceAll('\0', '\uFFFD').replace(/\p{Surrogate}/gu, '\uFFFD');
}

/** JSON that a `jsonb` parameter takes whatever the strings in `value` hold. */
export function storableJson(value: unknown): string {
  return JSON.stringify(value, (_key, field: unknown) =>
    typeof field === 'string' ? storableText(field) : field,
  );
}
