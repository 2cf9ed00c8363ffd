import { takeoutHeaders } from './takeout-headers';

const headers = (...lines: string[]): ReturnType<typeof takeoutHeaders> =>
  takeoutHeaders(
    Buffer.from([...lines, 'Subject: x', '', 'X-Gmail-Labels: body', ''].join('\r\n'), 'latin1'),
  );

describe('takeoutHeaders', () => {
  it.each<[string, string[]]>([
    ['Inbox,Unread,Work', ['INBOX', 'UNREAD', 'Work']],
    ['Opened,Archived', []],
    ['"Friends, old",Work,Work,, "a ""b', ['Friends, old', 'Work', 'a']],
    ['"Say \\"hi\\"",Sent', ['Say "hi"', 'SENT']],
    [
      'Category Promotions,Category Updates,Category Else',
      ['CATEGORY_PROMOTIONS', 'CATEGORY_UPDATES', 'Category Else'],
    ],
    [
      '=?UTF-8?Q?Bo=C3=AEte_de_r=C3=A9ception,Non_lus,Cat=C3=A9gorie=C2=A0:_R=C3=A9seaux_sociaux?=',
      ['INBOX', 'UNREAD', 'CATEGORY_SOCIAL'],
    ],
    [
      '=?UTF-8?Q?Corbeille,_H=C3?=\r\n =?UTF-8?Q?=A9l=C3=A8ne,"caf=C3=A9,_th=C3=A9"?=',
      ['TRASH', 'Hélène', 'café, thé'],
    ],
    ['Work,\r\n Play', ['Work', 'Play']],
    ['', []],
  ])('should read the labels %j', (value, expected) => {
    expect(headers('X-GM-THRID: 1628424719502045299', `X-Gmail-Labels: ${value}`)).toMatchObject({
      threadId: '169953a795627073',
      labelIds: expected,
    });
  });

  it('should accept labels without a thread, and a thread without labels', () => {
    expect(headers('X-Gmail-Labels: Sent')).toMatchObject({ threadId: null, labelIds: ['SENT'] });
    expect(headers('X-GM-THRID: 18')).toMatchObject({ threadId: '12', labelIds: [] });
    expect(headers('X-GM-THRID: 0x12')).toMatchObject({ threadId: null, labelIds: [] });
  });

  it('should find them below fields that mail programs added, and without a trace field', () => {
    const found = { threadId: '12', labelIds: ['INBOX'] };
    const fields = ['X-GM-THRID: 18', 'X-Gmail-Labels: Inbox'];
    expect(headers('X-Mozilla-Status: 0001', ...fields, 'Received: from x')).toMatchObject(found);
    expect(headers('From: a@example.com', 'Date: x', ...fields)).toMatchObject(found);
  });

  it('should not trust fields written by a sender', () => {
    expect(headers('Received: from x', 'X-GM-THRID: 1', 'X-Gmail-Labels: Inbox')).toMatchObject({
      threadId: null,
      labelIds: [],
    });
  });
});
