import { Hash } from 'node:crypto';
import { parseMessage } from './parse-message';

const HEAD = [
  'From: Alice <a@example.com>',
  'To: b@example.com, c@example.com',
  'Cc: d@example.com',
  'Subject: =?utf-8?q?Caf=C3=A9?= tomorrow',
  'Date: Tue, 19 Mar 2019 09:13:51 +0000',
  'Message-ID: <1@example.com>',
];
const TEXT = 'Content-Type: text/plain; charset=utf-8';
const hashOf = (...lines: string[]): string =>
  parseMessage(Buffer.from(lines.join('\r\n'), 'latin1')).contentSha256;
const mixed = (boundary: string, attachment: string[], text = 'hello'): string[] => [
  ...HEAD,
  `Content-Type: multipart/mixed; boundary=${boundary}`,
  '',
  `--${boundary}`,
  TEXT,
  '',
  text,
  `--${boundary}`,
  ...attachment,
  `--${boundary}--`,
  '',
];
const PDF = ['Content-Type: application/pdf; name=a.pdf', 'Content-Transfer-Encoding: base64', '', 'AAEC'];
const plain = hashOf(...HEAD, TEXT, '', 'caf\xc3\xa9 =', 'x', '');

describe('contentHash', () => {
  it.each<[string, string]>([
    ['trace and list fields', hashOf('Received: from x', ...HEAD, 'List-Id: <l>', 'DKIM-Signature: v=1', TEXT, '', 'caf\xc3\xa9 =', 'x', '')],
    ['their order', hashOf(TEXT, ...[...HEAD].reverse(), '', 'caf\xc3\xa9 =', 'x', '')],
    ['folding', hashOf('Subject: =?utf-8?q?Caf=C3=A9?=', ' tomorrow', ...HEAD.filter((line) => !line.startsWith('Subject')), TEXT, '', 'caf\xc3\xa9 =', 'x', '')],
    ['encoded words', hashOf('Subject: =?utf-8?b?Q2Fmw6k=?= tomorrow', ...HEAD.filter((line) => !line.startsWith('Subject')), TEXT, '', 'caf\xc3\xa9 =', 'x', '')],
    ['the zone of the date', hashOf('Date: Tue, 19 Mar 2019 10:13:51 +0100', ...HEAD.filter((line) => !line.startsWith('Date')), TEXT, '', 'caf\xc3\xa9 =', 'x', '')],
    ['quoted-printable', hashOf(...HEAD, TEXT, 'Content-Transfer-Encoding: quoted-printable', '', 'caf=C3=A9 =3D', 'x', '')],
    ['base64', hashOf(...HEAD, TEXT, 'Content-Transfer-Encoding: base64', '', Buffer.from('café =\nx\n').toString('base64'))],
    ['line ends at the end', hashOf(...HEAD, TEXT, '', 'caf\xc3\xa9 =', 'x')],
    ['bare line feeds', hashOf([...HEAD, TEXT, '', 'caf\xc3\xa9 =', 'x', '', ''].join('\n'))],
  ])('should not depend on %s', (_what, hash) => {
    expect(hash).toBe(plain);
  }); // prettier-ignore

  it.each<[string, string]>([
    ['From', 'From: Alicia <a@example.com>'],
    ['To', 'To: b@example.com'],
    ['Cc', 'Cc: e@example.com'],
    ['Subject', 'Subject: Tea tomorrow'],
    ['Date', 'Date: Tue, 19 Mar 2019 09:13:52 +0000'],
  ])('should depend on %s', (name, line) => {
    const others = HEAD.filter((field) => !field.startsWith(`${name}:`));
    expect(hashOf(...others, line, TEXT, '', 'caf\xc3\xa9 =', 'x', '')).not.toBe(plain);
    expect(hashOf(...others, TEXT, '', 'caf\xc3\xa9 =', 'x', '')).not.toBe(plain);
  });

  it.each<[string, string]>([
    ['a word', hashOf(...HEAD, TEXT, '', 'caf\xc3\xa9', 'x', '')],
    ['a line at the end', hashOf(...HEAD, TEXT, '', 'caf\xc3\xa9 =', 'x', '--', 'the list')],
    ['an empty line between', hashOf(...HEAD, TEXT, '', 'caf\xc3\xa9 =', '', 'x', '')],
    ['its type', hashOf(...HEAD, 'Content-Type: text/html; charset=utf-8', '', 'caf\xc3\xa9 =', 'x', '')],
    ['its charset', hashOf(...HEAD, 'Content-Type: text/plain', '', 'caf\xc3\xa9 =', 'x', '')],
  ])('should depend on %s of the text', (_what, hash) => {
    expect(hash).not.toBe(plain);
  });

  it('should depend on the content and names of attachments, not on their encoding', () => {
    const sut = hashOf(...mixed('one', PDF));
    expect(hashOf(...mixed('two', PDF))).toBe(sut);
    expect(hashOf(...mixed('one', [PDF[0]!, PDF[1]!, '', 'AA', 'EC']))).toBe(sut);
    const others = [
      mixed('one', [PDF[0]!, PDF[1]!, '', 'AAED']),
      mixed('one', [PDF[0]!, PDF[1]!, '', 'DQEC']),
      mixed('one', ['Content-Type: application/pdf; name=b.pdf', PDF[1]!, '', 'AAEC']),
      mixed('one', PDF, 'hello!'),
      mixed('one', [...PDF, '--one', ...PDF]),
    ].map((lines) => hashOf(...lines));
    expect(new Set([sut, ...others]).size).toBe(6);
  });

  it.each<[string, (last: string) => string[]]>([
    ['parts', (last) => mixed('b', Array.from({ length: 1_001 }, (_, part) => ['--b', '', `${part}`]).flat(), last)],
    ['recipients', (last) => [`To: ${'a@example.com, '.repeat(9_000)}${last}@example.com`, '', 'x']],
    ['fields', (last) => [...Array.from({ length: 101 }, (_, n) => `Cc: ${n === 100 ? last : n}@example.com`), '', 'x']],
    ['of a header', (last) => [...Array.from({ length: 9_000 }, () => `X-A: ${'a'.repeat(70)}`), `To: ${last}`, '', 'x']],
  ])('should be that of the bytes when there are more %s than are read', (_what, lines) => {
    const one = parseMessage(Buffer.from(lines('one').join('\r\n')));
    expect(one.contentSha256).toBe(one.sha256);
    expect(hashOf(...lines('other'))).not.toBe(one.contentSha256);
  }); // prettier-ignore

  describe('of bodies that decoding does not distinguish', () => {
    const body = (encoding: string, ...lines: string[]): string =>
      hashOf(...HEAD, TEXT, `Content-Transfer-Encoding: ${encoding}`, '', ...lines);
    const cyrillic = (text: string): string => Buffer.from(text).toString('latin1');
    const UU = ['begin 644 a.txt', '#86)C', '`', 'end'];

    it.each<[string, string, string]>([
      ['plain text as uuencode', body('x-uuencode', 'one'), body('x-uuencode', 'two')],
      ['text before uuencoded', body('uuencode', 'one', ...UU), body('uuencode', 'two', ...UU)],
      ['text after uuencoded', body('uue', ...UU, 'one'), body('uue', ...UU, 'two')],
      ['plain Cyrillic as base64', body('base64', cyrillic('раз')), body('base64', cyrillic('два'))],
      ['text behind base64', body('base64', 'AAEC', '-- the list'), body('base64', 'AAEC', '-- other')],
      ['half a character of base64', body('base64', 'abcde'), body('base64', 'abcdf')],
      ['bits after the last byte', body('base64', 'YR=='), body('base64', 'YQ==')],
      ['plain text and the same as base64', body('base64', 'a, b'), body('7bit', 'a, b')],
    ])('should depend on %s', (_what, one, other) => {
      expect(one).not.toBe(other);
    });
  });

  it.each<[string, (text: string) => string[]]>([
    ['before a broken header', (text) => [text, ...HEAD, TEXT, '', 'x']],
    ['in a broken header line', (text) => [...HEAD, text, TEXT, '', 'x']],
    ['folded after one', (text) => [...HEAD, 'broken', ` ${text}`, TEXT, '', 'x']],
    ['that looks like fields', (text) => [...HEAD, `Note: ${text}`]],
    ['that begins with what looks like a field', (text) => [...HEAD, `Note: ${text}`, 'more of it', 'x']],
    ['of a part that looks like fields', (text) => mixed('b', [...PDF.slice(0, 2), `Note: ${text}`])],
    ['before the first part', (text) => [...mixed('b', PDF).slice(0, 8), text, ...mixed('b', PDF).slice(8)]],
    ['after the last part', (text) => [...mixed('b', PDF), text]],
    ['after a multipart in another', (text) => mixed('b', ['Content-Type: multipart/mixed; boundary=c', '', '--c', '', 'x', '--c--', text])],
  ])('should depend on text %s', (_where, lines) => {
    expect(hashOf(...lines('one'))).not.toBe(hashOf(...lines('two')));
    expect(hashOf(...lines('one'))).toBe(hashOf(...lines('one')));
  }); // prettier-ignore

  it('should not depend on line ends and empty lines outside the parts', () => {
    const lines = mixed('b', PDF);
    const sut = hashOf(...lines.slice(0, 8), 'a preamble', ...lines.slice(8), 'an epilogue');
    expect(hashOf(...lines.slice(0, 8), 'a preamble', '', ...lines.slice(8), 'an epilogue', '', '')).toBe(
      sut,
    );
    expect(hashOf([...lines, '', ''].join('\n'))).toBe(hashOf(...lines));
  });

  it('should hash a text of empty lines in little memory', () => {
    const text = (count: number): string => hashOf(...HEAD, TEXT, '', `${'\n'.repeat(count)}x`);
    const hashes = [65_535, 65_536, 65_537, 300_000].map(text);
    expect(new Set(hashes).size).toBe(4);
    const update = jest.spyOn(Hash.prototype, 'update');
    text(300_000);
    const longest = Math.max(
      ...update.mock.calls.map(([data]) => (typeof data === 'string' ? data.length : 0)),
    );
    update.mockRestore();
    expect(longest).toBeLessThanOrEqual(64 * 1024);
  });
});
