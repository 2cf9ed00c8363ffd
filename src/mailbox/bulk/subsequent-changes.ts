import type { MailboxChange } from '../../providers/port/mailbox-provider.port';
import { targetOf } from './bulk-action';
import type { MadeChange } from './change-journal';

/** A change that was made to a message, and the history cursor after it. */
export interface WatchedChange extends MadeChange {
  readonly id: string;
  readonly cursor: string;
}

/** The last later change of others to a message: of the label that was changed, or its deletion. */
export type SubsequentChange = 'made-again' | 'taken-back' | 'gone';

/** Determines from the change history how others have changed messages since a change was made. */
export class SubsequentChanges {
  private readonly found = new Map<string, SubsequentChange>();
  private readonly watched: ReadonlyMap<string, WatchedChange>;

  /** @param isLater compares cursors of the provider */
  constructor(
    watched: readonly WatchedChange[],
    private readonly isLater: (cursor: string, than: string) => boolean,
  ) {
    this.watched = new Map(watched.map((change) => [change.id, change]));
  }

  /** @param changes changes in the order in which they happened; those before the watched change are ignored */
  add(changes: readonly MailboxChange[]): void {
    for (const change of changes) {
      const made = this.watched.get(change.message.id);
      if (!made || (change.cursor !== undefined && !this.isLater(change.cursor, made.cursor))) continue;
      const later = toSubsequentChange(change, made);
      if (later && this.found.get(made.id) !== 'gone') this.found.set(made.id, later);
    }
  }

  /** Returns the later change of a message; undefined without one. */
  changeOf(id: string): SubsequentChange | undefined {
    return this.found.get(id);
  }
}

function toSubsequentChange(change: MailboxChange, made: MadeChange): SubsequentChange | undefined {
  if (change.kind === 'deleted') return 'gone';
  const target = targetOf(made.action, made.labelId);
  if (target.kind === 'deleted') return undefined;
  const { labelsAdded = [], labelsRemoved = [] } = change;
  const isAdded = labelsAdded.includes(target.labelId);
  const isRemoved = labelsRemoved.includes(target.labelId);
  if (target.kind === 'moved') {
    const { fromLabelId } = target;
    if (isRemoved || labelsAdded.includes(fromLabelId)) return 'taken-back';
    return isAdded || labelsRemoved.includes(fromLabelId) ? 'made-again' : undefined;
  }
  if (!isAdded && !isRemoved) return undefined;
  return isAdded === (target.kind === 'labelled') ? 'made-again' : 'taken-back';
}
