import { parseMessage } from './parse-message';

const part = (fields: string, body: string): string => `--b\r\n${fields}\r\n\r\n${body}\r\n`;
const message = (...parts: string[]): Buffer =>
  Buffer.from(
    `Subject: Files\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n${parts.join('')}--b--\r\n`,
  );
const attached = (type: string, body: string): string =>
  part(`Content-Type: ${type}\r\nContent-Disposition: attachment; filename=x`, body);
const SHOWN = part('Content-Type: text/plain', 'see the files');

describe('The text of attachments', () => {
  it.each([
    ['text', 'text/plain', 'line one\r\nline two', 'line one\nline two'],
    ['HTML', 'text/html', '<style>p{color:red}</style><p>a <b>bold</b> word</p>', 'a bold word'],
    ['a table', 'text/csv', 'item,price\r\nlamp,12.50', 'item,price\r\nlamp,12.50'],
    ['a contact', 'text/vcard', 'FN:Nora Feld', 'FN:Nora Feld'],
    ['a script', 'text/javascript', 'alert()', ''],
    ['a style sheet', 'text/css', 'p{}', ''],
    ['a picture', 'image/png', 'PNG', ''],
  ])('should be read of %s', (_what, type, body, expected) => {
    const parsed = parseMessage(message(SHOWN, attached(type, body)));
    expect([parsed.text, parsed.attachedText]).toEqual(['see the files', expected]);
  });

  it('should be that of attachments of a message in a part', () => {
    const inner =
      'Subject: Inner\r\nContent-Type: multipart/mixed; boundary=c\r\n\r\n--c\r\n\r\ninside\r\n--c\r\nContent-Type: text/plain; charset=iso-8859-1\r\n' +
      'Content-Transfer-Encoding: quoted-printable\r\nContent-Disposition: attachment\r\n\r\nGr=FC=DFe\r\n--c--';
    const parsed = parseMessage(message(SHOWN, part('Content-Type: message/rfc822', inner)));
    expect(parsed.attachedText).toBe('Grüße');
  });

  it('should leave text that is shown to the text, and defects of attachments out', () => {
    const parsed = parseMessage(message(SHOWN, attached('text/plain; charset=unknown-8', 'a word')));
    expect(parsed).toMatchObject({ attachedText: 'a word', snippet: 'see the files', defects: [] });
    expect(parseMessage(message(SHOWN)).attachedText).toBe('');
  });

  it('should end at 4 MiB, and be reported as cut', () => {
    const large = attached('text/plain', 'ä'.repeat(1_100_000));
    const parsed = parseMessage(message(SHOWN, large, large, attached('text/plain', 'behind')));
    expect(Buffer.byteLength(parsed.attachedText)).toBeLessThanOrEqual(4 * 1024 * 1024);
    expect(parsed.attachedText).not.toContain('behind');
    expect(parsed.defects).toEqual(['only the first 4 MiB of attached text are searched']);
  });
});
