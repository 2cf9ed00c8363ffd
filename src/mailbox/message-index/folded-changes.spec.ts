import type { MailboxChange } from '../providers/mailbox-provider.port';
import { FoldedChanges } from './folded-changes';

const labels = (id: string, change: Partial<MailboxChange>): MailboxChange => ({
  kind: 'labels',
  message: { id, threadId: 't' },
  ...change,
});

const fold = (...changes: MailboxChange[]) => {
  const folded = new FoldedChanges();
  folded.add(changes);
  return folded.drain();
};

describe('FoldedChanges', () => {
  it('should keep the last word on each label when only differences are known', () => {
    expect(
      fold(
        labels('a', { labelsAdded: ['STARRED', 'X'] }),
        labels('a', { labelsRemoved: ['STARRED', 'UNREAD'] }),
        labels('a', { labelsAdded: ['UNREAD'] }),
      ),
    ).toEqual({
      labels: [{ id: 'a', labelIds: null, add: ['X', 'UNREAD'], remove: ['STARRED'] }],
      deleted: [],
    });
  });

  it('should start from the labels the provider states and add later differences', () => {
    expect(
      fold(
        labels('a', { labelsAdded: ['OLD'] }),
        labels('a', { labelIds: ['INBOX', 'UNREAD'], labelsAdded: ['UNREAD'] }),
        labels('a', { labelsRemoved: ['UNREAD'] }),
      ).labels,
    ).toEqual([{ id: 'a', labelIds: ['INBOX', 'UNREAD'], add: [], remove: ['UNREAD'] }]);
  });

  it('should drop what happened to a message before and after its deletion', () => {
    expect(
      fold(
        labels('a', { labelsAdded: ['X'] }),
        { kind: 'deleted', message: { id: 'a', threadId: 't' } },
        labels('a', { labelsAdded: ['Y'] }),
        labels('b', { labelsRemoved: ['INBOX'] }),
      ),
    ).toEqual({
      labels: [{ id: 'b', labelIds: null, add: [], remove: ['INBOX'] }],
      deleted: ['a'],
    });
  });

  it('should not list messages about whose labels nothing was said', () => {
    expect(fold({ kind: 'added', message: { id: 'new', threadId: 't' } }).labels).toEqual([]);
  });

  it('should begin anew after draining', () => {
    const folded = new FoldedChanges();
    folded.add([labels('a', { labelsAdded: ['X'] })]);
    expect(folded.size).toBe(1);
    folded.drain();
    expect(folded.size).toBe(0);
    expect(folded.drain()).toEqual({ labels: [], deleted: [] });
  });
});
