import { allText, MAX_ALL_TEXT } from './all-text';

const message = (...lines: string[]): Buffer => Buffer.from(lines.join('\r\n'), 'latin1');
const part = (type: string, body: string, ...fields: string[]): string[] => [
  '--cut',
  `Content-Type: ${type}`,
  ...fields,
  '',
  body,
];
const multipart = (...parts: string[][]): Buffer =>
  message('Subject: s', 'Content-Type: multipart/mixed; boundary=cut', '', ...parts.flat(), '--cut--', '');
const base64 = (text: string | Buffer): string => Buffer.from(text).toString('base64');

describe('allText', () => {
  it('should contain the subject, both alternatives and every text part', () => {
    const sut = multipart(
      part('text/plain; charset=iso-8859-1', 'caf\xe9'),
      part(
        'text/html; charset=utf-8',
        base64('<p>th&eacute; <b>12</b>34</p>'),
        'Content-Transfer-Encoding: base64',
      ),
      part('text/csv', 'a;b', 'Content-Disposition: attachment; filename="a.csv"'),
      part('text/calendar', 'SUMMARY:meeting'),
      part(
        'application/octet-stream',
        base64('notes'),
        'Content-Transfer-Encoding: base64',
        'Content-Disposition: attachment; filename=n.txt',
      ),
      part('application/json', '{"a":1}'),
      part('application/pdf', 'no text'),
      part('image/png', 'no text either'),
    );
    expect(allText(sut)).toEqual({
      text: ['s', 'caf\u00e9', 'th\u00e9 1234', 'a;b', 'SUMMARY:meeting', 'notes', '{"a":1}'].join('\n\n'),
      isCut: false,
    });
  });

  it('should decode the subject', () => {
    expect(allText(message('Subject: =?utf-8?Q?caf=C3=A9?=', '', '')).text).toBe('caf\u00e9');
  });

  it('should read embedded messages, including encoded ones', () => {
    const inner = 'Subject: inner\r\nContent-Type: text/html\r\n\r\n<td>a<td>b';
    const sut = multipart(
      part('message/rfc822', inner),
      part('message/rfc822', base64(inner), 'Content-Transfer-Encoding: base64'),
    );
    expect(allText(sut).text).toBe(['s', 'inner', 'a\tb', 'inner', 'a\tb'].join('\n\n'));
  });

  it('should stop at five embedded messages and report it', () => {
    let sut = 'Subject: deepest\r\n\r\n';
    for (let level = 0; level < 8; level++)
      sut = `Subject: ${level}\r\nContent-Type: message/rfc822\r\n\r\n${sut}`;
    expect(allText(Buffer.from(sut))).toEqual({
      text: [7, 6, 5, 4, 3, 2].join('\n\n'),
      isCut: true,
    });
  });

  it('should join lines that a mailer broke, but not quotations and signatures', () => {
    const body = ['IBAN FR76 3000 ', '6000 0112', '> quoted ', '> again', '-- ', 'me'].join('\r\n');
    expect(allText(message('Content-Type: text/plain; format=flowed', '', body)).text).toBe(
      'IBAN FR76 3000 6000 0112\n> quoted \n> again\n-- \nme',
    );
  });

  it('should stop at the limit and report it', () => {
    const { text, isCut } = allText(message('Subject: long', '', 'word '.repeat(1_000_000), ''));
    expect(text.length).toBeLessThanOrEqual(MAX_ALL_TEXT + 10);
    expect(isCut).toBe(true);
    const html = message('Content-Type: text/html', '', '<b></b>'.repeat(2_000_000));
    expect(allText(html).isCut).toBe(true);
  });

  it('should accept an empty message', () => {
    expect(allText(Buffer.alloc(0))).toEqual({ text: '', isCut: false });
  });
});
