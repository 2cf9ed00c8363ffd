import { arch, cpus, release, totalmem } from 'node:os';
import { type Comparison, timesAsGood } from './references';
import { nodeVersion } from './service-node';

export interface Figure {
  readonly work: string;
  readonly measured: string;
  readonly budget: string;
  readonly compared?: Comparison;
  /** undefined when there is nothing to compare. */
  readonly met?: boolean;
}

/** Value at quantile `q` (0–1) of unsorted samples. */
export function quantile(samples: readonly number[], q: number): number {
  const sorted = [...samples].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))] ?? NaN;
}

/** `p50 1.2 / p95 3.4 / p99 5.6 ms` */
export function latency(samples: readonly number[]): string {
  const at = (q: number): string => quantile(samples, q).toFixed(1);
  return `p50 ${at(0.5)} / p95 ${at(0.95)} / p99 ${at(0.99)} ms`;
}

/** `0.52 × the goal` */
export const against = (measured: number, goal: number): string =>
  `${(measured / goal).toFixed(2)} × the goal`;

/** Prints the figures as a Markdown table under the machine they were taken on. */
export function printReport(figures: readonly Figure[]): void {
  const [cpu] = cpus();
  const gib = (totalmem() / 1024 ** 3).toFixed(0);
  console.log(
    `\nMachine: ${cpus().length} × ${cpu?.model ?? arch()}, ${gib} GiB, Linux ${release()}, Node ${nodeVersion()}`,
  );
  printTable([['work', 'now', 'before', 'ratio', 'goal', 'peer or floor', 'ratio', ''], ...figures.map(row)]);
}

function row({ work, measured, budget, compared, met }: Figure): string[] {
  const { before, other } = compared ?? {};
  return [
    work,
    measured,
    before?.toLocaleString('en') ?? '',
    compared && before !== undefined ? timesAsGood(compared, before) : '',
    budget,
    other ? `${other.value.toLocaleString('en', { maximumSignificantDigits: 3 })} (${other.name})` : '',
    compared && other ? timesAsGood(compared, other.value) : '',
    met === undefined ? '' : met ? 'met' : 'missed',
  ];
}

/** Prints rows of as many cells, the first of which are the columns' names, as a Markdown table. */
export function printTable(table: readonly (readonly string[])[]): void {
  const widths = table[0]!.map((_, column) => Math.max(3, ...table.map((row) => row[column]!.length)));
  const line = (row: readonly string[]): string =>
    `| ${row.map((cell, i) => cell.padEnd(widths[i]!)).join(' | ')} |`;
  console.log(line(table[0]!));
  console.log(`|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`);
  for (const row of table.slice(1)) console.log(line(row));
}
