/** The form in checkpoints: positions in the list of requested ids, or the ids of messages a query matched. */
export interface SavedFailedMessages {
  /** One bit per position, base64. */
  readonly positions?: string;
  readonly ids?: readonly string[];
}

/**
 * Messages a job could not archive. All ids of a list may be wrong: one bit each keeps the checkpoint small. A query
 * matches only messages that exist, few of which fail, in an order that changes.
 */
export class FailedMessages {
  private readonly ids = new Set<string>();
  private readonly positions: ReadonlyMap<string, number> | null;

  /** @param asked the ids requested, in the same order in every attempt; null for a query */
  constructor(asked: readonly string[] | null, saved?: SavedFailedMessages) {
    this.positions = asked && new Map(asked.map((id, position) => [id, position]));
    for (const id of saved?.ids ?? []) this.ids.add(id);
    if (!asked || saved?.positions === undefined) return;
    const bits = Buffer.from(saved.positions, 'base64');
    for (const [position, id] of asked.entries()) {
      if (((bits[position >> 3] ?? 0) >> (position & 7)) & 1) this.ids.add(id);
    }
  }

  get size(): number {
    return this.ids.size;
  }

  add(messageId: string): void {
    this.ids.add(messageId);
  }

  has(messageId: string): boolean {
    return this.ids.has(messageId);
  }

  save(): SavedFailedMessages {
    if (this.ids.size === 0) return {};
    if (!this.positions) return { ids: [...this.ids] };
    const bits = Buffer.alloc((this.positions.size + 7) >> 3);
    for (const id of this.ids) {
      const position = this.positions.get(id);
      if (position !== undefined) bits[position >> 3] = (bits[position >> 3] ?? 0) | (1 << (position & 7));
    }
    return { positions: bits.toString('base64') };
  }
}
