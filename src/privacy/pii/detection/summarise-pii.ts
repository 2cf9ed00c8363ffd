import { findPii } from './find-pii';
import type { PiiMatch, PiiType } from './pii-match';

/** What is kept of one type of data in one mail: nothing of it is secret. */
export interface PiiFinding {
  readonly type: PiiType;
  /** Different values: one that is quoted again, or stands in both alternatives, counts once. */
  readonly count: number;
  /** The first one, masked. */
  readonly snippet: string;
}

/** What a text holds, by type, in the order of first appearance. */
export function summarisePii(text: string): PiiFinding[] {
  const found = new Map<PiiType, { values: Set<string>; snippet: string }>();
  for (const match of findPii(text)) {
    const known = found.get(match.type);
    if (known) known.values.add(identityOf(match));
    else found.set(match.type, { values: new Set([identityOf(match)]), snippet: match.masked });
  }
  return [...found].map(([type, { values, snippet }]) => ({ type, count: values.size, snippet }));
}

/** The same for every way to write a value. */
function identityOf({ type, value }: PiiMatch): string {
  if (type === 'password_plain') return value;
  const plain = value
    .normalize('NFKC')
    .replace(/[^\p{L}\p{N}]/gu, '')
    .toUpperCase();
  if (type === 'phone_fr') return plain.replace(/^(?:(?:00)?33)?0?/, '');
  // With the key or without.
  return type === 'french_ssn' ? plain.slice(0, 13) : plain;
}
