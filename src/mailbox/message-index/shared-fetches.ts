import type { CallPriority } from '../providers/mailbox-provider.port';

export interface Claim {
  /** Nobody is fetching these: the caller does, and calls `release` when it is over, whatever the outcome. */
  readonly own: readonly string[];
  /** Somebody is fetching these; see `settled`. */
  readonly others: readonly string[];
  /** Resolves when the fetches of `others` are over. Await it after `release`, or two callers wait for each other. */
  settled(): Promise<void>;
  release(): void;
}

/**
 * Lets readers that want the same messages at the same moment share one fetch, within this process. Readers wait
 * only for readers: background fetches may take minutes and are not waited for.
 */
export class SharedFetches {
  private readonly running = new Map<string, Promise<void>>();

  claim(accountId: string, ids: readonly string[], priority: CallPriority): Claim {
    const keyOf = (id: string): string => `${accountId}:${id}`;
    const others = ids.filter((id) => this.running.has(keyOf(id)));
    const awaited = new Set(others.flatMap((id) => this.running.get(keyOf(id)) ?? []));
    const own = ids.filter((id) => !this.running.has(keyOf(id)));
    let over!: () => void;
    const fetching = new Promise<void>((resolve) => (over = resolve));
    const announced = priority === 'interactive' ? own.map(keyOf) : [];
    for (const key of announced) this.running.set(key, fetching);
    return {
      own,
      others,
      settled: async () => void (await Promise.all(awaited)),
      release: () => {
        for (const key of announced) this.running.delete(key);
        over();
      },
    };
  }
}
