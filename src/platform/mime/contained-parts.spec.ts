import fc from 'fast-check';
import { readContainedPart } from './contained-parts';
import { parseMessage } from './parse-message';
import { transferDecoder } from './transfer-decoder';

const message = (...lines: string[]): Buffer => Buffer.from(lines.join('\r\n'), 'latin1');
const base64 = (...lines: string[]): string =>
  Buffer.from(lines.join('\r\n'))
    .toString('base64')
    .replace(/(.{76})/g, '$1\r\n');
const quotedPrintable = (...lines: string[]): string => lines.join('\r\n').replaceAll('=', '=3D');

const PARTS = [
  '--i=',
  'Content-Type: text/plain; charset=utf-8',
  '',
  'inner text',
  '--i=',
  'Content-Type: text/csv; name="list.csv"',
  'Content-Disposition: attachment; filename="list.csv"',
  '',
  'a,b',
  '--i=--',
];
const INNER = ['Subject: inner', 'Content-Type: multipart/mixed; boundary="i="', '', ...PARTS];

/** Lines of a file as `uuencode` writes them. */
function uuencode(content: Buffer, blank = '`'): string[] {
  const sign = (value: number): string => (value === 0 ? blank : String.fromCharCode(value + 0x20));
  const lines: string[] = [];
  for (let start = 0; start < content.length; start += 45) {
    const bytes = content.subarray(start, start + 45);
    let line = sign(bytes.length);
    for (let at = 0; at < bytes.length; at += 3) {
      const bits = ((bytes[at] ?? 0) << 16) | ((bytes[at + 1] ?? 0) << 8) | (bytes[at + 2] ?? 0);
      line += [18, 12, 6, 0].map((shift) => sign((bits >> shift) & 0x3f)).join('');
    }
    lines.push(line);
  }
  return [...lines, blank, 'end'];
}

describe('encoded multiparts and messages', () => {
  it.each([
    ['base64', base64(...PARTS)],
    ['quoted-printable', quotedPrintable(...PARTS)],
  ])('should read a multipart in %s', (encoding, body) => {
    const raw = message(
      'Content-Type: multipart/mixed; boundary="i="',
      `Content-Transfer-Encoding: ${encoding}`,
      '',
      body,
    );
    const parsed = parseMessage(raw);
    expect(parsed).toMatchObject({ text: 'inner text', hasAttachments: true });
    expect(parsed.attachments).toMatchObject([{ partId: '2', filename: 'list.csv', isContained: true }]);
    expect(parsed.defects).toContain('multipart with a transfer encoding');
    expect(readContainedPart(raw, '2')?.bytes.toString()).toBe('a,b');
  });

  it('should read a multipart in quoted-printable whose boundary is not changed by it', () => {
    const parts = PARTS.map((line) => line.replace('--i=', '--i'));
    const raw = message(
      'Content-Type: multipart/mixed; boundary=i',
      'Content-Transfer-Encoding: quoted-printable',
      '',
      quotedPrintable(...parts),
    );
    expect(parseMessage(raw)).toMatchObject({ text: 'inner text', attachments: [{ filename: 'list.csv' }] });
  });

  it.each([
    ['base64', base64(...INNER), true],
    ['quoted-printable', quotedPrintable(...INNER), true],
    ['base64', INNER.join('\r\n'), false],
  ])('should read a message that is labelled %s', (encoding, body) => {
    const raw = message(
      'Content-Type: multipart/mixed; boundary=o',
      '',
      '--o',
      '',
      'see below',
      '--o',
      'Content-Type: message/rfc822',
      `Content-Transfer-Encoding: ${encoding}`,
      '',
      body,
      '--o--',
    );
    const parsed = parseMessage(raw);
    expect(parsed.text).toBe('see below\n\ninner\n\ninner text');
    expect(parsed.attachments.map(({ partId, filename }) => [partId, filename])).toEqual([
      ['2', 'message.eml'],
      ['2.2', 'list.csv'],
    ]);
    expect(readContainedPart(raw, '2.2')?.bytes.toString()).toBe('a,b');
    expect(readContainedPart(raw, '2')?.bytes.toString()).toContain('Subject: inner\r\n');
  });

  it('should leave a multipart alone that is labelled as encoded and is not', () => {
    const raw = message(
      'Content-Type: multipart/mixed; boundary="i="',
      'Content-Transfer-Encoding: base64',
      '',
      ...PARTS,
    );
    expect(parseMessage(raw)).toMatchObject({ text: 'inner text', attachments: [{ isContained: false }] });
  });

  it('should stop at wrappings in each other', () => {
    let body = 'innermost';
    for (let level = 0; level < 12; level += 1)
      body = `Subject: ${level}\r\nContent-Type: message/rfc822\r\nContent-Transfer-Encoding: base64\r\n\r\n${Buffer.from(body).toString('base64')}`;
    const parsed = parseMessage(Buffer.from(body));
    expect(parsed.text).not.toContain('innermost');
    expect(parsed.defects).toContain('encoded message beyond the limits was not opened');
  });
});

