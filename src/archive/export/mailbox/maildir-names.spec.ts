import { maildirFolder, maildirName, namedLabels } from './maildir-names';

const names = new Map([['Label_1', 'Work/Offers 1.5']]);

describe('maildirFolder', () => {
  it.each<[string[], string]>([
    [['INBOX', 'Label_1'], 'Maildir'],
    [['SENT'], 'Maildir/.Sent'],
    [['Label_1', 'STARRED'], 'Maildir/.Work.Offers 1_5'],
    [['Label_2'], 'Maildir/.Label_2'],
    [['CATEGORY_SOCIAL'], 'Maildir/.Archive'],
    [['../../etc/passwd'], 'Maildir/.__.__.etc.passwd'],
    [['/ / /'], 'Maildir/.Archive'],
  ])('should be found for %j', (labelIds, expected) => {
    expect(maildirFolder(namedLabels(labelIds, names))).toBe(expected);
  });
});

describe('maildirName', () => {
  it.each<[string[], string]>([
    [['INBOX'], 'S'],
    [['UNREAD'], ''],
    [['UNREAD', 'STARRED', 'DRAFT'], 'DF'],
    [['TRASH', 'STARRED'], 'FST'],
  ])('should have the flags of %j', (labelIds, flags) => {
    const mail = { id: '01932c5e', date: new Date('2024-02-29T12:34:56.789Z') };
    expect(maildirName(mail, namedLabels(labelIds, names))).toBe(`1709210096.01932c5e.mailroom:2,${flags}`);
  });
});
