import { setTimeout as delay } from 'node:timers/promises';

const MAX_REPORTED = 50;

/** What was done, how often, and everything that went another way than it should. */
export class Journal {
  readonly failures: string[] = [];
  readonly counts = new Map<string, number>();

  count(what: string, by = 1): void {
    this.counts.set(what, (this.counts.get(what) ?? 0) + by);
  }

  fail(what: string): void {
    this.failures.push(`${new Date().toISOString()} ${what}`);
    if (this.failures.length <= MAX_REPORTED) console.log(`✗ ${what}`);
  }

  /** Notes a failure when the two differ as JSON. */
  expect(what: string, actual: unknown, expected: unknown): void {
    const [is, should] = [JSON.stringify(actual), JSON.stringify(expected)];
    if (is !== should) this.fail(`${what}: ${is} instead of ${should}`);
  }

  /** Does something over and over, with rests, until the signal; a round that has begun is done to its end. */
  async repeat(name: string, restMs: number, signal: AbortSignal, round: () => Promise<void>): Promise<void> {
    while (!signal.aborted) {
      try {
        await round();
        this.count(name);
      } catch (error) {
        this.fail(`${name}: ${error instanceof Error ? error.message : String(error)}`);
      }
      await delay(restMs, undefined, { signal }).catch(() => undefined);
    }
  }
}
