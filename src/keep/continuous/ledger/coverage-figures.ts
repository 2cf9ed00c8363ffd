import type { StoredClass } from './ledger.entity';

/** Class of a message in answers. `verified`: archived, and its file was read and hashed again lately. */
export const COVERAGE_CLASSES = ['verified', 'archived', 'excluded', 'failed', 'pending'] as const;
export type CoverageClass = (typeof COVERAGE_CLASSES)[number];

/** A row of totals. */
export interface LedgerTotal {
  readonly class: StoredClass | 'gone';
  readonly detail: string;
  /** Hashed again within the days that a verification counts. */
  readonly isVerified: boolean;
  readonly messages: number;
  readonly bytes: number;
}

export interface Counted {
  readonly key: string;
  readonly count: number;
}

export interface CoverageFigures {
  /** Messages of the mailbox, which are the five classes together. */
  readonly total: number;
  readonly classes: Readonly<Record<CoverageClass, number>>;
  /** Bytes of all messages whose sizes are known. */
  readonly bytes: number;
  /** The most frequent first. */
  readonly excludedBy: readonly Counted[];
  readonly failedBy: readonly Counted[];
  readonly onlyInArchive: { readonly count: number; readonly bytes: number };
}

/** Adds up the totals of one account. */
export function coverageFigures(totals: readonly LedgerTotal[]): CoverageFigures {
  const classes: Record<CoverageClass, number> = {
    verified: 0,
    archived: 0,
    excluded: 0,
    failed: 0,
    pending: 0,
  };
  const details = { excluded: new Map<string, number>(), failed: new Map<string, number>() };
  const gone = { count: 0, bytes: 0 };
  let [total, bytes] = [0, 0];
  for (const row of totals) {
    if (row.class === 'gone') {
      gone.count += row.messages;
      gone.bytes += row.bytes;
      continue;
    }
    total += row.messages;
    bytes += row.bytes;
    classes[row.class === 'archived' && row.isVerified ? 'verified' : row.class] += row.messages;
    if (row.class === 'excluded' || row.class === 'failed') {
      const counts = details[row.class];
      counts.set(row.detail, (counts.get(row.detail) ?? 0) + row.messages);
    }
  }
  return {
    total,
    classes,
    bytes,
    excludedBy: toCounts(details.excluded),
    failedBy: toCounts(details.failed),
    onlyInArchive: gone,
  };
}

const toCounts = (counts: ReadonlyMap<string, number>): Counted[] =>
  [...counts]
    .map(([key, count]) => ({ key, count }))
    .sort((one, other) => other.count - one.count || (one.key < other.key ? -1 : 1));
