import { createHash } from 'node:crypto';
import { Base64Decoder, decodedBase64Size } from './base64-decoder';

/** Bytes that look random and are the same each time. */
const noise = (length: number): Buffer => {
  const blocks = Array.from({ length: Math.ceil(length / 32) }, (_, block) =>
    createHash('sha256').update(`${length} ${block}`).digest(),
  );
  return Buffer.concat(blocks).subarray(0, length);
};
const lines = (text: string, end: string): string => text.replace(/(.{76})/g, `$1${end}`);

function decode(encoded: Buffer, piece: number): { bytes: Buffer; isLossy: boolean } {
  const sut = new Base64Decoder();
  const out: Buffer[] = [];
  for (let at = 0; at < encoded.length; at += piece) out.push(sut.write(encoded.subarray(at, at + piece)));
  out.push(sut.end());
  return { bytes: Buffer.concat(out), isLossy: sut.isLossy };
}

describe('Base64Decoder', () => {
  const encoded = (length: number): string => noise(length).toString('base64');

  it.each([0, 1, 2, 3, 500, 1_000, 1_001, 1_002, 70_000])(
    'should decode to %d bytes, cut anywhere',
    (length) => {
      for (const text of [encoded(length), lines(encoded(length), '\r\n'), lines(encoded(length), ' \n\t')]) {
        const input = Buffer.from(text, 'latin1');
        for (const piece of [1, 255, 256, 257, 1_022, 1_023, 65_536]) {
          expect(decode(input, piece)).toEqual({ bytes: noise(length), isLossy: false });
        }
        expect(decodedBase64Size(input, 0, input.length)).toBe(length);
      }
    },
  );

  it.each([
    ['padded blocks one after the other', `${encoded(1_000)}${encoded(901)}${encoded(302)}`],
    ['signs outside of the alphabet', `${encoded(600)}*${encoded(700)}`],
    ['the other alphabet', `${encoded(600)}-_${encoded(600)}`],
    ['letters beyond ASCII', `${encoded(600)}\u00e9${encoded(600)}`],
    ['no padding', encoded(1_000).replaceAll('=', '')],
    ['a single character at the end', `${encoded(999)}A`],
    ['surplus bits', `${encoded(999)}AB==${encoded(999)}`],
  ])('should decode %s the same in pieces of any length', (_what, text) => {
    const input = Buffer.from(lines(text, '\r\n'), 'latin1');
    const byteByByte = decode(input, 1);
    for (const piece of [300, 511, 1_024, input.length]) expect(decode(input, piece)).toEqual(byteByByte);
    expect(decodedBase64Size(input, 0, input.length)).toBe(byteByByte.bytes.length);
  });
});
