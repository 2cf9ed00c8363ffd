import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { decodedSize, transferDecoder } from './transfer-decoder';
import { decodeAttachment, decodedRange, rawRangeOf } from './attachment-stream';

const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1');

/** Cuts a buffer into pieces of pseudo-random sizes, small ones included. */
function cut(data: Buffer, seed: number): Buffer[] {
  const pieces: Buffer[] = [];
  let state = seed;
  for (let pos = 0; pos < data.length;) {
    state = (state * 1_103_515_245 + 12_345) & 0x7fffffff;
    const size = state % 3 === 0 ? 1 : 1 + (state % 97);
    pieces.push(data.subarray(pos, pos + size));
    pos += size;
  }
  return pieces;
}

/** Decodes with the decoder behind the stream, without the cost of a stream. */
function decodePieces(pieces: Buffer[], encoding: string): Buffer {
  const decoder = transferDecoder(encoding);
  return Buffer.concat([...pieces.map((piece) => decoder.write(piece)), decoder.end()]);
}

const decode = (data: Buffer[], encoding: string): Promise<Buffer> =>
  buffer(Readable.from(data, { objectMode: false }).pipe(decodeAttachment(encoding)));

describe('decodeAttachment', () => {
  it.each([
    ['base64', 'SGVsbG8gd29ybGQ=', 'Hello world'],
    ['base64', 'SGVs\r\nbG8gd2\r\n9ybGQ=\r\n', 'Hello world'],
    ['base64', 'SGVsbG8', 'Hello'],
    ['base64', ' S!G V*s b-G 8 ', 'Hello'],
    ['base64', 'SGk=SGk=', 'HiHi'],
    ['base64', 'SGVsbG8gQ', 'Hello '],
    ['base64', '', ''],
    ['quoted-printable', 'caf=C3=a9 =3D', 'caf\xc3\xa9 ='],
    ['quoted-printable', 'soft=\r\nbreak=  \nhere=\rtoo', 'softbreakheretoo'],
    ['quoted-printable', 'blanks  \t\r\ngo \nkept  x  ', 'blanks\r\ngo\nkept  x'],
    ['quoted-printable', 'bad =XY =4 =', 'bad =XY =4 '],
    ['quoted-printable', 'a=20\r\nb', 'a \r\nb'],
    ['7bit', 'as = is\r\n', 'as = is\r\n'],
    ['x-uuencode', 'begin 644 cat.txt\n#0V%T\n`\nend\n', 'Cat'],
    ['x-uuencode', 'preamble\r\nbegin 644 a b\r\n+2&5L;&\\@=V]R;&0\r\n \r\nend\r\nafter', 'Hello world'],
    ['x-unheard-of', 'abc', 'abc'],
  ])('should decode %s %j', async (encoding, encoded, expected) => {
    const data = latin1(encoded);
    expect((await decode([data], encoding)).toString('latin1')).toBe(expected);
    expect(decodedSize(data, 0, data.length, encoding)).toBe(expected.length);
  });

  it('should decode what Node encoded as base64', () => {
    for (let size = 0; size < 200; size++) {
      const content = randomBytes(size);
      const encoded = latin1(content.toString('base64').replace(/.{76}/g, '$&\r\n'));
      expect(decodePieces(cut(encoded, size + 1), 'base64').equals(content)).toBe(true);
    }
  });

  it.each(['base64', 'quoted-printable', 'x-uuencode', '8bit'])(
    'should not depend on where %s is cut, and agree with the size',
    async (encoding) => {
      const alphabet = 'AbC=d\r\n\t 9+/=3D=\r\n  =\n-_é#`'.split('');
      for (let seed = 1; seed <= 200; seed++) {
        let state = seed;
        let text = encoding === 'x-uuencode' ? 'begin 644 x\n' : '';
        for (let index = 0; index < 400; index++) {
          state = (state * 1_103_515_245 + 12_345) & 0x7fffffff;
          text += alphabet[(state >> 8) % alphabet.length] as string;
        }
        const data = latin1(text);
        const whole = decodePieces([data], encoding);
        expect(decodePieces(cut(data, seed), encoding).equals(whole)).toBe(true);
        if (seed <= 5) expect((await decode(cut(data, seed), encoding)).equals(whole)).toBe(true);
        expect(decodedSize(data, 0, data.length, encoding)).toBe(whole.length);
      }
    },
  );

  it('should treat long runs of blanks alike wherever they are cut', () => {
    for (const blanks of [995, 996, 997, 998, 999, 1_000, 2_500]) {
      for (const ending of ['\r\nx', '\n', 'x', '', '=\r\ny']) {
        for (const start of ['a', 'a=']) {
          const data = latin1(start + ' '.repeat(blanks) + ending);
          const whole = decodePieces([data], 'quoted-printable');
          for (const at of [1, 2, 3, blanks - 1, blanks, blanks + 1, blanks + 2, blanks + 3]) {
            const pieces = [data.subarray(0, at), data.subarray(at)].filter((piece) => piece.length > 0);
            expect(decodePieces(pieces, 'quoted-printable').equals(whole)).toBe(true);
          }
        }
      }
    }
  });

  it('should count only within the given bounds', () => {
    const raw = latin1('====SGVsbG8=====');
    expect(decodedSize(raw, 4, 11, 'base64')).toBe(5);
    expect(decodedSize(raw, 5, 5, 'base64')).toBe(0);
  });
});

describe('decodedRange', () => {
  const content = randomBytes(5_000);
  const encoded = latin1(content.toString('base64').replace(/.{76}/g, '$&\r\n'));

  it.each([
    [0, 0],
    [0, 4_999],
    [17, 17],
    [1_000, 2_500],
    [4_990, 9_999],
    [6_000, 7_000],
  ])('should return bytes %i to %i', async (start, end) => {
    const pieces = cut(encoded, start + 3);
    const range = await buffer(
      Readable.from(decodedRange(Readable.from(pieces, { objectMode: false }), 'base64', start, end)),
    );
    expect(range).toEqual(content.subarray(start, end + 1));
  });

  it('should stop reading after the last byte', async () => {
    let read = 0;
    async function* source(): AsyncGenerator<Buffer> {
      for (const piece of cut(encoded, 5)) {
        read += piece.length;
        yield piece;
      }
    }
    await buffer(Readable.from(decodedRange(source(), 'base64', 0, 99)));
    expect(read).toBeLessThan(1_000);
  });
});

describe('rawRangeOf', () => {
  it('should seek only in bodies that are not encoded', () => {
    expect(rawRangeOf({ bodyStart: 100, encoding: '8bit' }, 5, 9)).toEqual({ start: 105, end: 109 });
    expect(rawRangeOf({ bodyStart: 100, encoding: 'base64' }, 5, 9)).toBeNull();
  });
});
