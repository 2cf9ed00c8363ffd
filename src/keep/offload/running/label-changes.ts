import type { MailboxChange } from '../../../providers/port/mailbox-provider.port';
import { type Allowed, markOf } from '../block-reasons';

/** Whether the provider sets the label by itself, or reading a message sets it: it is no sign that a user wants to keep it. */
const INCIDENTAL = (label: string): boolean =>
  label === 'UNREAD' || label === 'IMPORTANT' || label.startsWith('CATEGORY_');

const placesOf = (labelIds: Iterable<string>): Set<string> =>
  new Set([...labelIds].filter((label) => !INCIDENTAL(label)));

const isSame = (one: ReadonlySet<string>, other: ReadonlySet<string>): boolean =>
  one.size === other.size && [...one].every((label) => other.has(label));

/**
 * Whether a message was moved or marked since it was planned: its stars and places differ, or it has a mark that keeps it in
 * the mailbox.
 */
export function hasMoved(planned: readonly string[], now: readonly string[], allowed: Allowed): boolean {
  return !isSame(placesOf(planned), placesOf(now)) || markOf(now, allowed) !== undefined;
}

/** Labels of messages after the changes of the history. */
export class LabelChanges {
  private readonly changes = new Map<string, MailboxChange[]>();

  /** @param isOfInterest whether the changes of a message are recorded; called once for each message that changed */
  constructor(private readonly isOfInterest: (id: string) => boolean = () => true) {}

  /** @param changes in the order in which they happened */
  add(changes: readonly MailboxChange[]): void {
    for (const change of changes) {
      const { id } = change.message;
      const known = this.changes.get(id);
      if (known) known.push(change);
      else if (this.isOfInterest(id)) this.changes.set(id, [change]);
    }
  }

  /** Ids of messages of interest that changed. */
  get ids(): string[] {
    return [...this.changes.keys()];
  }

  /**
   * Labels of a message after the changes. @param before the labels before the first change. @returns null when the message was
   * deleted, and not found again since
   */
  labelsOf(id: string, before: readonly string[]): readonly string[] | null {
    let labels: Set<string> | null = new Set(before);
    for (const { kind, labelIds, labelsAdded, labelsRemoved } of this.changes.get(id) ?? []) {
      if (kind === 'deleted') labels = null;
      else if (labelIds) labels = new Set(labelIds);
      else {
        for (const label of labelsAdded ?? []) labels?.add(label);
        for (const label of labelsRemoved ?? []) labels?.delete(label);
      }
    }
    return labels && [...labels];
  }
}
