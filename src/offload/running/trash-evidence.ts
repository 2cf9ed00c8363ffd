import type { MailboxChange } from '../../mail-provider/mailbox-provider.port';

/** What became of a message that was to be moved to the trash. */
export type TrashVerdict =
  /** It is there, and no one else has touched it. */
  | 'trashed'
  /** It is there, and somebody has starred or moved it: it is to be taken out again. */
  | 'to-untrash'
  /** Somebody has taken it out again, or changed it so that it never came there. */
  | 'changed'
  /** The mailbox no longer has it. */
  | 'gone'
  /** The history does not say. */
  | 'open';

interface Seen {
  isInTrash: boolean;
  /** Somebody has starred or moved it, or taken it out of the trash. */
  isTouched: boolean;
  isGone: boolean;
  leftInbox: boolean;
}

/** Labels whose coming or going says that somebody wants to keep a message; our own change is of the trash and the inbox. */
const isSign = (label: string): boolean =>
  !['TRASH', 'INBOX', 'UNREAD', 'IMPORTANT'].includes(label) && !label.startsWith('CATEGORY_');

/**
 * The change history since just before messages were moved to the trash. The provider's "done" proves nothing about a
 * single message; its history does. That a message left the inbox is never taken for somebody else's work: whether the
 * provider tells of it together with the trash, before or after, is its own affair.
 */
export class TrashEvidence {
  private readonly seen = new Map<string, Seen>();

  constructor(ids: Iterable<string>) {
    for (const id of ids)
      this.seen.set(id, { isInTrash: false, isTouched: false, isGone: false, leftInbox: false });
  }

  /** @param changes in the order in which they happened */
  add(changes: readonly MailboxChange[]): void {
    for (const change of changes) {
      const seen = this.seen.get(change.message.id);
      if (seen) note(seen, change);
    }
  }

  verdictOn(id: string): TrashVerdict {
    const seen = this.seen.get(id);
    if (!seen) return 'open';
    if (seen.isGone) return 'gone';
    if (seen.isInTrash) return seen.isTouched ? 'to-untrash' : 'trashed';
    return seen.isTouched ? 'changed' : 'open';
  }

  /** Whether the history shows that it left the inbox. */
  leftInbox(id: string): boolean {
    return this.seen.get(id)?.leftInbox ?? false;
  }
}

function note(seen: Seen, { kind, labelsAdded = [], labelsRemoved = [] }: MailboxChange): void {
  if (kind === 'deleted') {
    seen.isGone = true;
    return;
  }
  if (labelsRemoved.includes('INBOX')) seen.leftInbox = true;
  if (labelsAdded.includes('TRASH')) seen.isInTrash = true;
  if (labelsRemoved.includes('TRASH')) {
    seen.isInTrash = false;
    seen.isTouched = true;
  }
  if (labelsAdded.includes('INBOX') || [...labelsAdded, ...labelsRemoved].some(isSign)) seen.isTouched = true;
}

/**
 * Likewise by the labels that the message has now, where the history does not say.
 * @param planned its labels before
 */
export function verdictByLabels(planned: readonly string[], now: readonly string[]): TrashVerdict {
  const places = (labels: readonly string[]): string => labels.filter(isSign).sort().join(' ');
  const isTouched = places(planned) !== places(now);
  if (now.includes('TRASH')) return isTouched ? 'to-untrash' : 'trashed';
  return isTouched ? 'changed' : 'open';
}
