import { readMessageState } from './message-states';

const stateOf = (...lines: string[]): ReturnType<typeof readMessageState> =>
  readMessageState(Buffer.from([...lines, '', 'X-Mozilla-Status: 0008'].join('\r\n')));

const KEPT = ['From: Nora Feld <nora@sender.example>', 'Subject: x'];

describe('readMessageState', () => {
  it.each<[string, string[], string[]]>([
    [
      'read, starred and tagged in Thunderbird',
      ['X-Mozilla-Status: 0005', 'X-Mozilla-Status2: 00000000', 'X-Mozilla-Keys: $label1 projectx', ...KEPT],
      ['STARRED', 'Important', 'projectx'],
    ],
    ['unread in Thunderbird', ['X-Mozilla-Status: 0000', ...KEPT], ['UNREAD']],
    ['read and old', [...KEPT, 'Status: RO'], []],
    ['unread', [...KEPT, 'Status: O', 'X-Status: F'], ['UNREAD', 'STARRED']],
    [
      'with keywords',
      [...KEPT, 'X-Status: A', 'Status: RO', 'X-Keywords: NonJunk work $Forwarded'],
      ['work'],
    ],
    ['of a file without states', KEPT, []],
    ['with another Status field', [...KEPT, 'Status: delivered'], []],
  ])('should return the labels of a message that is %s', (_, lines, labelIds) => {
    expect(stateOf(...lines)).toMatchObject({ leftOut: null, labelIds });
  });

  it('should leave out what was deleted in Thunderbird', () => {
    const lines = ['X-Mozilla-Status: 0009', 'X-Mozilla-Status2: 00000000', ...KEPT];
    expect(stateOf(...lines)).toMatchObject({ leftOut: 'deleted', labelIds: [] });
  });

  it('should put into the trash what Pine has marked as deleted, as a sender can write that too', () => {
    const trashed = { leftOut: null, labelIds: ['TRASH'] };
    expect(stateOf(...KEPT, 'Status: RO', 'X-Status: D')).toMatchObject(trashed);
    expect(stateOf(...KEPT, 'Status: RO', 'To: a@b.c', 'X-Status: D').labelIds).toEqual([]);
  });

  it.each<[string, string[]]>([
    ['further down', [...KEPT, 'To: a@b.c', 'Received: x', 'X-Mozilla-Status: 0008']],
    ['alone', [...KEPT, 'X-Status: D']],
  ])('should not trust a sender that a message is deleted: fields %s', (_, lines) => {
    expect(stateOf(...lines).leftOut).toBeNull();
  });

  it('should leave out the data of a folder, and nothing that only has its subject', () => {
    const subject = "Subject: DON'T DELETE THIS MESSAGE -- FOLDER INTERNAL DATA";
    expect(stateOf('From: MAILER-DAEMON', subject, 'X-IMAP: 1 2').leftOut).toBe('folderData');
    expect(stateOf('From: a@b.c', subject).leftOut).toBeNull();
    expect(stateOf('From: a@b.c', 'Subject: x', 'X-IMAP: 1 2').leftOut).toBeNull();
  });
});
