import fc from 'fast-check';
import {
  attachedFile,
  CODEPAGE_1252,
  NEXT_FILE,
  number,
  properties,
  tnefFile,
  unicode,
} from '../../../../test/support/mime/tnef-file';
import { parseMessage, type ParsedMessage } from '../parse-message';
import { readContainedPart } from '../contained-parts';
import { tnefContent } from './tnef-content';

/** A message of a text, if there is one, and winmail.dat. */
function withTnef(file: Buffer, text = ''): Buffer {
  return Buffer.from(
    [
      'From: a@example.org',
      'Subject: s',
      'Content-Type: multipart/mixed; boundary=b',
      '',
      ...(text === '' ? [] : ['--b', 'Content-Type: text/plain', '', text]),
      '--b',
      'Content-Type: application/ms-tnef; name="winmail.dat"',
      'Content-Transfer-Encoding: base64',
      '',
      file.toString('base64').replace(/(.{76})/g, '$1\r\n'),
      '--b--',
      '',
    ].join('\r\n'),
  );
}

const namesOf = ({ attachments }: ParsedMessage): string[] => attachments.map(({ filename }) => filename);
const FILES = [
  CODEPAGE_1252,
  ...attachedFile('GRUN~1.TXT', Buffer.from('green'), [0x1f, 0x3707, unicode('grün.txt')]),
  ...attachedFile('caf\xe9.pdf', Buffer.from('%PDF')),
];

describe('winmail.dat', () => {
  it('should list its files instead of itself, and give their content', () => {
    const raw = withTnef(tnefFile(...FILES), 'the text');
    const parsed = parseMessage(raw);
    expect(parsed).toMatchObject({ text: 'the text', hasAttachments: true, defects: [] });
    expect(parsed.attachments).toMatchObject([
      { partId: '2.1', filename: 'grün.txt', mimeType: 'text/plain', sizeBytes: 5, isContained: true },
      { partId: '2.2', filename: 'café.pdf', mimeType: 'application/pdf', sizeBytes: 4, isContained: true },
    ]);
    expect(readContainedPart(raw, '2.1')?.bytes.toString()).toBe('green');
    expect(readContainedPart(raw, '2.2')?.bytes.toString()).toBe('%PDF');
    expect(readContainedPart(raw, '2')).toBeNull();
  });

  it.each([
    ['plain text', [0x1f, 0x1000, unicode('said in Outlook')] as const],
    ['HTML', [0x102, 0x1013, Buffer.from('<p>said in <b>Outlook</b></p>')] as const],
    [
      'RTF',
      [0x102, 0x1009, rtf('{\\rtf1\\ansi{\\fonttbl{\\f0 Arial;}}said in \\b Outlook\\b0\\par}')] as const,
    ],
    [
      'HTML in RTF',
      [
        0x102,
        0x1009,
        rtf(
          '{\\rtf1\\ansi\\fromhtml1{\\*\\htmltag64 <p>}\\htmlrtf {\\htmlrtf0 said in Outlook{\\*\\htmltag72 </p>}\\htmlrtf \\par}\\htmlrtf0}',
        ),
      ] as const,
    ],
  ])('should show its %s when the message has no other text', (_, body) => {
    const file = tnefFile(CODEPAGE_1252, [1, 0x69003, properties(body)]);
    expect(parseMessage(withTnef(file))).toMatchObject({ text: 'said in Outlook', attachments: [] });
    expect(parseMessage(withTnef(file, 'the same')).text).toBe('the same');
  });

  it('should read the text of programs before properties', () => {
    const file = tnefFile(CODEPAGE_1252, [1, 0x2800c, Buffer.from('gr\xfcn\0', 'latin1')]);
    expect(parseMessage(withTnef(file)).text).toBe('grün');
  });

  it('should show messages in it with their heading, and list their files', () => {
    const inner = tnefFile(
      [
        1,
        0x69003,
        properties(
          [0x1f, 0x37, unicode('forwarded')],
          [0x1f, 0xc1a, unicode('Jörg, Held')],
          [0x1f, 0x5d01, unicode('jh@example.org')],
          [0x1f, 0x1000, unicode('inner text')],
          [0x1f, 0x8001, unicode('x'), 'a name'],
        ),
      ],
      ...attachedFile('deep.txt', Buffer.from('deep')),
    );
    const file = tnefFile(CODEPAGE_1252, NEXT_FILE, [
      2,
      0x69005,
      properties(
        [0x03, 0x3705, number(5)],
        [0x1f, 0x3001, unicode('forwarded')],
        [0x0d, 0x3701, Buffer.concat([Buffer.alloc(16), inner])],
      ),
    ]);
    const raw = withTnef(file, 'see below');
    const parsed = parseMessage(raw);
    expect(parsed.text).toBe('see below\n\nforwarded\nFrom: "Jörg, Held" <jh@example.org>\n\ninner text');
    expect(namesOf(parsed)).toEqual(['forwarded.tnef', 'deep.txt']);
    expect(readContainedPart(raw, '2.1.1')?.bytes.toString()).toBe('deep');
  });

  it('should stay a file when it is none of Outlook, and be known by its name', () => {
    const parsed = parseMessage(withTnef(Buffer.from('something else')));
    expect(namesOf(parsed)).toEqual(['winmail.dat']);
    expect(parsed.defects).toContain('winmail.dat that cannot be read');
    const named = withTnef(tnefFile(...FILES))
      .toString('latin1')
      .replace('ms-tnef', 'octet-stream');
    expect(namesOf(parseMessage(Buffer.from(named, 'latin1')))).toEqual(['grün.txt', 'café.pdf']);
  });

  it('should keep what is whole of a file that is cut', () => {
    const file = tnefFile(...FILES);
    expect(namesOf(parseMessage(withTnef(file.subarray(0, file.length - 3))))).toEqual(['grün.txt']);
  });

  it('should end on any bytes, and stay within them', () => {
    const file = tnefFile(...FILES, [1, 0x69003, properties([0x1f, 0x1000, unicode('text')])]);
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat(file.length - 1), fc.nat(255)), { minLength: 1, maxLength: 12 }),
        (changes) => {
          const hostile = Buffer.from(file);
          for (const [place, byte] of changes) hostile[place] = byte;
          const content = tnefContent(hostile, '1', true);
          for (const { bodyStart, bodyEnd, source } of content?.children ?? []) {
            expect(bodyStart).toBeLessThanOrEqual(bodyEnd);
            expect(bodyEnd).toBeLessThanOrEqual(source.length);
          }
        },
      ),
      { numRuns: 2_000 },
    );
  });

  it('should take little time for a file that claims to hold more than it does', () => {
    const claims = properties([0x03, 0x1000, number(1)]);
    claims.writeUInt32LE(0xffff_ffff);
    const started = performance.now();
    tnefContent(tnefFile(...Array.from({ length: 20_000 }, () => [1, 0x69003, claims] as const)), '1', true);
    expect(performance.now() - started).toBeLessThan(2_000);
  });
});

/** RTF as Outlook stores it, not compressed. */
function rtf(text: string): Buffer {
  return Buffer.concat([
    number(text.length + 12),
    number(text.length),
    Buffer.from('MELA'),
    number(0),
    Buffer.from(text),
  ]);
}
