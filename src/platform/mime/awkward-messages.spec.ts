import { parseMessage } from './parse-message';

const message = (...lines: string[]): Buffer => Buffer.from(lines.join('\r\n'), 'latin1');

describe('addresses against the grammar', () => {
  it.each([
    ['john@doe.example <a@b.example>', '"john@doe.example" <a@b.example>'],
    ['Doe, John <a@b.example>', '"Doe, John" <a@b.example>'],
    ["'Doe, John' <a@b.example>", '"Doe, John" <a@b.example>'],
    ['John Doe [a@b.example]', 'John Doe <a@b.example>'],
    ['[a@b.example]', 'a@b.example'],
    ['John <mailto:a@b.example>', 'John <a@b.example>'],
    ['John <a @ b.example>', 'John <a@b.example>'],
    ['Pete(A \\) chap) <pete(his account)@silly.example(his host)>', 'Pete <pete@silly.example>'],
    ['John <a@machine(comment).  example>', 'John <a@machine.example>'],
    ['John <"a (b)"@c.example>', 'John <"a (b)"@c.example>'],
    ['John <a@[192.0.2.1]>', 'John <a@[192.0.2.1]>'],
    ['Support: Ann <a@b.example>', '"Support: Ann" <a@b.example>'],
    ['Friends: Ann <a@b.example>;', 'Ann <a@b.example>'],
    ['John Doe <a@b.example', 'John Doe <a@b.example>'],
  ])('should be read: %s', (from, expected) => {
    expect(parseMessage(message(`From: ${from}`, '', 'x')).sender).toBe(expected);
  });

  it('should be none of a group without members', () => {
    expect(parseMessage(message('To: undisclosed-recipients:;', '', 'x')).recipients).toEqual([]);
  });
});

describe('charsets that cannot be true', () => {
  it.each([
    ["'iso-8859-2'", '\xb1', '\u0105', []],
    ['charset=iso-8859-2', '\xb1', '\u0105', []],
    [
      'gb2312',
      Buffer.from('中文字符是').toString('latin1'),
      '中文字符是',
      ['text labelled gb18030 is utf-8'],
    ],
    ['gb2312', '\xd6\xd0\xce\xc4', '中文', []],
    ['utf-16', 'plain text', 'plain text', ['text labelled utf-16 is ascii']],
    ['utf-8', 'gr\xfcn', 'grün', ['text labelled utf-8 is not valid utf-8']],
    ['utf-8', 'gr\xc3\xbcn \xfc', 'grün \ufffd', ['text labelled utf-8 is not valid utf-8']],
    ['us-ascii', 'gr\xfcn', 'grün', ['8-bit text without a charset']],
  ])('should be doubted: %s', (charset, body, text, defects) => {
    expect(parseMessage(message(`Content-Type: text/plain; charset=${charset}`, '', body))).toMatchObject({
      text,
      defects,
    });
  });
});

describe('headers and tokens against the grammar', () => {
  it.each(['quoted_printable', 'quotedprintable', '"quoted-printable"', 'Quoted-Printable;'])(
    'should read the transfer encoding %s',
    (encoding) => {
      const raw = message(
        `Content-Transfer-Encoding: ${encoding}`,
        'Content-Type: text/plain; charset=utf-8',
        '',
        'gr=C3=BCn',
      );
      expect(parseMessage(raw).text).toBe('grün');
    },
  );

  it.each(['base-64', 'base_64', "'base64'"])('should read the transfer encoding %s', (encoding) => {
    expect(parseMessage(message(`Content-Transfer-Encoding: ${encoding}`, '', 'aGVsbG8=')).text).toBe(
      'hello',
    );
  });

  it.each([
    ["'abc'", 'abc'],
    ["'abc'", "'abc'"],
    ['"abc"', 'abc'],
    ['a=b:c', 'a=b:c'],
  ])('should find the boundary %s as %s', (written, boundary) => {
    const raw = message(
      `Content-Type: multipart/mixed; boundary=${written}`,
      '',
      `--${boundary}`,
      '',
      'x',
      `--${boundary}--`,
    );
    expect(parseMessage(raw)).toMatchObject({ text: 'x', defects: [] });
  });

  it('should take a blank before the colon for no mbox line', () => {
    expect(parseMessage(message('From : a@b.example', 'Subject : s', '', 'x'))).toMatchObject({
      sender: 'a@b.example',
      subject: 's',
    });
  });

  it('should read a first line that is indented', () => {
    expect(parseMessage(message('  From: a@b.example', 'Subject: s', '', 'x'))).toMatchObject({
      sender: 'a@b.example',
      subject: 's',
      text: 'x',
    });
  });
});
