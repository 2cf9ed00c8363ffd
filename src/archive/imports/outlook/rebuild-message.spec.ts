import { simpleParser } from 'mailparser';
import {
  fileTime,
  msgFile,
  type MsgContent,
  PUBLIC_STRINGS,
  TAG,
} from '../../../../test/support/archive/outlook/msg-files';
import { rebuildFromMsg } from './rebuild-message';

const ALICE = [
  [TAG.recipientType, 1],
  [TAG.displayName, 'Alice Example'],
  [TAG.addressType, 'SMTP'],
  [TAG.emailAddress, 'alice@example.com'],
] as const;
const CAROL = [
  [TAG.recipientType, 3],
  [TAG.displayName, 'Carol'],
  [TAG.smtpAddress, 'carol@example.com'],
] as const;
const SENT = fileTime('2024-02-29T12:34:56Z');

const LETTER: MsgContent = {
  values: [
    [TAG.messageClass, 'IPM.Note'],
    [TAG.subject, 'Übersicht für März'],
    [TAG.sentRepresentingName, 'Bob Exämple'],
    [TAG.sentRepresentingEmail, 'bob@example.com'],
    [TAG.clientSubmitTime, SENT],
    [TAG.deliveryTime, fileTime('2024-02-29T12:35:10Z')],
    [TAG.internetMessageId, '<1@example.com>'],
    [TAG.messageFlags, 1],
    [TAG.body, 'Grüße\r\nBob'],
  ],
  recipients: [ALICE, CAROL],
};

const withValues = (...values: MsgContent['values']): MsgContent => ({
  ...LETTER,
  values: [...LETTER.values, ...values],
});

const rebuilt = (content: MsgContent) => rebuildFromMsg(msgFile(content));
const read = async (content: MsgContent) => simpleParser((await rebuilt(content)).raw);
const addressesIn = (field: Awaited<ReturnType<typeof read>>['to']): string[] =>
  [field ?? []].flat().flatMap(({ value }) => value.map(({ name, address }) => `${name} <${address}>`));

