import type { MailboxChange } from '../../../providers/port/mailbox-provider.port';
import { TrashEvidence, TrashVerdict, verdictByLabels } from './trash-evidence';

const message = { id: 'm', threadId: 't' };
const added = (...labelsAdded: string[]): MailboxChange => ({ kind: 'labels', message, labelsAdded });
const removed = (...labelsRemoved: string[]): MailboxChange => ({ kind: 'labels', message, labelsRemoved });
const GMAIL = { labelsAreFolders: false };
const FOLDERS = { labelsAreFolders: true };
const of = (id: string, ...labels: string[]) => ({ messageId: id, labels });
/** A change in the history of an IMAP mailbox, which has the labels after it. */
const moved = (from: readonly string[], to: readonly string[]): MailboxChange => ({
  kind: 'labels',
  message,
  labelIds: to,
  labelsAdded: to.filter((label) => !from.includes(label)),
  labelsRemoved: from.filter((label) => !to.includes(label)),
});
/** An entry in the history of an IMAP mailbox for a message that had no place before. */
const found = (...labelIds: string[]): MailboxChange => ({ kind: 'added', message, labelIds });
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
    ['a removed label', [removed('Label_1'), added('TRASH')], 'to-untrash'],
  ])('should recognise %s', (_what, changes, verdict) => {
    const sut = new TrashEvidence([of('m', 'INBOX')], GMAIL);
    sut.add(changes);
    expect(sut.verdictOn('m')).toBe(verdict);
    sut.add(changes);
    expect(sut.verdictOn('m')).toBe(verdict);
  });

  it('should know which messages left the inbox, and nothing of others', () => {
    const sut = new TrashEvidence([of('m', 'INBOX'), of('n', 'INBOX')], GMAIL);
    sut.add([removed('INBOX'), added('TRASH')]);
    expect([
      sut.hasLeftInbox('m'),
      sut.hasLeftInbox('n'),
      sut.verdictOn('n'),
      sut.verdictOn('other'),
    ]).toEqual([true, false, 'open', 'open']);
  });
});

describe('TrashEvidence where labels are folders', () => {
  it.each<[string, readonly string[], readonly MailboxChange[], TrashVerdict]>([
    ['our move', ['Work'], [moved(['Work'], ['TRASH'])], 'trashed'],
    ['our move out of two folders', ['Work', 'Old'], [moved(['Work', 'Old'], ['TRASH'])], 'trashed'],
    [
      'our move out of two folders, one after the other',
      ['Work', 'Old'],
      [moved(['Work', 'Old'], ['Old']), moved(['Old'], ['TRASH'])],
      'trashed',
    ],
    [
      'a copy and a removal',
      ['INBOX', 'Work'],
      [moved(['INBOX', 'Work'], ['Work', 'TRASH']), moved(['Work', 'TRASH'], ['TRASH'])],
      'trashed',
    ],
    ['an incomplete move', ['Work', 'Old'], [moved(['Work', 'Old'], ['Old', 'TRASH'])], 'open'],
    [
      'a move to another folder before ours',
      ['Work'],
      [moved(['Work'], ['Old']), moved(['Old'], ['TRASH'])],
      'to-untrash',
    ],
    [
      'a move to the archive before ours',
      ['Work'],
      [moved(['Work'], []), moved([], ['TRASH'])],
      'to-untrash',
    ],
    ['a move to the archive', ['Work'], [moved(['Work'], [])], 'changed'],
    [
      'a move to the inbox before ours',
      ['Work'],
      [moved(['Work'], ['INBOX']), moved(['INBOX'], ['TRASH'])],
      'to-untrash',
    ],
    ['a star', ['Work'], [moved(['Work'], ['TRASH', 'STARRED'])], 'to-untrash'],
    ['a removed star', ['Work', 'STARRED'], [moved(['Work', 'STARRED'], ['TRASH'])], 'to-untrash'],
    ['a copy to another folder', ['Work'], [moved(['Work'], ['Work', 'Old'])], 'changed'],
    ['a look before our move and one after it', ['Work'], [DELETED, found('TRASH')], 'trashed'],
    ['that again, and one folder to go', ['Work', 'Old'], [DELETED, found('TRASH', 'Old')], 'open'],
    ['that again, and a star', ['Work'], [DELETED, found('TRASH', 'STARRED')], 'to-untrash'],
    ['a sync before and after a move to another folder', ['Work'], [DELETED, found('Old')], 'changed'],
    ['a look before and after a move to the archive', ['Work'], [DELETED, found()], 'changed'],
    [
      'a look before and after a move to the archive, and then ours',
      ['Work'],
      [DELETED, found(), moved([], ['TRASH'])],
      'to-untrash',
    ],
    [
      'our move of a message that lies in the archive folder too, one place after the other',
      ['Work'],
      [moved(['Work'], ['Work', 'TRASH']), moved(['Work', 'TRASH'], ['TRASH'])],
      'trashed',
    ],
    ['a sync before and after a move to its own folder', ['Work'], [DELETED, found('Work')], 'open'],
    [
      'a message that is found in the trash, and deleted',
      ['Work'],
      [DELETED, found('TRASH'), DELETED],
      'gone',
    ],
    ['the way back', ['Work'], [moved(['Work'], ['TRASH']), moved(['TRASH'], ['Work'])], 'changed'],
  ])('should recognise %s', (_what, planned, changes, verdict) => {
    const sut = new TrashEvidence([of('m', ...planned)], FOLDERS);
    sut.add(changes);
    expect(sut.verdictOn('m')).toBe(verdict);
  });
});

describe('verdictByLabels', () => {
  it.each<[readonly string[], readonly string[], TrashVerdict]>([
    [['Work'], ['TRASH'], 'trashed'],
    [['INBOX', 'Work'], ['TRASH', 'UNREAD'], 'trashed'],
    [['Work', 'Old'], ['TRASH', 'Old'], 'open'],
    [['Work'], ['TRASH', 'STARRED'], 'to-untrash'],
    [['Work', 'STARRED'], ['TRASH'], 'to-untrash'],
    [['Work'], ['TRASH', 'INBOX'], 'to-untrash'],
    [['Work'], ['Old'], 'changed'],
    [['INBOX'], [], 'changed'],
    [['Work'], ['Work'], 'open'],
    [[], [], 'open'],
  ])('should judge the change from %j to %j where labels are folders', (planned, now, verdict) => {
    expect(verdictByLabels(planned, now, FOLDERS)).toBe(verdict);
  });

  it.each<[readonly string[], readonly string[], TrashVerdict]>([
    [['INBOX', 'Label_1'], ['TRASH', 'Label_1'], 'trashed'],
    [['INBOX'], ['TRASH', 'UNREAD'], 'trashed'],
    [['INBOX'], ['TRASH', 'STARRED'], 'to-untrash'],
    [['INBOX', 'Label_1'], ['TRASH'], 'to-untrash'],
    [['INBOX'], ['INBOX', 'STARRED'], 'changed'],
    [['INBOX'], ['INBOX'], 'open'],
  ])('should judge the change from %j to %j', (planned, now, verdict) => {
    expect(verdictByLabels(planned, now, GMAIL)).toBe(verdict);
  });
});
