import type { MailboxChange } from '../../mail-provider/mailbox-provider.port';
import { TrashEvidence, TrashVerdict, verdictByLabels } from './trash-evidence';

const message = { id: 'm', threadId: 't' };
const added = (...labelsAdded: string[]): MailboxChange => ({ kind: 'labels', message, labelsAdded });
const removed = (...labelsRemoved: string[]): MailboxChange => ({ kind: 'labels', message, labelsRemoved });
const DELETED: MailboxChange = { kind: 'deleted', message };

describe('TrashEvidence', () => {
  it.each<[string, readonly MailboxChange[], TrashVerdict]>([
    ['nothing', [], 'open'],
    ['the trash, then out of the inbox', [added('TRASH'), removed('INBOX')], 'trashed'],
    ['out of the inbox, then the trash', [removed('INBOX'), added('TRASH')], 'trashed'],
    ['having been read on the way', [removed('UNREAD'), added('TRASH')], 'trashed'],
    ['a star before', [added('STARRED'), added('TRASH')], 'to-untrash'],
    ['a star afterwards', [added('TRASH'), added('STARRED')], 'to-untrash'],
    ['a label before', [added('Label_1'), removed('INBOX'), added('TRASH')], 'to-untrash'],
    ['back in the inbox', [added('TRASH'), added('INBOX')], 'to-untrash'],
    ['taken out of the trash', [added('TRASH'), removed('TRASH')], 'changed'],
    ['a star, and no trash', [added('STARRED')], 'changed'],
    ['deleted', [added('TRASH'), DELETED], 'gone'],
  ])('should know %s', (_what, changes, verdict) => {
    const sut = new TrashEvidence(['m']);
    sut.add(changes);
    expect(sut.verdictOn('m')).toBe(verdict);
    sut.add(changes);
    expect(sut.verdictOn('m')).toBe(verdict);
  });

  it('should know who left the inbox, and nothing of other messages', () => {
    const sut = new TrashEvidence(['m', 'n']);
    sut.add([removed('INBOX'), added('TRASH')]);
    expect([sut.leftInbox('m'), sut.leftInbox('n'), sut.verdictOn('n'), sut.verdictOn('other')]).toEqual([
      true,
      false,
      'open',
      'open',
    ]);
  });
});

describe('verdictByLabels', () => {
  it.each<[readonly string[], readonly string[], TrashVerdict]>([
    [['INBOX', 'Label_1'], ['TRASH', 'Label_1'], 'trashed'],
    [['INBOX'], ['TRASH', 'UNREAD'], 'trashed'],
    [['INBOX'], ['TRASH', 'STARRED'], 'to-untrash'],
    [['INBOX', 'Label_1'], ['TRASH'], 'to-untrash'],
    [['INBOX'], ['INBOX', 'STARRED'], 'changed'],
    [['INBOX'], ['INBOX'], 'open'],
  ])('should tell from %j to %j', (planned, now, verdict) => {
    expect(verdictByLabels(planned, now)).toBe(verdict);
  });
});
