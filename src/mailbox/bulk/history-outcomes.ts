import type { MailboxChange } from '../../providers/port/mailbox-provider.port';
import { BeforeFlag } from './change-journal';
import type { BulkTarget } from './bulk-action';

/** The known outcome for one message after a change was requested. */
export type BulkVerdict =
  /** The change was made. */
  | 'changed'
  /** The message was in the target state already. */
  | 'met'
  /** The mailbox no longer has the message. */
  | 'gone'
  /** The outcome is not known yet. */
  | 'open';

/** Whether a message with these labels is in the target state; one that can be read is not deleted. */
export function meets(target: BulkTarget, labelIds: readonly string[]): boolean {
  if (target.kind === 'deleted') return false;
  if (target.kind === 'moved')
    return labelIds.includes(target.labelId) && !labelIds.includes(target.fromLabelId);
  return labelIds.includes(target.labelId) === (target.kind === 'labelled');
}

/**
 * Determines outcomes from the change history. The provider skips unknown ids without an error, so its success proves
 * nothing about a single message; the history does.
 */
export class HistoryOutcomes {
  private readonly verdicts = new Map<string, Exclude<BulkVerdict, 'open'>>();
  private readonly leftInbox = new Set<string>();
  /** Moved messages that got the label; `touched` also has those that lost the other one. */
  private readonly arrived = new Set<string>();
  private readonly touched = new Set<string>();
  private readonly ids: ReadonlySet<string>;
  private end: string | undefined;

  constructor(
    private readonly target: BulkTarget,
    ids: Iterable<string>,
  ) {
    this.ids = new Set(ids);
  }

  /** @param changes changes in the order in which they happened; the last one counts */
  add(changes: readonly MailboxChange[]): void {
    for (const change of changes) {
      if (this.ids.has(change.message.id)) this.note(change);
      this.end = change.cursor ?? this.end;
    }
  }

  /** Cursor after the last change seen; undefined when no change had one. */
  get cursor(): string | undefined {
    return this.end;
  }

  /** Returns the bits of `BeforeFlag` that the history shows for a message. */
  beforeOf(id: string): number {
    const inbox = this.leftInbox.has(id) ? BeforeFlag.Inbox : 0;
    const had = this.target.kind === 'moved' && this.touched.has(id) && !this.arrived.has(id);
    return inbox | (had ? BeforeFlag.Labelled : 0);
  }

  /** @param knownLabels labels in the message index, which has followed the same history */
  verdictOf(id: string, knownLabels?: readonly string[]): BulkVerdict {
    return this.verdicts.get(id) ?? (knownLabels && meets(this.target, knownLabels) ? 'met' : 'open');
  }

  private note(change: MailboxChange): void {
    const { id } = change.message;
    if (change.labelsRemoved?.includes('INBOX')) this.leftInbox.add(id);
    if (change.kind === 'deleted') {
      this.verdicts.set(id, this.target.kind === 'deleted' ? 'changed' : 'gone');
      return;
    }
    if (this.target.kind === 'deleted' || this.verdicts.get(id) === 'gone') return;
    if (this.target.kind === 'moved') {
      this.noteMove(change, this.target);
      return;
    }
    const { labelId } = this.target;
    const [towards, away] =
      this.target.kind === 'labelled'
        ? [change.labelsAdded, change.labelsRemoved]
        : [change.labelsRemoved, change.labelsAdded];
    if (towards?.includes(labelId)) this.verdicts.set(id, 'changed');
    else if (away?.includes(labelId)) this.verdicts.delete(id);
    else if (change.labelIds && !this.verdicts.has(id) && meets(this.target, change.labelIds)) {
      this.verdicts.set(id, 'met');
    }
  }

  /** Records a move. Its two labels may change one after the other; the labels afterwards decide. */
  private noteMove(
    { message: { id }, labelIds, labelsAdded = [], labelsRemoved = [] }: MailboxChange,
    target: Extract<BulkTarget, { readonly kind: 'moved' }>,
  ): void {
    const { labelId, fromLabelId } = target;
    if (labelsAdded.includes(labelId)) this.arrived.add(id);
    if (labelsAdded.includes(labelId) || labelsRemoved.includes(fromLabelId)) this.touched.add(id);
    if (labelsRemoved.includes(labelId) || labelsAdded.includes(fromLabelId)) this.verdicts.delete(id);
    if (labelIds && meets(target, labelIds)) this.verdicts.set(id, this.touched.has(id) ? 'changed' : 'met');
  }
}
