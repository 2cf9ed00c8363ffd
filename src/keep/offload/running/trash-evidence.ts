import type { MailboxChange } from '../../../providers/port/mailbox-provider.port';

/** Outcome of the move of a message to the trash. */
export type TrashVerdict =
  /** The message is in the trash, and nothing else has changed it. */
  | 'trashed'
  /** The message is in the trash, and a user or another program has starred or moved it: it has to be taken out again. */
  | 'to-untrash'
  /** A user or another program has taken the message out again, or changed it so that it never came there. */
  | 'changed'
  /** The mailbox no longer has the message. */
  | 'gone'
  /** The history shows no outcome. */
  | 'open';

interface Seen {
  isInTrash: boolean;
  /** Whether a user or another program has starred or moved the message, or taken it out of the trash. */
  isTouched: boolean;
  isGone: boolean;
  leftInbox: boolean;
  /** Whether the message is still in one of the places of the plan. */
  isLeftBehind: boolean;
}

/** A message of a plan. */
export interface PlannedMessage {
  readonly messageId: string;
  /** Labels before the move. */
  readonly labels: readonly string[];
}

export interface EvidenceOptions {
  /** See `MailboxProvider.labelsAreFolders`. */
  readonly labelsAreFolders: boolean;
}

/** Whether a label is a place or a star. Reading a message, or the provider, sets the other labels. */
const isPlaceOrStar = (label: string): boolean =>
  !['TRASH', 'UNREAD', 'IMPORTANT'].includes(label) && !label.startsWith('CATEGORY_');
const isPlace = (label: string): boolean => isPlaceOrStar(label) && label !== 'STARRED';
/**
 * Whether adding or removing a label is a sign that a user wants to keep the message. Our own move changes the trash and the
 * inbox.
 */
const isSign = (label: string): boolean => isPlaceOrStar(label) && label !== 'INBOX';

/**
 * Outcomes of a move to the trash by the change history since just before it. A provider's success response proves nothing
 * about a single message; its history does. A message that left the inbox never counts as changed by others: providers report
 * this together with the trash, before it or after it. Where labels are folders the same holds for all folders in which the
 * plan has seen the message: our move takes it out of them.
 */
export class TrashEvidence {
  private readonly seen = new Map<string, Seen>();
  private readonly planned: ReadonlyMap<string, ReadonlySet<string>>;
  private readonly starred = new Set<string>();

  constructor(
    messages: Iterable<PlannedMessage>,
    private readonly options: EvidenceOptions,
  ) {
    const planned = new Map<string, ReadonlySet<string>>();
    for (const { messageId, labels } of messages) {
      planned.set(messageId, new Set(labels.filter(isPlace)));
      if (labels.includes('STARRED')) this.starred.add(messageId);
      this.seen.set(messageId, {
        isInTrash: false,
        isTouched: false,
        isGone: false,
        leftInbox: false,
        isLeftBehind: false,
      });
    }
    this.planned = planned;
  }

  /** @param changes in the order in which they happened */
  add(changes: readonly MailboxChange[]): void {
    for (const change of changes) {
      const seen = this.seen.get(change.message.id);
      if (seen) this.note(seen, change);
    }
  }

  verdictOn(id: string): TrashVerdict {
    const seen = this.seen.get(id);
    if (!seen) return 'open';
    if (seen.isGone) return 'gone';
    if (!seen.isInTrash) return seen.isTouched ? 'changed' : 'open';
    if (seen.isTouched) return 'to-untrash';
    // A server that was asked to move a message out of several folders may have done so in some of them.
    return seen.isLeftBehind ? 'open' : 'trashed';
  }

  /** Whether the history shows that it left the inbox. */
  hasLeftInbox(id: string): boolean {
    return this.seen.get(id)?.leftInbox ?? false;
  }

  private note(
    seen: Seen,
    { kind, message, labelIds, labelsAdded = [], labelsRemoved = [] }: MailboxChange,
  ): void {
    if (kind === 'deleted') {
      seen.isGone = true;
      return;
    }
    const planned = this.planned.get(message.id)!;
    if (kind === 'added' && this.options.labelsAreFolders && labelIds) {
      noteFound(seen, planned, labelIds);
      if (labelIds.includes('STARRED') !== this.starred.has(message.id)) seen.isTouched = true;
      return;
    }
    if (labelsRemoved.includes('INBOX')) seen.leftInbox = true;
    if (labelsAdded.includes('TRASH')) seen.isInTrash = true;
    if (labelsRemoved.includes('TRASH')) {
      seen.isInTrash = false;
      seen.isTouched = true;
    }
    const { labelsAreFolders } = this.options;
    const isOurs = (label: string): boolean => labelsAreFolders && planned.has(label);
    if (labelsAdded.includes('INBOX') || labelsAdded.some(isSign)) seen.isTouched = true;
    if (labelsRemoved.some((label) => isSign(label) && !isOurs(label))) seen.isTouched = true;
    if (!labelsAreFolders || !labelIds) return;
    const places = labelIds.filter(isPlace);
    seen.isLeftBehind = places.length > 0;
    // The message was moved to a folder that is no label: our move would have put it into the trash.
    if (
      places.length === 0 &&
      !labelIds.includes('TRASH') &&
      labelsRemoved.some((label) => planned.has(label))
    )
      seen.isTouched = true;
  }
}

/**
 * Notes that a message is found again that had no place: one folder was read before it came there, the other after it had left.
 * The trash and the places of the plan are explained by our move; any other place shows a change by another person or program,
 * and so does the archive folder alone.
 */
function noteFound(seen: Seen, planned: ReadonlySet<string>, labelIds: readonly string[]): void {
  const places = labelIds.filter(isPlace);
  seen.isGone = false;
  seen.isInTrash = labelIds.includes('TRASH');
  seen.isLeftBehind = places.length > 0;
  seen.leftInbox ||= planned.has('INBOX') && !labelIds.includes('INBOX');
  const isElsewhere = places.some((label) => !planned.has(label));
  const isNowhere = places.length === 0 && !seen.isInTrash;
  if (isElsewhere || isNowhere) seen.isTouched = true;
}

/**
 * Outcome by the labels that the message has now, where the history does not show it.
 * @param planned its labels before the move
 */
export function verdictByLabels(
  planned: readonly string[],
  now: readonly string[],
  { labelsAreFolders }: EvidenceOptions,
): TrashVerdict {
  const isInTrash = now.includes('TRASH');
  const added = now.filter((label) => isSign(label) && !planned.includes(label));
  const removed = planned.filter((label) => isSign(label) && !now.includes(label));
  if (!labelsAreFolders) {
    const isTouched = added.length + removed.length > 0;
    if (isInTrash) return isTouched ? 'to-untrash' : 'trashed';
    return isTouched ? 'changed' : 'open';
  }
  const cameToInbox = now.includes('INBOX') && !planned.includes('INBOX');
  const wasStarred = planned.includes('STARRED') && !now.includes('STARRED');
  const isTouched = added.length > 0 || cameToInbox || wasStarred;
  const left = now.filter(isPlace).length;
  if (isInTrash) {
    if (isTouched) return 'to-untrash';
    return left > 0 ? 'open' : 'trashed';
  }
  const isMoved = left < planned.filter(isPlace).length;
  return isTouched || isMoved ? 'changed' : 'open';
}