describe('rebuildFromMsg', () => {
  const withCategories = (
    type: number,
    ...names: string[]
  ): Promise<Awaited<ReturnType<typeof rebuilt>>['labelIds']> =>
    rebuilt({ ...LETTER, named: [[PUBLIC_STRINGS, 'Keywords', type, names]] }).then(
      ({ labelIds }) => labelIds,
    );

  it('should make labels of the categories', async () => {
    expect(await withCategories(0x101f, 'Familie Müller', 'Red category', 'Familie Müller')).toEqual([
      'Familie Müller',
      'Red category',
    ]);
    expect(await withCategories(0x101e, 'Büro')).toEqual(['Büro']);
    expect(await withCategories(0x101f)).toEqual([]);
  });

  it('should make no label of a category that is named as a system label, is empty or too long', async () => {
    expect(await withCategories(0x101f, 'TRASH', 'UNREAD', '', ' ', 'x'.repeat(256), 'Work')).toEqual([
      'Work',
    ]);
  });

  it('should read at most 100 categories', async () => {
    const names = Array.from({ length: 150 }, (_, index) => `Category ${index}`);
    expect(await withCategories(0x101f, ...names)).toEqual(names.slice(0, 100));
  });

  it('should take properties of other names for no categories', async () => {
    const named = [
      ['90dad86e0b451b1098da00aa003f1305', 'Keywords', 0x101f, ['Other set']],
      [PUBLIC_STRINGS, 'Keyword', 0x101f, ['Other name']],
    ] as const;
    expect((await rebuilt({ ...LETTER, named })).labelIds).toEqual([]);
  });

  it('should make the header fields of a message that was kept without them', async () => {
    const mail = await read(LETTER);
    expect(mail.subject).toBe('Übersicht für März');
    expect(mail.from?.text).toBe('"Bob Exämple" <bob@example.com>');
    expect(addressesIn(mail.to)).toEqual(['Alice Example <alice@example.com>']);
    expect(addressesIn(mail.bcc)).toEqual(['Carol <carol@example.com>']);
    expect(mail.date).toEqual(new Date('2024-02-29T12:34:56Z'));
    expect(mail.messageId).toBe('<1@example.com>');
    expect(mail.text?.trimEnd()).toBe('Grüße\nBob');
  });

  it('should keep the header fields that the message was received with, and no others of their names', async () => {
    const headers = [
      'Microsoft Mail Internet Headers Version 2.0',
      'Received: from a.example by b.example; Thu, 29 Feb 2024 12:35:00 +0000',
      'From: "Bob" <bob@elsewhere.example>',
      'To: alice@example.com,',
      '\tdave@example.com',
      'Subject: =?utf-8?Q?Sent_as?=',
      'Date: Thu, 29 Feb 2024 13:34:56 +0100',
      'Message-ID: <transport@example.com>',
      'MIME-Version: 1.0',
      'Content-Type: multipart/alternative;',
      '\tboundary="gone"',
      '',
      'no field: any more',
    ];
    const { raw } = await rebuilt(withValues([TAG.transportHeaders, headers.join('\r\n')]));
    const head = raw.toString('latin1', 0, raw.indexOf('\r\n\r\n')).split('\r\n');
    expect(head.slice(0, 7)).toEqual(headers.slice(1, 8));
    expect(
      head.filter((line) => /^(?:from|to|subject|date|message-id|mime-version):/i.test(line)),
    ).toHaveLength(6);
    expect(head.join('\n')).not.toContain('gone');
    const mail = await simpleParser(raw);
    expect(addressesIn(mail.bcc)).toEqual(['Carol <carol@example.com>']);
  });

  it('should invent neither a Message-ID nor a Date', async () => {
    const { raw } = await rebuilt({
      values: [
        [TAG.subject, 'Note'],
        [TAG.body, 'x'],
      ],
    });
    expect(raw.toString()).toBe(
      'Subject: Note\r\nMIME-Version: 1.0\r\nContent-Transfer-Encoding: quoted-printable\r\n' +
        'Content-Type: text/plain; charset=utf-8\r\n\r\nx\r\n',
    );
  });

  it('should make the same bytes each time', async () => {
    const content = {
      ...LETTER,
      attachments: [
        {
          values: [
            [TAG.attachLongFilename, 'a.bin'],
            [TAG.attachData, Buffer.from('data')],
          ] as const,
        },
      ],
    };
    const file = msgFile(content);
    const [one, other] = [await rebuildFromMsg(file), await rebuildFromMsg(file)];
    expect(one.raw.equals(other.raw)).toBe(true);
    expect(one.raw.toString()).toContain('multipart/mixed');
  });

  it.each([
    ['unread', 0, 0, ['UNREAD']],
    ['read and flagged', 1, 2, ['STARRED']],
    ['flagged and done', 1, 1, []],
    ['a draft', 9, 0, ['DRAFT']],
  ])('should return the labels of a message that is %s', async (_, flags, status, labelIds) => {
    const content = {
      values: [
        [TAG.messageFlags, flags],
        [TAG.flagStatus, status],
        [TAG.body, ''],
      ] as const,
    };
    expect((await rebuilt(content)).labelIds).toEqual(labelIds);
  });

  it.each([
    ['answered', 102, ['answered']],
    ['answered to all', 103, ['answered']],
    ['forwarded', 104, ['forwarded']],
    ['neither', 0, []],
  ])('should return the states without a place of a message that was %s', async (_, verb, notKept) => {
    expect((await rebuilt(withValues([TAG.lastVerb, verb]))).notKept).toEqual(notKept);
  });

  it('should return the time of delivery', async () => {
    expect((await rebuilt(LETTER)).receivedAt).toEqual(new Date('2024-02-29T12:35:10Z'));
  });

  it('should write addresses that exist in Exchange only as the standard has them', async () => {
    const content = withValues();
    const ex = {
      ...content,
      recipients: [
        [
          [TAG.recipientType, 1],
          [TAG.displayName, 'Lee, Dennis'],
          [TAG.addressType, 'EX'],
          [TAG.emailAddress, '/O=ENRON/CN=DLEE5'],
        ],
      ] as const,
    };
    expect(addressesIn((await read(ex)).to)).toEqual([
      'Lee, Dennis <IMCEAEX-_O=ENRON_CN=DLEE5@exchange.invalid>',
    ]);
  });

  it('should decode texts by the codepage of the message', async () => {
    const mail = await read({
      values: [
        [TAG.messageCodepage, 1251],
        [TAG.subject8, Buffer.from([0xcf, 0xf0, 0xe8, 0xe2, 0xe5, 0xf2])],
        [TAG.body8, Buffer.from([0xe4, 0xe0])],
      ],
    });
    expect([mail.subject, mail.text?.trim()]).toEqual(['Привет', 'да']);
  });

  it('should keep the bytes of HTML in their charset, beside the text', async () => {
    const html = Buffer.from('<p>caf\xe9</p>', 'latin1');
    const mail = await read(withValues([TAG.internetCodepage, 1252], [TAG.html, html]));
    expect(mail.html).toBe('<p>café</p>');
    expect(mail.text).toContain('Grüße');
  });

  it('should take HTML out of RTF', async () => {
    const rtf =
      "{\\rtf1\\ansi\\ansicpg1252\\fromhtml1 \\deff0{\\fonttbl{\\f0 Arial;}}{\\*\\htmltag64 <b>}caf\\'e9{\\*\\htmltag72 </b>}}";
    const packed = Buffer.concat([Buffer.alloc(16), Buffer.from(rtf, 'latin1')]);
    packed.writeUInt32LE(packed.length - 4, 0);
    packed.writeUInt32LE(rtf.length, 4);
    packed.writeUInt32LE(0x414c454d, 8);
    expect((await read(withValues([TAG.rtfCompressed, packed]))).html).toBe('<b>café</b>');
  });

  it('should attach files with their names and types, and show pictures in the HTML', async () => {
    const mail = await read({
      ...withValues([TAG.html, Buffer.from('<img src="cid:pic@1">')]),
      attachments: [
        {
          values: [
            [TAG.attachLongFilename, 'Päper.pdf'],
            [TAG.attachMimeTag, 'application/pdf'],
            [TAG.attachData, Buffer.from('%PDF')],
          ],
        },
        {
          values: [
            [TAG.attachLongFilename, 'a.png'],
            [TAG.attachContentId, 'pic@1'],
            [TAG.attachData, Buffer.from('png')],
          ],
        },
      ],
    });
    const found = mail.attachments.map(({ filename, contentType, content, related }) => [
      filename,
      contentType,
      content.toString(),
      related,
    ]);
    expect(found).toEqual([
      ['a.png', 'image/png', 'png', true],
      ['Päper.pdf', 'application/pdf', '%PDF', undefined],
    ]);
  });

  it('should attach messages as messages', async () => {
    const mail = await read({
      ...LETTER,
      attachments: [
        {
          values: [[TAG.attachMethod, 5]],
          message: {
            ...LETTER,
            values: [
              [TAG.subject, 'Inner'],
              [TAG.body, 'deep'],
            ],
          },
        },
      ],
    });
    expect(mail.attachments.map(({ contentType, filename }) => [contentType, filename])).toEqual([
      ['message/rfc822', 'Inner.eml'],
    ]);
    const inner = await simpleParser(mail.attachments[0]!.content);
    expect([inner.subject, inner.text?.trim(), addressesIn(inner.to)]).toEqual([
      'Inner',
      'deep',
      ['Alice Example <alice@example.com>'],
    ]);
  });

  it('should count attachments whose bytes are not in the file', async () => {
    const content = {
      ...LETTER,
      attachments: [
        {
          values: [
            [TAG.attachLongFilename, 'link.docx'],
            [TAG.attachMethod, 4],
          ] as const,
        },
      ],
    };
    expect((await rebuilt(content)).lostAttachments).toBe(1);
  });

  it('should keep the bytes of a message that was signed', async () => {
    const signed =
      'Content-Type: multipart/signed; boundary=b; protocol="application/pkcs7-signature"\r\n\r\n--b\r\n\r\nx\r\n--b--\r\n';
    const { raw } = await rebuilt({
      values: [
        [TAG.messageClass, 'IPM.Note.SMIME.MultipartSigned'],
        [TAG.subject, 'Signed'],
      ],
      attachments: [
        {
          values: [
            [TAG.attachMimeTag, 'multipart/signed'],
            [TAG.attachData, Buffer.from(signed)],
          ],
        },
      ],
    });
    expect(raw.toString()).toBe(`Subject: Signed\r\nMIME-Version: 1.0\r\n${signed}`);
  });
});
