import type { MailboxChange } from '../../providers/port/mailbox-provider.port';

/** The final effect of a stretch of history on the labels of one message. */
export interface FoldedLabels {
  readonly id: string;
  /** Labels by the provider's last complete list; null when it reported only differences. */
  readonly labelIds: readonly string[] | null;
  /** Labels added to `labelIds`, or to the labels known before; `remove` likewise. */
  readonly add: readonly string[];
  readonly remove: readonly string[];
  /** Whether the message was added. Then it has no labels that were not reported. */
  readonly added: boolean;
}

interface Labels {
  added: boolean;
  labelIds: readonly string[] | null;
  readonly add: Set<string>;
  readonly remove: Set<string>;
}

/** Whether any of the labels hides a message from figures. */
export const isHidden = (labelIds: readonly string[] | undefined): boolean =>
  labelIds?.some((label) => label === 'SPAM' || label === 'TRASH') ?? false;

/** Most arrivals that are remembered. With more, listing the newest messages again costs less. */
const MAX_ARRIVALS = 10_000;

/**
 * Folds change history into at most one entry per message. Replaying history over rows that already reflect a part of
 * it is harmless, since only its end counts.
 */
export class FoldedChanges {
  private readonly byMessage = new Map<string, Labels>();
  private readonly gone = new Set<string>();
  /** Messages that became visible, and whether they have been hidden again. */
  private readonly arrivals = new Map<string, { hidden: boolean }>();
  private arrivalsLost = false;

  /** Number of changed messages so far. */
  get size(): number {
    return this.byMessage.size + this.gone.size;
  }

  /** @param changes changes in the order in which they happened */
  add(changes: readonly MailboxChange[]): void {
    for (const change of changes) {
      const { id } = change.message;
      this.followArrival(id, change);
      if (change.kind === 'deleted') {
        this.gone.add(id);
        this.byMessage.delete(id);
      } else if (!this.gone.has(id)) {
        this.fold(id, change);
      }
    }
  }

  /** Returns the folded changes so far, and starts anew. */
  drain(): { labels: FoldedLabels[]; deleted: string[] } {
    const labels = [...this.byMessage].map(([id, { labelIds, add, remove, added }]) => ({
      id,
      labelIds,
      add: [...add],
      remove: [...remove],
      added,
    }));
    const deleted = [...this.gone];
    this.byMessage.clear();
    this.gone.clear();
    return { labels, deleted };
  }

  /**
   * Returns the ids of messages that were added or left spam or trash and still exist, including drained ones; null
   * when there were too many to remember.
   */
  listArrived(): string[] | null {
    if (this.arrivalsLost) return null;
    return [...this.arrivals].filter(([, { hidden }]) => !hidden).map(([id]) => id);
  }

  private followArrival(id: string, change: MailboxChange): void {
    if (change.kind === 'deleted') {
      this.arrivals.delete(id);
      return;
    }
    const comesIntoSight = change.kind === 'added' || isHidden(change.labelsRemoved);
    const known = this.arrivals.get(id);
    if (!known && !comesIntoSight) return;
    const before = known?.hidden ?? false;
    const after = isHidden(change.labelsAdded) || (before && !isHidden(change.labelsRemoved));
    const hidden = change.labelIds ? isHidden(change.labelIds) : after;
    if (known) known.hidden = hidden;
    else if (this.arrivals.size < MAX_ARRIVALS) this.arrivals.set(id, { hidden });
    else this.arrivalsLost = true;
  }

  private fold(id: string, change: MailboxChange): void {
    const isAdded = change.kind === 'added';
    let labels = this.byMessage.get(id);
    if (change.labelIds) {
      const added = isAdded || (labels?.added ?? false);
      this.byMessage.set(id, { added, labelIds: change.labelIds, add: new Set(), remove: new Set() });
      return;
    }
    if (!isAdded && !change.labelsAdded?.length && !change.labelsRemoved?.length) return;
    if (!labels) {
      labels = { added: false, labelIds: null, add: new Set(), remove: new Set() };
      this.byMessage.set(id, labels);
    }
    labels.added ||= isAdded;
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
