const EVERY_MS = 10_000;

/** Tells the operator what is being done: a line for each step, and one every ten seconds while a step counts. */
export class Progress {
  private toldAt = performance.now();

  /** @param print writes one line */
  constructor(private readonly print: (line: string) => void) {}

  step(line: string): void {
    this.print(line);
    this.toldAt = performance.now();
  }

  /** @param line made only when it is time for it */
  count(line: () => string): void {
    if (performance.now() - this.toldAt < EVERY_MS) return;
    this.step(line());
  }
}

const UNITS = ['bytes', 'kB', 'MB', 'GB', 'TB'] as const;

/** `1,234 bytes`, `1.2 MB`: units of a thousand. */
export function sized(bytes: number): string {
  const unit = bytes < 10_000 ? 0 : Math.min(Math.floor(Math.log10(bytes) / 3), UNITS.length - 1);
  const value = bytes / 1000 ** unit;
  return `${value.toLocaleString('en-US', { maximumFractionDigits: value < 100 && unit > 0 ? 1 : 0 })} ${UNITS[unit]}`;
}

/** `1 mail`, `1,234 mails`. */
export function counted(count: number, noun: string): string {
  return `${count.toLocaleString('en-US')} ${noun}${count === 1 ? '' : 's'}`;
}
