import type { MailboxChange } from '../../providers/port/mailbox-provider.port';
import { BeforeFlag } from './change-journal';
import type { BulkTarget } from './bulk-action';

/** The known outcome for one message after a change was requested. */
export type Verdict =
  /** The change was made. */
  | 'changed'
  /** It was in the target state already. */
  | 'met'
  /** The mailbox no longer has it. */
  | 'gone'
  /** Not known yet. */
  | 'open';

/** Whether a message with these labels is in the target state; one that can be read is not deleted. */
export function meets(target: BulkTarget, labelIds: readonly string[]): boolean {
  if (target.kind === 'deleted') return false;
  if (target.kind === 'moved')
    return labelIds.includes(target.labelId) && !labelIds.includes(target.fromLabelId);
  return labelIds.includes(target.labelId) === (target.kind === 'labelled');
}

/**
 * The change history as evidence about the messages of interest. The provider skips unknown ids silently, so that its
 * "done" proves nothing about a single message; the history does.
 */
export class HistoryOutcomes {
  private readonly verdicts = new Map<string, Exclude<Verdict, 'open'>>();
  private readonly leftInbox = new Set<string>();
  /** Of messages that are moved: those that came to the label, and those that left the other one. */
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

  /** @param changes in the order in which they happened: the last word counts */
  add(changes: readonly MailboxChange[]): void {
    for (const change of changes) {
      if (this.ids.has(change.message.id)) this.note(change);
      this.end = change.cursor ?? this.end;
    }
  }

  /** Where the history stands with the last change seen; undefined when nothing says so. */
  get cursor(): string | undefined {
    return this.end;
  }

  /** What the history shows of a message from before a change that it shows. */
  beforeOf(id: string): number {
    const inbox = this.leftInbox.has(id) ? BeforeFlag.Inbox : 0;
    const had = this.target.kind === 'moved' && this.touched.has(id) && !this.arrived.has(id);
    return inbox | (had ? BeforeFlag.Labelled : 0);
  }

  /**
   * @param knownLabels the labels the message index has, which has followed the same history
   */
  verdictOn(id: string, knownLabels?: readonly string[]): Verdict {
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

  /** Two labels change, perhaps one after the other: what the message has afterwards decides. */
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
