import fc from 'fast-check';
import { msgFile, TAG } from '../../../../test/support/archive/outlook/msg-files';
import { looksLikeMsg, readMsg } from './msg-file';
import { OutlookDamage } from './outlook-damage';

const FILE = msgFile({
  values: [
    [TAG.subject, 'Subject'],
    [TAG.body, 'x'.repeat(10_000)],
    [TAG.html, Buffer.from('<p>text</p>')],
  ],
  recipients: [[[TAG.displayName, 'Alice']]],
  attachments: [
    {
      values: [
        [TAG.attachLongFilename, 'a.bin'],
        [TAG.attachData, Buffer.alloc(20_000, 7)],
      ],
    },
    { values: [], message: { values: [[TAG.subject, 'Inner']] } },
  ],
});

/** Places that matter more than others: the header, and the tables behind it. */
const place = fc.oneof(fc.integer({ min: 8, max: 511 }), fc.integer({ min: 512, max: FILE.length - 4 }));
const change = fc.tuple(
  place,
  fc.constantFrom(1, 2, 4),
  fc.oneof(fc.integer({ min: 0, max: 200 }), fc.constantFrom(0xffffffff, 0xfffffffe, 0x7fffffff)),
);

describe('readMsg', () => {
  it('should read a damaged file or say that it is damaged, in bounded time', () => {
    const property = fc.property(
      fc.array(change, { minLength: 1, maxLength: 20 }),
      fc.nat(FILE.length),
      (changes, cut) => {
        const bytes = Buffer.from(cut % 4 === 0 ? FILE.subarray(0, cut) : FILE);
        for (const [at, width, value] of changes) {
          if (at + 4 > bytes.length) continue;
          if (width === 4) bytes.writeUInt32LE(value >>> 0, at);
          else if (width === 2) bytes.writeUInt16LE(value & 0xffff, at);
          else bytes.writeUInt8(value & 0xff, at);
        }
        looksLikeMsg(bytes);
        try {
          readMsg(bytes);
        } catch (error) {
          expect(error).toBeInstanceOf(OutlookDamage);
        }
      },
    );
    fc.assert(property, { numRuns: 2_000 });
  });

  it('should find that a chain of sectors leads back to itself', () => {
    const bytes = Buffer.from(FILE);
    // Each entry of the first table of sectors names its own sector.
    const table = 512 * (bytes.readUInt32LE(76) + 1);
    for (let index = 0; index < 128; index += 1) bytes.writeUInt32LE(index, table + 4 * index);
    expect(() => readMsg(bytes)).toThrow(OutlookDamage);
  });

  it('should tell a document of another program from a message', () => {
    expect(looksLikeMsg(FILE)).toBe(true);
    expect(looksLikeMsg(Buffer.from('no compound file'))).toBe(false);
  });
});
