import { Injectable } from '@nestjs/common';
import type { CallPriority } from '../../providers/port/mailbox-provider.port';
import { setTimeout } from '../../platform/concurrency/timers';

/**
 * Time to wait for fetches of a lower priority, which may take minutes, before fetching the messages again, in
 * milliseconds.
 */
const BACKGROUND_MS = 3_000;

export interface Claim {
  /** Ids that no other caller is fetching. The caller fetches them, and calls `release` afterwards in any case. */
  readonly own: readonly string[];
  /** Ids that other callers are fetching; see `waitForOthers`. */
  readonly others: readonly string[];
  /**
   * Resolves when the fetches of `others` have ended, or have taken longer than a reader should wait.
   * @param atMostMs limit for callers that hold a lock others may wait for; other callers call `release` first
   */
  waitForOthers(atMostMs?: number): Promise<void>;
  release(): void;
}

interface Fetching {
  readonly priority: CallPriority;
  readonly over: Promise<void>;
}

/** Lets callers of this process that want the same messages at the same time share one fetch. */
@Injectable()
export class FetchDeduplicator {
  private readonly running = new Map<string, Fetching>();

  claim(accountId: string, ids: readonly string[], priority: CallPriority): Claim {
    const keyOf = (id: string): string => `${accountId}:${id}`;
    const others = ids.filter((id) => this.running.has(keyOf(id)));
    const awaited = new Set(others.flatMap((id) => this.running.get(keyOf(id)) ?? []));
    const own = ids.filter((id) => !this.running.has(keyOf(id)));
    let end!: () => void;
    const fetching: Fetching = { priority, over: new Promise<void>((resolve) => (end = resolve)) };
    for (const id of own) this.running.set(keyOf(id), fetching);
    return {
      own,
      others,
      waitForOthers: async (atMostMs = Infinity) => {
        const wait = (of: CallPriority, limitMs: number): Promise<unknown> =>
          waitWithin(
            [...awaited].filter((other) => other.priority === of).map(({ over }) => over),
            limitMs,
          );
        const moment = Math.min(BACKGROUND_MS, atMostMs);
        await Promise.all([
          wait('interactive', atMostMs),
          wait('background', priority === 'interactive' ? moment : atMostMs),
          wait('spare', priority === 'spare' ? atMostMs : moment),
        ]);
      },
      release: () => {
        for (const id of own) this.running.delete(keyOf(id));
        end();
      },
    };
  }

  /** Resolves when the present fetches of these messages have ended. */
  async waitFor(accountId: string, ids: readonly string[]): Promise<void> {
    const running = new Set(ids.flatMap((id) => this.running.get(`${accountId}:${id}`) ?? []));
    await Promise.all([...running].map(({ over }) => over));
  }
}

async function waitWithin(ends: readonly Promise<void>[], limitMs: number): Promise<void> {
  if (ends.length === 0) return;
  const all = Promise.all(ends);
  if (limitMs === Infinity) return void (await all);
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<void>((resolve) => (timer = setTimeout(resolve, limitMs)));
  await Promise.race([all, limit]);
  clearTimeout(timer);
}
