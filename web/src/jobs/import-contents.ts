import type { Job } from './job-cache';
import { LEFT_OUT_OUTCOMES, type OutcomeName } from './outcome';

/** Number of messages of a format. */
export interface FoundFormat {
  readonly name: string;
  readonly count: number;
}

/** Items that an import left out for a reason, and the names of the first of them. */
export interface LeftOut {
  readonly reason: OutcomeName;
  readonly count: number;
  readonly names: readonly string[];
}

/** The formats that an import found its messages in, the most frequent first. */
export function formatsOf({ result }: Pick<Job, 'result'>): FoundFormat[] {
  return countsIn(result?.['formats'])
    .map(([name, count]) => ({ name, count }))
    .sort((one, other) => other.count - one.count);
}

/** The items that an import left out. Imports of earlier versions have no names. */
export function leftOutOf({ result }: Pick<Job, 'result'>): LeftOut[] {
  const names = result?.['leftOutNames'];
  if (typeof names !== 'object' || names === null) return [];
  const outcomes: Readonly<Record<string, OutcomeName>> = LEFT_OUT_OUTCOMES;
  return countsIn(result?.['leftOut']).flatMap(([reason, count]) => {
    const found = (names as Readonly<Record<string, unknown>>)[reason];
    const outcome = outcomes[reason];
    if (!outcome || !Array.isArray(found) || found.length === 0) return [];
    return [{ reason: outcome, count, names: found.map(String) }];
  });
}

function countsIn(counts: unknown): [string, number][] {
  if (typeof counts !== 'object' || counts === null) return [];
  return Object.entries(counts).filter(
    (entry): entry is [string, number] => typeof entry[1] === 'number' && entry[1] > 0,
  );
}
