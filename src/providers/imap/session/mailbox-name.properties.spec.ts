import { allowForExamples, anyUtf16, fc, holds, mixtureOf } from '../../../../test/support/properties';
import { decodeModifiedUtf7 } from './mailbox-name';

allowForExamples();

/** RFC 3501 §5.1.3, written from the RFC. */
function encode(text: string): string {
  return text.replace(/[^\x20-\x7e]+|&/g, (run) => {
    if (run === '&') return '&-';
    const bytes = Buffer.from(run, 'utf16le').swap16();
    return `&${bytes.toString('base64').replace(/=+$/, '').replaceAll('/', ',')}-`;
  });
}

describe('names of folders and labels', () => {
  it('should decode to the encoded text', () => {
    holds(
      500,
      fc.property(anyUtf16(), (name) => {
        expect(decodeModifiedUtf7(encode(name))).toBe(name);
      }),
    );
  });

  it('should not change unencoded text', () => {
    holds(
      500,
      fc.property(
        mixtureOf(['&', '-', ',', 'A', 'AAAA', '2D3eAA', '&AAA-', '&2D0-', '+', '/', '=', ' ']),
        (name) => {
          const decoded = decodeModifiedUtf7(name);
          if (!/&[A-Za-z0-9+,]*-/.test(name)) expect(decoded).toBe(name);
          // Text outside of `&…-` stays in its place.
          const outside = name.split(/&[A-Za-z0-9+,]*-/);
          expect(decoded.startsWith(outside[0] as string) && decoded.endsWith(outside.at(-1) as string)).toBe(
            true,
          );
        },
      ),
    );
  });
});
