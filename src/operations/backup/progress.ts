const EVERY_MS = 10_000;

/** Reports progress to the operator: a line for each step, and one every ten seconds within a step that counts. */
export class Progress {
  private printedAt = performance.now();

  /** @param print writes one line */
  constructor(private readonly print: (line: string) => void) {}

  step(line: string): void {
    this.print(line);
    this.printedAt = performance.now();
  }

  /** @param line is called only when a line is due */
  count(line: () => string): void {
    if (performance.now() - this.printedAt < EVERY_MS) return;
    this.step(line());
  }
}

const UNITS = ['bytes', 'kB', 'MB', 'GB', 'TB'] as const;

/** A size with its unit, in thousands: `1,234 bytes`, `1.2 MB`. */
export function formatSize(bytes: number): string {
  const unit = bytes < 10_000 ? 0 : Math.min(Math.floor(Math.log10(bytes) / 3), UNITS.length - 1);
  const value = bytes / 1000 ** unit;
  return `${value.toLocaleString('en-US', { maximumFractionDigits: value < 100 && unit > 0 ? 1 : 0 })} ${UNITS[unit]}`;
}

/** A count with its noun: `1 mail`, `1,234 mails`. */
export function formatCount(count: number, noun: string): string {
  return `${count.toLocaleString('en-US')} ${noun}${count === 1 ? '' : 's'}`;
}
