import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import {
  parseForArchive,
  type ArchiveParse,
} from '../../../../src/archive/mails/archiving/parse-message.task';

const CPU_LIMIT_US = 10_000_000;
const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1');
const repeat = (count: number, line: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => line(index)).join('');
const nested = (levels: number, close: boolean): Buffer =>
  latin1(
    repeat(levels, (level) => `Content-Type: multipart/mixed; boundary=b${level}\r\n\r\n--b${level}\r\n`) +
      'Content-Type: text/plain\r\n\r\ninnermost' +
      (close ? repeat(levels, (level) => `\r\n--b${levels - 1 - level}--`) : ''),
  );

/** Bytes of buffers that are in use; V8 says by itself when it collects those that are not. */
function heldOutsideHeap(): number {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  return process.memoryUsage().arrayBuffers;
}

/** Parses, with no more of the processor's time than work that is not quadratic takes, however busy the machine is. */
function parse(raw: Buffer): ArchiveParse {
  const before = process.cpuUsage();
  const parsed = parseForArchive({ raw, withText: true });
  const { user, system } = process.cpuUsage(before);
  expect(user + system).toBeLessThan(CPU_LIMIT_US);
  for (const part of parsed.attachments) {
    expect(part.bodyStart).toBeGreaterThanOrEqual(0);
    expect(part.bodyEnd).toBeGreaterThanOrEqual(part.bodyStart);
    expect(part.bodyEnd).toBeLessThanOrEqual(raw.length);
    expect(part.filename).not.toBe('');
  }
  return parsed;
}

