import { BulkAction, RunAction } from './bulk-action';
import { BeforeFlag, MadeChange } from './change-journal';
import { inverseOf } from './inverse-change';

describe('inverseOf', () => {
  it.each<[MadeChange, number, MadeChange | null]>([
    [{ action: BulkAction.Trash }, BeforeFlag.Inbox, { action: 'untrash_to_inbox' }],
    [{ action: BulkAction.Trash }, 0, { action: 'untrash' }],
    [{ action: BulkAction.Trash }, BeforeFlag.Unknown, { action: 'untrash' }],
    [{ action: RunAction.Untrash }, 0, { action: BulkAction.Trash }],
    [{ action: RunAction.UntrashToInbox }, 0, { action: BulkAction.Trash }],
    [{ action: BulkAction.Archive }, BeforeFlag.Inbox, { action: BulkAction.Label, labelId: 'INBOX' }],
    [{ action: BulkAction.Label, labelId: 'L' }, 0, { action: BulkAction.Unlabel, labelId: 'L' }],
    [{ action: BulkAction.Unlabel, labelId: 'L' }, 0, { action: BulkAction.Label, labelId: 'L' }],
    [{ action: BulkAction.MarkRead }, 0, { action: BulkAction.MarkUnread }],
    [{ action: BulkAction.MarkUnread }, 0, { action: BulkAction.MarkRead }],
    [{ action: BulkAction.Move, labelId: 'L' }, BeforeFlag.Inbox, { action: 'move_back', labelId: 'L' }],
    [
      { action: BulkAction.Move, labelId: 'L' },
      BeforeFlag.Inbox | BeforeFlag.Labelled,
      { action: BulkAction.Label, labelId: 'INBOX' },
    ],
    [{ action: BulkAction.Move, labelId: 'L' }, 0, { action: BulkAction.Unlabel, labelId: 'L' }],
    [{ action: BulkAction.Move, labelId: 'L' }, BeforeFlag.Labelled, null],
    [{ action: RunAction.MoveBack, labelId: 'L' }, 0, { action: BulkAction.Move, labelId: 'L' }],
    [{ action: BulkAction.Delete }, 0, null],
    [{ action: BulkAction.MarkRead }, BeforeFlag.Unknown, null],
    [{ action: RunAction.Untrash }, BeforeFlag.Unknown, null],
  ])('should undo %j (before: %i)', (change, before, inverse) => {
    expect(inverseOf(change, before)).toEqual(inverse);
  });
});
