import type { ValueTransformer } from 'typeorm';

/** `bigint` columns arrive from the driver as strings; sizes and counters fit a double exactly up to 2^53. */
export const bigintAsNumber: ValueTransformer = {
  to: (value: number | null | undefined) => value,
  from: (value: string | null) => (value === null ? null : Number(value)),
};
