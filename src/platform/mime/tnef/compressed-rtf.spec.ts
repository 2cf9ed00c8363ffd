import fc from 'fast-check';
import { decompressRtf } from './compressed-rtf';
import { rtfToText } from './rtf-text';

/** The example of MS-OXRTFCP §4.1.1. */
const EXAMPLE = Buffer.from(
  '2d0000002b0000004c5a4675f1c5c7a703000a0072637067313235423 20af32068656c090020627705b06c647d0a800fa0'.replace(
    / /g,
    '',
  ),
  'hex',
);

describe('decompressRtf', () => {
  it('should read the example of the specification', () => {
    expect(decompressRtf(EXAMPLE)?.toString()).toBe('{\\rtf1\\ansi\\ansicpg1252\\pard hello world}\r\n');
  });

  it('should read a reference that overtakes itself', () => {
    // MS-OXRTFCP §4.1.2.
    const sut = Buffer.from('1a0000001c0000004c5a4675e2d44b51410004205758595a0d6e7d010eb0', 'hex');
    expect(decompressRtf(sut)?.toString()).toBe('{\\rtf1 WXYZWXYZWXYZWXYZWXYZ}');
  });

  it('should end on any bytes, whatever length they claim', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (tail) => {
        const header = Buffer.from('ffffffffffffffff4c5a467500000000', 'hex');
        decompressRtf(Buffer.concat([header, tail]));
      }),
      { numRuns: 300 },
    );
    expect(decompressRtf(Buffer.alloc(5))).toBeNull();
    expect(decompressRtf(Buffer.alloc(32))).toBeNull();
  });
});

describe('rtfToText', () => {
  it.each([
    ['paragraphs and tabs', '{\\rtf1 one\\tab two\\par three\\line four}', 'one\ttwo\nthree\nfour'],
    ['bytes of its codepage', "{\\rtf1\\ansi\\ansicpg1251 \\'cf\\'f0\\'e8}", 'При'],
    [
      'bytes of the charset of their font',
      "{\\rtf1\\ansi\\ansicpg1252\\deff0{\\fonttbl{\\f0 A;}{\\f1\\fcharset204 B;}}{\\f1 \\'cf\\'f0\\'e8} \\'e9}",
      'При é',
    ],
    [
      'two-byte characters whose second byte is a letter',
      "{\\rtf1\\ansi\\ansicpg932 \\'83e\\'83X\\'83g x}",
      'テスト x',
    ],
    ['Unicode with a stand-in', '{\\rtf1\\uc1 a\\u8364 ?b\\u-10179?\\u-8704?}', 'a€b\u{1f600}'],
    ['signs', '{\\rtf1 \\{a\\}\\~b\\\\}', '{a}\u00a0b\\'],
    ['no destinations', '{\\rtf1{\\info{\\title x}}{\\*\\generator y;}{\\pict 0102}z}', 'z'],
    ['braces too many', '{\\rtf1 a}}}} b', 'a b'],
  ])('should read %s', (_, rtf, text) => {
    expect(rtfToText(Buffer.from(rtf))).toEqual({ kind: 'plain', text });
  });

  it('should take linear time', () => {
    for (const piece of ['{', '}', '\\u8364 ', "\\'", '\\*\\x', '{\\*\\htmltag <p>}']) {
      const started = performance.now();
      rtfToText(Buffer.from(`{\\rtf1\\fromhtml1 ${piece.repeat(200_000)}`));
      expect(performance.now() - started).toBeLessThan(2_000);
    }
  });
});
