import type { MailboxChange } from '../../providers/port/mailbox-provider.port';
import { BulkAction, RunAction } from './bulk-action';
import { SubsequentChanges } from './subsequent-changes';

const isLater = (cursor: string, than: string): boolean => Number(cursor) > Number(than);
const change = (
  cursor: string | undefined,
  labels: Partial<Pick<MailboxChange, 'kind' | 'labelsAdded' | 'labelsRemoved'>>,
): MailboxChange => ({ kind: 'labels', message: { id: 'm', threadId: 't' }, cursor, ...labels });

describe('SubsequentChanges', () => {
  it.each<[string, RunAction, MailboxChange[], string | undefined]>([
    ['nothing', BulkAction.Trash, [], undefined],
    ['the job’s own change', BulkAction.Trash, [change('5', { labelsAdded: ['TRASH'] })], undefined],
    ['other labels', BulkAction.Trash, [change('6', { labelsAdded: ['STARRED'] })], undefined],
    ['out of the trash', BulkAction.Trash, [change('6', { labelsRemoved: ['TRASH'] })], 'taken-back'],
    [
      'out of the trash and in again',
      BulkAction.Trash,
      [change('6', { labelsRemoved: ['TRASH'] }), change('7', { labelsAdded: ['TRASH'] })],
      'made-again',
    ],
    ['into the inbox', BulkAction.Archive, [change('6', { labelsAdded: ['INBOX'] })], 'taken-back'],
    ['unread', BulkAction.MarkRead, [change('6', { labelsAdded: ['UNREAD'] })], 'taken-back'],
    ['read', BulkAction.MarkUnread, [change('6', { labelsRemoved: ['UNREAD'] })], 'taken-back'],
    ['the label removed', BulkAction.Label, [change('6', { labelsRemoved: ['L'] })], 'taken-back'],
    ['the label back', BulkAction.Unlabel, [change('6', { labelsAdded: ['L'] })], 'taken-back'],
    ['into the trash', RunAction.Untrash, [change('6', { labelsAdded: ['TRASH'] })], 'taken-back'],
    ['deleted', BulkAction.Trash, [change('6', { kind: 'deleted' })], 'gone'],
    [
      'deleted last',
      BulkAction.Trash,
      [change('6', { labelsRemoved: ['TRASH'] }), change('7', { kind: 'deleted' })],
      'gone',
    ],
    ['at an unknown time', BulkAction.Trash, [change(undefined, { labelsAdded: ['TRASH'] })], 'made-again'],
  ])('should recognise changes by others: %s', (_case, action, changes, touch) => {
    const sut = new SubsequentChanges([{ id: 'm', action, labelId: 'L', cursor: '5' }], isLater);
    sut.add(changes);
    expect(sut.changeOf('m')).toBe(touch);
    expect(sut.changeOf('other')).toBeUndefined();
  });
});
