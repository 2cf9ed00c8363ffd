import type { MailboxChange } from '../../providers/port/mailbox-provider.port';
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
  it('should keep the last change to each label when only differences are known', () => {
    expect(
      fold(
        labels('a', { labelsAdded: ['STARRED', 'X'] }),
        labels('a', { labelsRemoved: ['STARRED', 'UNREAD'] }),
        labels('a', { labelsAdded: ['UNREAD'] }),
      ),
    ).toEqual({
      labels: [{ id: 'a', labelIds: null, add: ['X', 'UNREAD'], remove: ['STARRED'], added: false }],
      deleted: [],
    });
  });

  it('should start from the labels that the provider states and apply later differences', () => {
    expect(
      fold(
        labels('a', { labelsAdded: ['OLD'] }),
        labels('a', { labelIds: ['INBOX', 'UNREAD'], labelsAdded: ['UNREAD'] }),
        labels('a', { labelsRemoved: ['UNREAD'] }),
      ).labels,
    ).toEqual([{ id: 'a', labelIds: ['INBOX', 'UNREAD'], add: [], remove: ['UNREAD'], added: false }]);
  });

  it('should drop changes to a message before and after its deletion', () => {
    expect(
      fold(
        labels('a', { labelsAdded: ['X'] }),
        { kind: 'deleted', message: { id: 'a', threadId: 't' } },
        labels('a', { labelsAdded: ['Y'] }),
        labels('b', { labelsRemoved: ['INBOX'] }),
      ),
    ).toEqual({
      labels: [{ id: 'b', labelIds: null, add: [], remove: ['INBOX'], added: false }],
      deleted: ['a'],
    });
  });

  it('should list added messages even if their labels are unknown', () => {
    expect(
      fold({ kind: 'added', message: { id: 'new', threadId: 't' } }, labels('old', { labelsAdded: [] }))
        .labels,
    ).toEqual([{ id: 'new', labelIds: null, add: [], remove: [], added: true }]);
  });

  it('should remember that a message was added when its labels are stated later', () => {
    expect(
      fold(
        { kind: 'added', message: { id: 'new', threadId: 't' } },
        labels('new', { labelIds: ['INBOX'], labelsAdded: ['INBOX'] }),
      ).labels,
    ).toEqual([{ id: 'new', labelIds: ['INBOX'], add: [], remove: [], added: true }]);
  });

  it('should start over after draining', () => {
    const folded = new FoldedChanges();
    folded.add([labels('a', { labelsAdded: ['X'] })]);
    expect(folded.size).toBe(1);
    folded.drain();
    expect(folded.size).toBe(0);
    expect(folded.drain()).toEqual({ labels: [], deleted: [] });
  });

  const arrivals = (...changes: MailboxChange[]) => {
    const folded = new FoldedChanges();
    for (const change of changes) {
      folded.add([change]);
      folded.drain();
    }
    return folded.listArrived();
  };
  const added = (labelIds?: string[]): MailboxChange => ({
    kind: 'added',
    message: { id: 'a', threadId: 't' },
    ...(labelIds && { labelIds }),
  });
  const deleted: MailboxChange = { kind: 'deleted', message: { id: 'a', threadId: 't' } };

  it.each<[string, MailboxChange[], string[]]>([
    ['added', [added(['INBOX'])], ['a']],
    ['added, with unknown labels', [added()], ['a']],
    ['added to spam', [added(['SPAM'])], []],
    ['added and deleted', [added(['INBOX']), deleted], []],
    ['added and trashed', [added(['INBOX']), labels('a', { labelsAdded: ['TRASH'] })], []],
    [
      'added to spam and taken out',
      [added(['SPAM']), labels('a', { labelIds: ['INBOX'], labelsRemoved: ['SPAM'] })],
      ['a'],
    ],
    ['taken out of trash', [labels('a', { labelsRemoved: ['TRASH'] })], ['a']],
    [
      'taken out of trash and put back',
      [labels('a', { labelsRemoved: ['TRASH'] }), labels('a', { labelsAdded: ['TRASH'] })],
      [],
    ],
    ['relabelled', [labels('a', { labelIds: ['INBOX'], labelsAdded: ['INBOX'] })], []],
    ['put in trash', [labels('a', { labelIds: ['TRASH'], labelsAdded: ['TRASH'] })], []],
  ])('should know which messages became visible: %s', (_name, changes, ids) => {
    expect(arrivals(...changes)).toEqual(ids);
  });

  it('should report when too many became visible to name them', () => {
    const folded = new FoldedChanges();
    folded.add(
      Array.from({ length: 10_001 }, (_, index): MailboxChange => ({
        kind: 'added',
        message: { id: String(index), threadId: 't' },
      })),
    );
    expect(folded.listArrived()).toBeNull();
  });
});