describe('uuencoded files in text', () => {
  const content = Buffer.from(Array.from({ length: 200 }, (_, index) => (index * 7) % 256));

  it.each([
    ['with grave accents', '`'],
    ['with blanks', ' '],
  ])('should be listed and not shown: %s', (_, blank) => {
    const raw = message(
      'Subject: s',
      '',
      'before',
      'begin 644 data.bin',
      ...uuencode(content, blank),
      'after',
      'begin 0600 a b.txt',
      ...uuencode(Buffer.from('text'), blank),
      '',
    );
    const { text, attachments, hasAttachments } = parseMessage(raw);
    expect(text).toBe('before\nafter');
    expect(hasAttachments).toBe(true);
    expect(attachments).toMatchObject([
      { partId: '1.1', filename: 'data.bin', sizeBytes: 200, encoding: 'x-uuencode', isContained: false },
      { partId: '1.2', filename: 'a b.txt', mimeType: 'text/plain', sizeBytes: 4, isContained: false },
    ]);
    const [first] = attachments;
    const decoder = transferDecoder('x-uuencode');
    const bytes = [decoder.write(raw.subarray(first?.bodyStart, first?.bodyEnd)), decoder.end()];
    expect(Buffer.concat(bytes)).toEqual(content);
  });

  it.each([
    ['base64', base64],
    ['quoted-printable', quotedPrintable],
  ])('should be found in a text in %s', (encoding, encode) => {
    const body = encode('hello', 'begin 644 data.bin', ...uuencode(content), 'bye');
    const raw = message(
      'Content-Type: text/plain; charset=utf-8',
      `Content-Transfer-Encoding: ${encoding}`,
      '',
      body,
    );
    const { text, attachments } = parseMessage(raw);
    expect(text).toBe('hello\nbye');
    expect(attachments).toMatchObject([{ partId: '1.1', sizeBytes: 200, isContained: true }]);
    expect(readContainedPart(raw, '1.1')?.bytes).toEqual(content);
  });

  it.each([
    ['prose', ['begin 644 words about it', 'and more of them', 'end']],
    ['no end', ['begin 644 data.bin', ...uuencode(content).slice(0, -1)]],
    ['no mode', ['begin data.bin', ...uuencode(content)]],
    ['a mode of other digits', ['begin 698 data.bin', ...uuencode(content)]],
    ['no name', ['begin 644 ', ...uuencode(content)]],
    ['a line that is too short', ['begin 644 data.bin', 'M123', ...uuencode(content)]],
    ['a line that is too long', ['begin 644 data.bin', `#${'A'.repeat(20)}`, ...uuencode(content)]],
    ['quoted lines', ['> begin 644 data.bin', ...uuencode(content).map((line) => `> ${line}`)]],
    ['nothing in it', ['begin 644 data.bin', '`', 'end']],
  ])('should stay text: %s', (_, lines) => {
    const { text, attachments } = parseMessage(message('', ...lines, 'after'));
    expect(attachments).toEqual([]);
    expect(text.split('\n').map((line) => line.trim())).toEqual(
      [...lines, 'after'].map((line) => line.trim()),
    );
  });

  it('should take linear time', () => {
    for (const lines of [['begin 644 a'], ['begin 644 a', 'begin 644 b'], ['begin 644 a', '#86)C']]) {
      const raw = Buffer.from(`\n${`${lines.join('\n')}\n`.repeat(100_000)}`);
      const started = performance.now();
      parseMessage(raw);
      expect(performance.now() - started).toBeLessThan(4_000);
    }
  });

  it('should give back any content', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1, maxLength: 400 }), (bytes) => {
        const raw = message('', 'begin 644 x', ...uuencode(Buffer.from(bytes)));
        expect(readContainedPart(raw, '1.1')?.bytes).toEqual(Buffer.from(bytes));
      }),
    );
  });
});
