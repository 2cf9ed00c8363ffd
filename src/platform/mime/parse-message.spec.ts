import { createHash } from 'node:crypto';
import { parseMessage } from './parse-message';
import { parseForArchive } from '../../archive/mails/archiving/parse-message.task';

const message = (...lines: string[]): Buffer => Buffer.from(lines.join('\r\n'), 'latin1');

const mixed = (...parts: string[][]): Buffer =>
  message(
    'Content-Type: multipart/mixed; boundary="b"',
    '',
    'preamble',
    ...parts.flatMap((part) => ['--b', ...part]),
    '--b--',
    'epilogue',
  );

describe('parseMessage', () => {
  it('should read the header of a plain message', () => {
    const raw = message(
      'From: =?utf-8?q?Ren=C3=A9?= <rene@example.com>, second@example.com',
      'To: Bob <bob@example.com>,',
      ' "Doe, Jane" <jane@example.com>',
      'Cc: carol@example.com',
      'Bcc: dave@example.com',
      'Subject: =?utf-8?q?Caf=C3=A9?=',
      ' tomorrow',
      'Date: Mon, 1 Jan 2024 10:00:00 +0100',
      'Message-ID: <1@example.com>',
      'In-Reply-To: <0@example.com>',
      'References: <a@example.com>',
      '\t<0@example.com>',
      '',
      'Hello   there,',
      'see you.',
    );
    expect(parseMessage(raw)).toEqual({
      messageId: '<1@example.com>',
      inReplyTo: '<0@example.com>',
      references: '<a@example.com> <0@example.com>',
      subject: 'Café tomorrow',
      sender: 'René <rene@example.com>',
      recipient: 'Bob <bob@example.com>, "Doe, Jane" <jane@example.com>',
      recipients: [
        'Bob <bob@example.com>',
        '"Doe, Jane" <jane@example.com>',
        'carol@example.com',
        'dave@example.com',
      ],
      headerLines: {
        to: 'Bob <bob@example.com>, "Doe, Jane" <jane@example.com>',
        cc: 'carol@example.com',
        bcc: 'dave@example.com',
        replyTo: 'René <rene@example.com>',
        deliveredTo: '',
        list: '',
      },
      date: new Date('2024-01-01T09:00:00Z'),
      receivedAt: null,
      snippet: 'Hello there, see you.',
      text: 'Hello   there,\nsee you.',
      attachedText: '',
      attachments: [],
      hasAttachments: false,
      sha256: createHash('sha256').update(raw).digest('hex'),
      contentSha256: expect.stringMatching(/^[0-9a-f]{64}$/),
      sizeBytes: raw.length,
      defects: [],
    });
  });

  it.each([
    ['CRLF', '\r\n'],
    ['LF', '\n'],
    ['CR', '\r'],
  ])('should read parts and offsets with %s line ends', (_, eol) => {
    const raw = Buffer.from(
      [
        'Subject: s',
        'Content-Type: multipart/mixed; boundary=b',
        '',
        '--b',
        '',
        'text',
        '--b',
        'Content-Type: image/png; name=a.png',
        '',
        'DATA',
        '--b--',
        '',
      ].join(eol),
    );
    const { subject, text, attachments, defects } = parseMessage(raw);
    expect({ subject, text, defects }).toEqual({ subject: 's', text: 'text', defects: [] });
    expect(attachments).toHaveLength(1);
    expect(raw.toString('latin1', attachments[0]?.bodyStart, attachments[0]?.bodyEnd)).toBe('DATA');
  });

  it.each([
    ['a byte order mark', '\xef\xbb\xbf'],
    ['a From_ line', 'From alice@example.com Thu Nov 24 18:22:48 1986\r\n'],
    ['a quoted From_ line', '>From alice@example.com Thu Nov 24 18:22:48 1986\r\n'],
    ['empty lines', '\r\n\r\n'],
  ])('should skip %s before the header', (_, before) => {
    expect(parseMessage(message(`${before}Subject: s`, '', 'x'))).toMatchObject({ subject: 's', text: 'x' });
  });

  it('should number parts as IMAP does and give exact decoded sizes', () => {
    const raw = mixed(
      [
        'Content-Type: multipart/alternative; boundary=i',
        '',
        '--i',
        '',
        'plain',
        '--i',
        'Content-Type: text/html',
        '',
        '<p>html',
        '--i--',
      ],
      [
        'Content-Type: application/pdf',
        'Content-Disposition: attachment; filename="r.pdf"',
        'Content-Transfer-Encoding: BASE64',
        '',
        'SGVs',
        'bG8=',
      ],
      ['Content-Type: message/rfc822', '', 'Subject: inner', '', 'inner text'],
      ['Content-Type: image/jpeg', 'Content-Disposition: attachment', '', 'JPEG'],
    );
    const { attachments, text, hasAttachments } = parseMessage(raw);
    expect(text).toBe('html\n\ninner\n\ninner text\n\nplain');
    expect(hasAttachments).toBe(true);
    expect(
      attachments.map(({ partId, filename, mimeType, sizeBytes, encoding }) => [
        partId,
        filename,
        mimeType,
        sizeBytes,
        encoding,
      ]),
    ).toEqual([
      ['2', 'r.pdf', 'application/pdf', 5, 'base64'],
      ['3', 'message.eml', 'message/rfc822', 28, '7bit'],
      ['4', 'part-4.jpeg', 'image/jpeg', 4, '7bit'],
    ]);
  });

  it('should call an image inline only when the HTML really points to it', () => {
    const image = (id: string): string[] => [
      'Content-Type: image/png; name=i.png',
      `Content-ID: <${id}>`,
      'Content-Disposition: inline',
      '',
      'x',
    ];
    const html = [
      'Content-Type: text/html',
      '',
      '<img src="cid:used@x"><div style="background:url(cid:a%2Bb)">',
    ];
    const shown = parseMessage(mixed(html, image('used@x'), image('a+b')));
    expect(shown.attachments.map((part) => part.isInline)).toEqual([true, true]);
    expect(shown.hasAttachments).toBe(false);
    const unused = parseMessage(mixed(html, image('used@x'), image('unused@x')));
    expect(unused.attachments.map((part) => part.isInline)).toEqual([true, false]);
    expect(unused.hasAttachments).toBe(true);
  });

  it.each([
    ['a path', 'Content-Disposition: attachment; filename="../../etc/pass\\wd"', '.._.._etc_pass_wd'],
    ['only dots', 'Content-Disposition: attachment; filename=".."', 'part-1.bin'],
    ['nothing', 'Content-Disposition: attachment; filename=""', 'part-1.bin'],
    ['Content-Type only', 'Content-Type: application/x; name="=?utf-8?q?r=C3=A9?="', 'ré'],
    ['direction marks', "Content-Disposition: attachment; filename*=utf-8''a%E2%80%AEgpj.exe", 'agpj.exe'],
    [
      'an overlong name',
      `Content-Disposition: attachment; filename="${'n'.repeat(400)}.tar"`,
      `${'n'.repeat(251)}.tar`,
    ],
  ])('should make a safe file name of %s', (_, field, expected) => {
    const type = field.startsWith('Content-Type') ? [] : ['Content-Type: application/octet-stream'];
    expect(parseMessage(mixed([...type, field, '', 'x'])).attachments[0]?.filename).toBe(expected);
  });

  it('should fall back to HTML when there is no plain text or it is blank', () => {
    const alternative = (plain: string): Buffer =>
      message(
        'Content-Type: multipart/alternative; boundary=b',
        '',
        '--b',
        '',
        plain,
        '--b',
        'Content-Type: text/html',
        '',
        '<p>rich</p>',
        '--b--',
      );
    expect(parseMessage(alternative('as rich as it gets')).text).toBe('as rich as it gets');
    expect(parseMessage(alternative('  ')).text).toBe('rich');
  });

  it.each([
    ['declared iso-8859-1', 'Content-Type: text/plain; charset=iso-8859-1', 'caf\xe9 \x80', 'café €'],
    ['no charset, valid UTF-8', 'X: y', 'caf\xc3\xa9', 'café'],
    ['no charset, 8-bit', 'X: y', 'caf\xe9', 'café'],
    ['HTML meta', 'Content-Type: text/html', '<meta charset="koi8-r">\xf0\xf2', 'ПР'],
    ['quoted-printable', 'Content-Transfer-Encoding: quoted-printable', 'caf=C3=A9', 'café'],
  ])('should decode text with %s', (_, field, body, expected) => {
    expect(parseMessage(message(field, '', body)).text).toBe(expected);
  });

  it('should cap text at 4 MiB of UTF-8, between characters', () => {
    const { text, snippet } = parseMessage(
      message('Content-Type: text/plain; charset=utf-8', '', '\xe2\x82\xac'.repeat(1_500_000)),
    );
    expect(Buffer.byteLength(text)).toBeGreaterThan(4 * 1024 * 1024 - 3);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(4 * 1024 * 1024);
    expect(text).not.toContain('\ufffd');
    expect(snippet).toBe('€'.repeat(200));
  });

  it.each([
    ['long', 'word '.repeat(1_000)],
    ['long after much padding', `${'\u200c '.repeat(900)}${'word '.repeat(1_000)}`],
    ['long of characters of two units', '\u{1f600}'.repeat(1_000)],
    ['long after line ends', `x${'\r\n'.repeat(299)}${'word '.repeat(100)}`],
  ])('should make a snippet of a text that is %s', (_name, text) => {
    const raw = Buffer.from(`Content-Type: text/plain; charset=utf-8\r\n\r\n${text}`);
    const whole = parseMessage(raw)
      .text.replace(/\u200c/g, '')
      .replace(/\s+/g, ' ')
      .trim();
    expect(parseMessage(raw).snippet).toBe(whole.slice(0, 200).trimEnd());
  });

  it('should leave invisible padding characters out of the snippet', () => {
    const body = '<p>Sale</p><div>' + '&#847;&zwnj;&nbsp;&shy;'.repeat(200) + '</div><p>ends today</p>';
    expect(parseMessage(message('Content-Type: text/html', '', body)).snippet).toBe('Sale ends today');
  });
});

describe('parseForArchive', () => {
  it('should return the fields that the archive stores, from a view or a whole buffer', () => {
    const raw = message('Subject: Caf\xc3\xa9', 'To: bob@example.com', '', 'Hello');
    const parsed = parseForArchive({ raw: new Uint8Array(raw) });
    expect(parsed).toMatchObject({ subject: 'Café', snippet: 'Hello', sizeBytes: raw.length });
    expect(parsed.words.vector).toBe(
      "'cafe':1A 'bob':34C 'example':35C '<elpmaxe':35C 'com':36C 'hello':53 " +
        "':t:bob':86C ':t:example':87C ':t:<elpmaxe':87C ':t:com':88C ':k':105C",
    );
    expect(parsed).not.toHaveProperty('headerLines');
    expect(parsed).not.toHaveProperty('text');
    expect(parsed).not.toHaveProperty('recipients');
    const copy = new Uint8Array(raw).buffer;
    expect(parseForArchive({ raw: copy, withText: true })).toEqual({ ...parsed, text: 'Hello' });
  });
});
