import { FAILURES_SHOWN } from './watched-limits';
import type { EndedPlace } from '../in-place/import-places.repository';

interface Failure {
  readonly item: string;
  readonly reason: string;
}

const COUNTS = ['items', 'imported', 'duplicates', 'failed', 'bytes'] as const;

/** Whether some items of a file that was imported could not be read. */
export const hasFailures = ({ result }: Pick<EndedPlace, 'result'>): boolean =>
  Number(result?.['failed']) > 0;

/** The text that lies beside a file whose import has ended: how it ended, and what could not be read. */
export function describeImport(
  { jobId, status, error, errorCode, result }: EndedPlace,
  name: string,
): string {
  const lines = [`File: ${name}`, `Job: ${jobId}`, `Ended: ${status}`];
  if (error !== null) lines.push(`Reason: ${error}${errorCode === null ? '' : ` (${errorCode})`}`);
  if (status === 'cancelled') lines.push('Reason: The import was cancelled.');
  for (const count of COUNTS)
    if (result?.[count] !== undefined) lines.push(`${count}: ${Number(result[count])}`);
  const leftOut = Object.entries((result?.['leftOut'] ?? {}) as Record<string, number>);
  if (leftOut.length > 0)
    lines.push(`left out: ${leftOut.map(([reason, count]) => `${count} ${reason}`).join(', ')}`);
  const failures = (result?.['failures'] ?? []) as readonly Failure[];
  if (failures.length > 0) lines.push('', 'Could not be read:');
  for (const { item, reason } of failures.slice(0, FAILURES_SHOWN)) lines.push(`${item}: ${reason}`);
  const unshown = Number(result?.['failed'] ?? 0) - Math.min(failures.length, FAILURES_SHOWN);
  if (failures.length > 0 && unshown > 0) lines.push(`and ${unshown} more`);
  return `${lines.join('\n')}\n`;
}
