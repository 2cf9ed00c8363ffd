import { BulkAction, RunAction } from './bulk-action';
import { BeforeFlag, MadeChange } from './change-journal';

/** Actions that cannot be undone. */
export const FINAL_ACTIONS: readonly string[] = ['delete', 'archive_nas'];

/**
 * Returns the change that undoes another; null when there is none, or when it is not known whether there is anything to
 * undo.
 * @param before bits of `BeforeFlag`
 */
export function inverseOf({ action, labelId }: MadeChange, before: number): MadeChange | null {
  // A message that leaves the trash is never lost, wherever it was before.
  if (action === BulkAction.Trash)
    return { action: before & BeforeFlag.Inbox ? RunAction.UntrashToInbox : RunAction.Untrash };
  if (before & BeforeFlag.Unknown) return null;
  switch (action) {
    case BulkAction.Archive:
      return { action: BulkAction.Label, labelId: 'INBOX' };
    case BulkAction.Label:
      return { action: BulkAction.Unlabel, labelId };
    case BulkAction.Unlabel:
      return { action: BulkAction.Label, labelId };
    case BulkAction.Move:
      return inverseOfMove(labelId, before);
    case RunAction.MoveBack:
      return { action: BulkAction.Move, labelId };
    case BulkAction.MarkRead:
      return { action: BulkAction.MarkUnread };
    case BulkAction.MarkUnread:
      return { action: BulkAction.MarkRead };
    case RunAction.Untrash:
    case RunAction.UntrashToInbox:
      return { action: BulkAction.Trash };
    case BulkAction.Delete:
      return null;
  }
}

/**
 * Returns the change that undoes a move. A message that had the label before keeps it, and one that was not in the
 * inbox does not come there.
 */
function inverseOfMove(labelId: string | undefined, before: number): MadeChange | null {
  const [wasInInbox, hadLabel] = [before & BeforeFlag.Inbox, before & BeforeFlag.Labelled];
  if (wasInInbox && hadLabel) return { action: BulkAction.Label, labelId: 'INBOX' };
  if (wasInInbox) return { action: RunAction.MoveBack, labelId };
  return hadLabel ? null : { action: BulkAction.Unlabel, labelId };
}
