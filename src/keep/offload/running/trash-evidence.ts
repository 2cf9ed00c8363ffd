import type { MailboxChange } from '../../../providers/port/mailbox-provider.port';

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
  /** Of the places of the plan, it is still in one. */
  isLeftBehind: boolean;
}

/** A message of a plan. */
export interface PlannedMessage {
  readonly messageId: string;
  /** Its labels before. */
  readonly labels: readonly string[];
}

export interface EvidenceOptions {
  /** See `MailboxProvider.labelsAreFolders`. */
  readonly labelsAreFolders: boolean;
}

/** Labels that say where a message lies, or that somebody wants to keep it; reading it or the provider sets the others. */
const isPlaceOrStar = (label: string): boolean =>
  !['TRASH', 'UNREAD', 'IMPORTANT'].includes(label) && !label.startsWith('CATEGORY_');
const isPlace = (label: string): boolean => isPlaceOrStar(label) && label !== 'STARRED';
/** Labels whose coming or going says that somebody wants to keep a message; our own change is of the trash and the inbox. */
const isSign = (label: string): boolean => isPlaceOrStar(label) && label !== 'INBOX';

/**
 * The change history since just before messages were moved to the trash. The provider's "done" proves nothing about a
 * single message; its history does. That a message left the inbox is never taken for somebody else's work: whether the
 * provider tells of it together with the trash, before or after, is its own affair. Where labels are folders the same holds
 * for all folders in which the plan has seen the message: our move takes it out of them.
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
    // A server that was asked to move a message out of several folders may have done so in some.
    return seen.isLeftBehind ? 'open' : 'trashed';
  }

  /** Whether the history shows that it left the inbox. */
  leftInbox(id: string): boolean {
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
    // Somebody has moved it to a folder that is no label: ours would have put it into the trash.
    if (
      places.length === 0 &&
      !labelIds.includes('TRASH') &&
      labelsRemoved.some((label) => planned.has(label))
    )
      seen.isTouched = true;
  }
}

/**
 * A message is found again that lay nowhere: one folder was looked at before it came there, the other after it had left. The
 * trash and the places of the plan are our move's; any other place shows a change by another person or program, and so does the archive folder alone.
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
 * Likewise by the labels that the message has now, where the history does not say.
 * @param planned its labels before
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