describe('parsing hostile mail', () => {
  it('should accept a message of zero bytes', () => {
    expect(parse(Buffer.alloc(0))).toMatchObject({
      subject: '',
      sender: '',
      text: '',
      sizeBytes: 0,
      defects: ['empty message'],
    });
  });

  it('should read text inside 5,000 nested elements', () => {
    const parsed = parse(
      latin1('Content-Type: text/html\r\n\r\n' + '<div>'.repeat(5_000) + 'deep' + '</div>'.repeat(5_000)),
    );
    expect(parsed.text).toBe('deep');
  });

  it.each([true, false])('should stop at 50 of 400 nested multiparts (closed: %s)', (close) => {
    const parsed = parse(nested(400, close));
    expect(parsed.defects).toContain('multiparts nested deeper than 50 levels');
    expect(parsed.attachments).toHaveLength(1);
    expect(parsed.hasAttachments).toBe(false);
  });

  it('should read 50 nested multiparts to the end', () => {
    expect(parse(nested(50, true))).toMatchObject({ text: 'innermost', defects: [] });
    expect(parse(nested(50, false))).toMatchObject({
      text: 'innermost',
      defects: ['multipart without closing boundary'],
    });
  });

  it('should read the body after 200,000 header lines and report that some were skipped', () => {
    const parsed = parse(
      latin1('Subject: early\r\n' + repeat(200_000, (index) => `X-${index}: some value\r\n`) + '\r\nbody'),
    );
    expect(parsed).toMatchObject({ subject: 'early', text: 'body' });
    expect(parsed.defects).toEqual([expect.stringContaining('512 KiB')]);
  });

  it('should describe a 50 MB attachment without copying it', () => {
    const lines = 640_000;
    const line = Buffer.from('mailroom'.repeat(8)).subarray(0, 57).toString('base64') + '\r\n';
    const raw = Buffer.concat([
      latin1(
        'Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n\r\nsee attached\r\n--b\r\nContent-Type: application/zip; name=a.zip\r\nContent-Transfer-Encoding: base64\r\n\r\n',
      ),
      Buffer.alloc(lines * line.length, line),
      latin1('\r\n--b--\r\n'),
    ]);
    const before = heldOutsideHeap();
    const parsed = parse(raw);
    const after = heldOutsideHeap();
    expect(raw.length).toBeGreaterThan(lines * line.length);
    expect(parsed.text).toBe('see attached');
    expect(parsed.attachments).toMatchObject([{ filename: 'a.zip', sizeBytes: lines * 57 }]);
    // A copy would take fifty; the collector decides about the rest.
    expect(after - before).toBeLessThan(20_000_000);
  });

  it('should end an unclosed inner multipart with its parent', () => {
    const parsed = parse(
      latin1(
        'Content-Type: multipart/mixed; boundary=o\n\n--o\nContent-Type: multipart/mixed; boundary=i\n\n--i\n\nfirst\n--o\nContent-Type: application/pdf; name=x.pdf\n\nPDF\n--o--\n',
      ),
    );
    expect(parsed).toMatchObject({ text: 'first', defects: ['multipart without closing boundary'] });
    expect(parsed.attachments).toMatchObject([{ partId: '2', filename: 'x.pdf', sizeBytes: 3 }]);
  });

  it('should cope with one boundary used on two levels', () => {
    const parsed = parse(
      latin1(
        'Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: multipart/alternative; boundary=b\n\n--b\n\ninner\n--b--\n--b\nContent-Type: image/gif; name=g.gif\n\nGIF\n--b--\n',
      ),
    );
    expect(parsed.text).toBe('inner');
    expect(parsed.attachments).toMatchObject([{ partId: '2', sizeBytes: 3 }]);
  });

  it.each([
    ['no boundary parameter', 'Content-Type: multipart/mixed\n\nshown', 'multipart without a boundary'],
    [
      'a boundary that never occurs',
      'Content-Type: multipart/mixed; boundary=b\n\nshown',
      'multipart without parts',
    ],
  ])('should show the body of a multipart with %s', (_, text, defect) => {
    const parsed = parse(latin1(text));
    expect(parsed.text).toBe('shown');
    expect(parsed.defects).toContain(defect);
  });

  it('should read no more than 1,000 parts', () => {
    const parsed = parse(
      latin1(
        'Content-Type: multipart/mixed; boundary=b\n\n' + '--b\nContent-Type: image/png\n\nx\n'.repeat(3_000),
      ),
    );
    expect(parsed.attachments).toHaveLength(1_000);
    expect(parsed.defects).toEqual(['more than 1000 parts, the rest was not read']);
  });

  it.each([
    [
      'no empty line before the body',
      'Subject: s\nThis is text\nmore',
      { subject: 's', text: 'This is text\nmore' },
    ],
    ['a stray line between fields', 'From: a@b.c\nstray\nSubject: s\n\ntext', { subject: 's', text: 'text' }],
    ['no header at all', 'just text\nof two lines', { subject: '', text: 'just text\nof two lines' }],
    ['NUL bytes', 'Subject: a\0b\n\nte\0xt', { subject: 'ab', text: 'text' }],
    [
      'an unknown charset',
      'Content-Type: text/plain; charset=x-foo\n\ncaf\xe9',
      { text: 'café', defects: ['unknown charset x-foo'] },
    ],
    [
      'an unknown encoding',
      'Content-Type: application/x\nContent-Transfer-Encoding: rot13\n\nabc',
      { defects: ['unknown transfer encoding rot13'] },
    ],
    [
      'a delimiter inside a part header',
      'Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: image/png\n--b\n\nt\n--b--',
      { text: 't' },
    ],
  ])('should parse %s as far as possible', (_, text, expected) => {
    expect(parse(latin1(text))).toMatchObject(expected);
  });

  it.each<[string, string]>([
    ['commas', 'To: ' + 'a@b,'.repeat(30_000)],
    ['brackets', 'To: ' + '<'.repeat(120_000)],
    ['comments', 'To: ' + '('.repeat(120_000)],
    ['at signs', 'From: ' + 'a@ '.repeat(40_000)],
    ['encoded words', 'Subject: ' + '=?a?b?'.repeat(20_000)],
    ['carriage returns', 'Subject: ' + '\r'.repeat(120_000) + 'x'],
    ['parameters', 'Content-Type: text/plain; ' + 'name*0=a;'.repeat(14_000)],
    ['quotes', 'Content-Type: text/plain; ' + 'a="'.repeat(40_000)],
    ['folded lines', 'Subject: ' + 'x\r\n '.repeat(30_000)],
  ])('should take linear time for a header of %s', (_, field) => {
    parse(latin1(`${field}\r\n\r\nbody`));
  });

  it.each<[string, string, string]>([
    ['dashes', 'multipart/mixed; boundary=x', '\n--'],
    ['delimiters', 'multipart/mixed; boundary=x', '\n--x'],
    ['less-than signs', 'text/html', '<'],
    ['ampersands', 'text/html', '&amp'],
    ['open comments', 'text/html', '<!--'],
    ['open attributes', 'text/html', '<a b="'],
    ['unmatched end tags', 'text/html', '</x>'],
    ['blanks', 'text/html', ' \n\t '],
    ['NUL bytes', 'text/plain', '\0'],
  ])('should take linear time for 5 MB of %s', (_, type, unit) => {
    parse(Buffer.concat([latin1(`Content-Type: ${type}\n\n`), Buffer.alloc(5_000_000, unit)]));
  });

  it('should never throw on mail cut off or damaged anywhere', () => {
    const raw = latin1(
      'From: "A" <a@b.c>\r\nSubject: =?utf-8?b?w6k=?=\r\nContent-Type: multipart/mixed; boundary="b"\r\n\r\n--b\r\nContent-Type: text/html; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n<p>caf=C3=A9 &amp; <img src=3D"cid:1">\r\n--b\r\nContent-Type: image/png\r\nContent-ID: <1>\r\nContent-Disposition: inline; filename*0*=utf-8\'\'a%20; filename*1=b.png\r\nContent-Transfer-Encoding: base64\r\n\r\nAAECAw==\r\n--b--\r\n',
    );
    for (let end = 0; end <= raw.length; end++) parse(raw.subarray(0, end));
    for (let at = 0; at < raw.length; at++) {
      const damaged = Buffer.from(raw);
      damaged[at] = (at * 31) & 0xff;
      parse(damaged);
    }
  });
});
