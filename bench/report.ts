import { arch, cpus, release, totalmem } from 'node:os';

export interface Figure {
  readonly work: string;
  readonly measured: string;
  readonly budget: string;
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

/** Prints the figures as a Markdown table under the machine they were taken on. */
export function printReport(figures: readonly Figure[]): void {
  const [cpu] = cpus();
  const gib = (totalmem() / 1024 ** 3).toFixed(0);
  console.log(
    `\nMachine: ${cpus().length} × ${cpu?.model ?? arch()}, ${gib} GiB, Linux ${release()}, Node ${process.version}`,
  );
  const rows = figures.map(({ work, measured, budget, met }) => [
    work,
    measured,
    budget,
    met === undefined ? '' : met ? 'met' : 'missed',
  ]);
  printTable([['work', 'measured', 'budget', ''], ...rows]);
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
