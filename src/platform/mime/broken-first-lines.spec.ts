import { parseMessage } from './parse-message';

const BOM = '\xef\xbb\xbf';
const MAIL = [
  'From: a@example.com',
  'Subject: hello',
  'Message-ID: <1@example.com>',
  'References: <0@example.com>',
  'Content-Type: multipart/mixed; boundary=b',
  '',
  '--b',
  '',
  'text',
  '--b',
  'Content-Type: application/pdf; name=a.pdf',
  '',
  'content',
  '--b--',
  '',
].join('\r\n');
const bytes = (text: string): Buffer => Buffer.from(text, 'latin1');

describe('a message whose first lines are broken', () => {
  it.each<[string, string]>([
    ['a byte order mark', BOM],
    ['two of them', BOM + BOM],
    ['one after an empty line', `\r\n${BOM}`],
    ['one after a From_ line', `From x\r\n${BOM}`],
    ['a field with one and a broken line', `${BOM}To: b@example.com\r\nbroken\r\n`],
    ['a broken line', 'broken\r\n'],
    ['one with a colon', `${BOM}broken line: \xe4\r\n`],
    ['a folded one', 'broken\r\n\tand folded\r\n'],
    ['several', 'one\r\n\0two\r\n=?three\r\n'],
    ['one after a From_ line', '>From x\r\nbroken\r\n'],
    ['one after empty lines', '\r\n\r\nbroken\r\n'],
    ['a From_ line and an empty line', 'From x\r\n\r\n'],
  ])('should be read with its fields, text and attachments after %s', (_name, lines) => {
    const raw = bytes(lines + MAIL);
    const { attachments, ...parsed } = parseMessage(raw);
    expect(parsed).toMatchObject({
      subject: 'hello',
      sender: 'a@example.com',
      messageId: '<1@example.com>',
      references: '<0@example.com>',
      text: 'text',
      sizeBytes: raw.length,
    });
    expect(attachments).toMatchObject([{ filename: 'a.pdf' }]);
    expect(raw.toString('latin1', attachments[0]!.bodyStart, attachments[0]!.bodyEnd)).toBe('content');
  });

  it.each<[string, string]>([
    ['an empty line before the fields', `Dear Bob,\r\n\r\n${MAIL}`],
    ['fields after many lines', `${'a line of text\r\n'.repeat(9)}${MAIL}`],
    ['fields after long lines', `${'a'.repeat(9_000)}\r\nof text\r\n${MAIL}`],
    ['one word and a colon', 'Dear Bob,\r\nplease read this.\r\nSubject: to change\r\nwithout notice.\r\n'],
    ['a word that is not a field', 'Dear Bob,\r\nplease read this:\r\nNote: it is short.\r\n\r\nAlice'],
  ])('should be text without a header with %s', (_name, text) => {
    const { subject, messageId, text: visible } = parseMessage(bytes(text));
    expect([subject, messageId, visible.startsWith(text.slice(0, 8))]).toEqual(['', null, true]);
  });
});
