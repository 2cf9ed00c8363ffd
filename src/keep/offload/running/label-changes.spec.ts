import type { MailboxChange } from '../../../providers/port/mailbox-provider.port';
import { hasMoved, LabelChanges } from './label-changes';

const NONE = { starred: false, important: false, unread: false };
const message = { id: 'm', threadId: 't' };
const change = (labels: Partial<MailboxChange>): MailboxChange => ({ kind: 'labels', message, ...labels });

describe('LabelChanges', () => {
  it('should fold changes in order, by the labels that the provider reports afterwards', () => {
    const sut = new LabelChanges();
    sut.add([change({ labelsAdded: ['STARRED'] }), change({ labelsRemoved: ['INBOX'] })]);
    sut.add([change({ labelsRemoved: ['STARRED'] }), change({ labelsAdded: ['Label_1'] })]);
    expect(sut.ids).toEqual(['m']);
    expect(sut.labelsOf('m', ['INBOX', 'UNREAD'])).toEqual(['UNREAD', 'Label_1']);
    sut.add([change({ labelsAdded: ['Label_2'], labelIds: ['Label_2'] })]);
    expect(sut.labelsOf('m', ['INBOX'])).toEqual(['Label_2']);
    sut.add([{ kind: 'deleted', message }]);
    expect(sut.labelsOf('m', ['INBOX'])).toBeNull();
  });

  it('should give the same result when it has seen everything twice', () => {
    const sut = new LabelChanges();
    const all = [
      change({ labelsAdded: ['A'] }),
      change({ labelsRemoved: ['A'] }),
      change({ labelsAdded: ['B'] }),
    ];
    sut.add(all);
    sut.add(all);
    expect(sut.labelsOf('m', ['INBOX'])).toEqual(['INBOX', 'B']);
  });

  it('should follow a message that was reported deleted and then found in another folder', () => {
    const sut = new LabelChanges();
    sut.add([
      { kind: 'deleted', message },
      { kind: 'added', message, labelIds: ['Other', 'UNREAD'], labelsAdded: ['Other', 'UNREAD'] },
    ]);
    expect(sut.labelsOf('m', ['INBOX'])).toEqual(['Other', 'UNREAD']);
    sut.add([{ kind: 'deleted', message }]);
    expect(sut.labelsOf('m', ['INBOX'])).toBeNull();
  });

  it('should keep only changes of interest', () => {
    const sut = new LabelChanges((id) => id !== 'm');
    sut.add([change({ labelsAdded: ['A'] })]);
    expect(sut.ids).toEqual([]);
  });
});

describe('hasMoved', () => {
  it.each([
    ['nothing', ['INBOX'], ['INBOX'], false],
    ['having been read', ['INBOX', 'UNREAD'], ['INBOX'], false],
    ['a category', ['INBOX'], ['INBOX', 'CATEGORY_PROMOTIONS'], false],
    ['a star', ['INBOX'], ['INBOX', 'STARRED'], true],
    ['a removed star', ['INBOX', 'STARRED'], ['INBOX'], true],
    ['the inbox left', ['INBOX'], [], true],
    ['a label', ['INBOX'], ['INBOX', 'Label_1'], true],
    ['the trash', ['INBOX'], ['TRASH'], true],
    ['spam', ['INBOX'], ['SPAM'], true],
    ['a mark that keeps it', ['INBOX'], ['INBOX', 'IMPORTANT'], true],
    ['unread again', ['INBOX'], ['INBOX', 'UNREAD'], true],
  ])('should decide for %s', (_what, planned, now, moved) => {
    expect(hasMoved(planned, now, NONE)).toBe(moved);
  });

  it('should ignore marks that the plan allows', () => {
    const allowed = { ...NONE, important: true, unread: true };
    expect(hasMoved(['INBOX'], ['INBOX', 'IMPORTANT', 'UNREAD'], allowed)).toBe(false);
  });
});
