import type { MailboxChange } from '../providers/mailbox-provider.port';

/** What a stretch of history did to the labels of one message, in the end. */
export interface FoldedLabels {
  readonly id: string;
  /** The labels as the provider last stated them; null when it named only differences. */
  readonly labelIds: readonly string[] | null;
  /** Differences on top of `labelIds`, or of what was known before. */
  readonly add: readonly string[];
  readonly remove: readonly string[];
}

interface Labels {
  labelIds: readonly string[] | null;
  readonly add: Set<string>;
  readonly remove: Set<string>;
}

/**
 * Condenses change history to at most one entry per message. Replaying history over rows that have already seen
 * a part of it is harmless: what counts is where it ends.
 */
export class FoldedChanges {
  private readonly byMessage = new Map<string, Labels>();
  private readonly gone = new Set<string>();

  /** Messages touched so far. */
  get size(): number {
    return this.byMessage.size + this.gone.size;
  }

  /** @param changes in the order in which they happened */
  add(changes: readonly MailboxChange[]): void {
    for (const change of changes) {
      const { id } = change.message;
      if (change.kind === 'deleted') {
        this.gone.add(id);
        this.byMessage.delete(id);
      } else if (!this.gone.has(id)) {
        this.fold(id, change);
      }
    }
  }

  /** The outcome so far; what follows is folded anew. */
  drain(): { labels: FoldedLabels[]; deleted: string[] } {
    const labels = [...this.byMessage].map(([id, { labelIds, add, remove }]) => ({
      id,
      labelIds,
      add: [...add],
      remove: [...remove],
    }));
    const deleted = [...this.gone];
    this.byMessage.clear();
    this.gone.clear();
    return { labels, deleted };
  }

  private fold(id: string, change: MailboxChange): void {
    if (change.labelIds) {
      this.byMessage.set(id, { labelIds: change.labelIds, add: new Set(), remove: new Set() });
      return;
    }
    if (!change.labelsAdded?.length && !change.labelsRemoved?.length) return;
    let labels = this.byMessage.get(id);
    if (!labels) {
      labels = { labelIds: null, add: new Set(), remove: new Set() };
      this.byMessage.set(id, labels);
    }
    for (const label of change.labelsAdded ?? []) {
      labels.add.add(label);
      labels.remove.delete(label);
    }
    for (const label of change.labelsRemoved ?? []) {
      labels.remove.add(label);
      labels.add.delete(label);
    }
  }
}
