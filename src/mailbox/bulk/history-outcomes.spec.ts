import type { MailboxChange } from '../../providers/port/mailbox-provider.port';
import { BulkAction, targetOf } from './bulk-action';
import { HistoryOutcomes, meets } from './history-outcomes';

const READ = targetOf(BulkAction.MarkRead);
const TRASHED = targetOf(BulkAction.Trash);
const DELETED = targetOf(BulkAction.Delete);

const labels = (change: Partial<MailboxChange>): MailboxChange => ({
  kind: 'labels',
  message: { id: 'a', threadId: 't' },
  ...change,
});
const deleted: MailboxChange = { kind: 'deleted', message: { id: 'a', threadId: 't' } };

describe('meets', () => {
  it.each([
    [READ, ['INBOX'], true],
    [READ, ['INBOX', 'UNREAD'], false],
    [TRASHED, ['TRASH'], true],
    [TRASHED, ['INBOX'], false],
    [DELETED, [], false],
  ])('%j with labels %j: %s', (target, labelIds, expected) => {
    expect(meets(target, labelIds)).toBe(expected);
  });
});

describe('HistoryOutcomes', () => {
  const verdict = (target: typeof READ, changes: MailboxChange[], known?: string[]) => {
    const evidence = new HistoryOutcomes(target, ['a']);
    evidence.add(changes);
    return evidence.verdictOf('a', known);
  };

  it.each<[string, typeof READ, MailboxChange[], string[] | undefined, string]>([
    ['nothing is known', READ, [], undefined, 'open'],
    ['the history shows the change', READ, [labels({ labelsRemoved: ['UNREAD'] })], undefined, 'changed'],
    ['the history shows the label', TRASHED, [labels({ labelsAdded: ['TRASH'] })], undefined, 'changed'],
    [
      'the change was undone afterwards',
      READ,
      [labels({ labelsRemoved: ['UNREAD'] }), labels({ labelsAdded: ['UNREAD'] })],
      undefined,
      'open',
    ],
    [
      'the change was undone before',
      READ,
      [labels({ labelsAdded: ['UNREAD'] }), labels({ labelsRemoved: ['UNREAD'] })],
      undefined,
      'changed',
    ],
    [
      'another change states labels in the target state',
      READ,
      [labels({ labelsAdded: ['STARRED'], labelIds: ['INBOX', 'STARRED'] })],
      undefined,
      'met',
    ],
    [
      'another change states labels outside it',
      READ,
      [labels({ labelsAdded: ['STARRED'], labelIds: ['UNREAD', 'STARRED'] })],
      undefined,
      'open',
    ],
    ['the index says there was nothing to do', READ, [], ['INBOX'], 'met'],
    ['the index has not seen the change', READ, [], ['INBOX', 'UNREAD'], 'open'],
    [
      'the message was deleted meanwhile',
      READ,
      [labels({ labelsRemoved: ['UNREAD'] }), deleted],
      ['INBOX'],
      'gone',
    ],
    ['the deletion was asked for', DELETED, [deleted], undefined, 'changed'],
    ['the index still has what should be deleted', DELETED, [], ['INBOX'], 'open'],
    [
      'a message to delete only changed labels',
      DELETED,
      [labels({ labelIds: ['TRASH'], labelsAdded: ['TRASH'] })],
      undefined,
      'open',
    ],
  ])('should decide when %s', (_case, target, changes, known, expected) => {
    expect(verdict(target, changes, known)).toBe(expected);
  });

  it('should skip messages of no interest', () => {
    const evidence = new HistoryOutcomes(READ, ['b']);
    evidence.add([labels({ labelsRemoved: ['UNREAD'] })]);
    expect(evidence.verdictOf('a')).toBe('open');
  });
});
