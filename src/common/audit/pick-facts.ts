import type { AuditDetails } from './audit-trail.port';

/** The named facts of a job's result or payload that are counts, codes or switches; others are left out. */
export function pickFacts(
  facts: Readonly<Record<string, unknown>> | null | undefined,
  ...names: readonly string[]
): AuditDetails {
  const picked = names.map((name) => [name, facts?.[name]] as const);
  return Object.fromEntries(picked.filter(isFact));
}

const isFact = (entry: readonly [string, unknown]): entry is [string, string | number | boolean] =>
  ['string', 'number', 'boolean'].includes(typeof entry[1]);
