import { gzipSync } from 'node:zlib';
import { randomBytes } from 'node:crypto';
import { closeExtents, extentOf } from '../../../../test/support/archive/extents';
import { type ByteSource, ExtentSource } from './byte-source';
import { gunzip } from './gzip-source';
import { COMPRESSION_DAMAGED, CUT_OFF } from './read-damage';
import { UnpackBudget } from './unpack-budget';

const MIB = 1024 * 1024;

describe('gunzip', () => {
  const content = Buffer.concat([
    Buffer.alloc(300_000, 'some text that packs well\n'),
    randomBytes(700_000),
    Buffer.alloc(2 * MIB, 'and more of it\n'),
  ]);

  afterEach(closeExtents);

  const open = async (bytes: Buffer, maxUnpackedBytes = 1024 * MIB): Promise<ByteSource> => {
    const source = new ExtentSource(await extentOf(bytes));
    const limits = { maxUnpackedBytes, maxFiles: 1 };
    return gunzip(source, new UnpackBudget(limits, bytes.length, new AbortController().signal));
  };
  const read = async (source: ByteSource, from = 0): Promise<Buffer> => {
    const chunks: Buffer[] = [];
    for await (const chunk of source.open(from)) chunks.push(chunk);
    return Buffer.concat(chunks);
  };
  const half = Math.floor(content.length / 2);

  it.each([
    ['a packed file', gzipSync(content)],
    [
      'a file of two members',
      Buffer.concat([gzipSync(content.subarray(0, half)), gzipSync(content.subarray(half))]),
    ],
    ['a packed file with something after it', Buffer.concat([gzipSync(content), Buffer.alloc(100)])],
  ])('should read %s from any offset', async (_name, bytes) => {
    const sut = await open(bytes);
    for (const from of [0, 1, 299_999, 1_000_000, content.length - 1, content.length]) {
      expect((await read(sut, from)).equals(content.subarray(from))).toBe(true);
      expect(sut.damage).toBeNull();
    }
    expect((await sut.peek(1_000)).equals(content.subarray(0, 1_000))).toBe(true);
    expect((await sut.peek(content.length + 1)).equals(content)).toBe(true);
  });

  it('should read a truncated file up to its end', async () => {
    const packed = gzipSync(content);
    const sut = await open(packed.subarray(0, 500_000));
    const got = await read(sut);
    expect(got.length).toBeGreaterThan(600_000);
    expect(got.equals(content.subarray(0, got.length))).toBe(true);
    expect(sut.damage).toEqual(CUT_OFF);
  });

  it('should read a damaged file up to the damage', async () => {
    const packed = gzipSync(content.subarray(0, 900_000));
    const sut = await open(Buffer.concat([packed, GARBAGE]));
    const got = await read(sut);
    expect(got.length).toBeGreaterThan(900_000 - 17_000);
    expect(got.equals(content.subarray(0, got.length))).toBe(true);
    expect(sut.damage).toEqual(COMPRESSION_DAMAGED);
  });

  const GARBAGE = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 0xff, 0xff, 0xff, 0xff, 0xff]);

  it('should stop at a file that unpacks to too much, and keep little of it in memory', async () => {
    const bomb = gzipSync(Buffer.alloc(160 * MIB), { level: 1 });
    const sut = await open(bomb);
    const before = process.memoryUsage().arrayBuffers;
    let most = 0;
    let bytes = 0;
    await expect(
      (async () => {
        for await (const chunk of sut.open(0)) {
          bytes += chunk.length;
          most = Math.max(most, process.memoryUsage().arrayBuffers - before);
        }
      })(),
    ).rejects.toMatchObject({ code: 'import-unpacks-too-large' });
    expect(bytes).toBeLessThan(128 * MIB);
    expect(most).toBeLessThan(128 * MIB);
    await expect(read(await open(gzipSync(content), MIB))).rejects.toMatchObject({
      code: 'import-unpacks-too-large',
    });
  });
});
