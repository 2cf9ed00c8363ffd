import type { Claim, FetchDeduplicator } from './fetch-deduplicator';

/**
 * A fetch in the background, whose messages are announced one batch at a time, as each leaves. As soon as another
 * caller wants some of them it requests no more: it would only use up the other's quota.
 */
export class YieldingFetch {
  private readonly claims = new Map<string, Claim>();
  private readonly asked = new Set<string>();
  private yielded = false;

  constructor(
    private readonly accountId: string,
    private readonly deduplicator: FetchDeduplicator,
    private readonly findMissing: (ids: readonly string[]) => Promise<readonly string[]>,
  ) {}

  /** Announces the ids that no other caller has or wants. @returns them; none: the fetch should end */
  async announce(ids: readonly string[]): Promise<readonly string[]> {
    // Asked for a second time: they did not come.
    this.release(ids);
    if (this.yielded) return [];
    // First announced, then looked up: a fetch that had them has kept them by the time they are free.
    const own = ids.filter((id) => this.claim(id));
    const missing = await this.findMissing(own);
    this.release(own.filter((id) => !missing.includes(id)));
    if (missing.length < ids.length) this.yielded = true;
    for (const id of missing) this.asked.add(id);
    return missing;
  }

  /** Those of the ids that were never requested. */
  leftOut(ids: readonly string[]): string[] {
    return ids.filter((id) => !this.asked.has(id));
  }

  release(ids: readonly string[]): void {
    for (const id of ids) {
      this.claims.get(id)?.release();
      this.claims.delete(id);
    }
  }

  /** Ends the fetch: batches that have not left stay. */
  close(): void {
    this.yielded = true;
    this.release([...this.claims.keys()]);
  }

  private claim(id: string): boolean {
    const claim = this.deduplicator.claim(this.accountId, [id], 'background');
    if (claim.own.length === 0) return false;
    this.claims.set(id, claim);
    return true;
  }
}
