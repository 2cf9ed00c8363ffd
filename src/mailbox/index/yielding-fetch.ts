import type { Claim, FetchDeduplicator } from './fetch-deduplicator';

/**
 * A background fetch whose messages are announced batch by batch, when each is requested. As soon as another caller
 * wants some of them it requests no more, since it would only use up the other's quota.
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

  /** Announces the ids that no other caller has or wants. @returns these ids; none when the fetch should end */
  async announce(ids: readonly string[]): Promise<readonly string[]> {
    // Ids that are announced a second time were not received, so their claims are released.
    this.release(ids);
    if (this.yielded) return [];
    // The ids are announced before they are looked up: a fetch that had them has stored them before it releases them.
    const own = ids.filter((id) => this.claim(id));
    const missing = await this.findMissing(own);
    this.release(own.filter((id) => !missing.includes(id)));
    if (missing.length < ids.length) this.yielded = true;
    for (const id of missing) this.asked.add(id);
    return missing;
  }

  /** Returns the ids that were never requested. */
  findUnrequested(ids: readonly string[]): string[] {
    return ids.filter((id) => !this.asked.has(id));
  }

  release(ids: readonly string[]): void {
    for (const id of ids) {
      this.claims.get(id)?.release();
      this.claims.delete(id);
    }
  }

  /** Ends the fetch; batches that have not been sent are not sent. */
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
