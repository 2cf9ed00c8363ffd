import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { randomBytes } from 'node:crypto';
import { COMPRESSION_DAMAGED, CUT_OFF } from './mbox-damage';
import { MboxFile } from './mbox-file';

const MIB = 1024 * 1024;

describe('MboxFile', () => {
  let directory: string;
  const content = Buffer.concat([
    Buffer.alloc(300_000, 'some text that packs well\n'),
    randomBytes(700_000),
    Buffer.alloc(2 * MIB, 'and more of it\n'),
  ]);

  beforeAll(() => {
    directory = mkdtempSync(join(tmpdir(), 'mailroom-mbox-'));
  });

  afterAll(() => rmSync(directory, { recursive: true, force: true }));

  const open = (bytes: Buffer, maxUnpackedBytes = 1024 * MIB): Promise<MboxFile> => {
    const path = join(directory, 'file');
    writeFileSync(path, bytes);
    return MboxFile.open(path, { maxUnpackedBytes });
  };
  const read = async (file: MboxFile, from = 0): Promise<Buffer> => {
    const chunks: Buffer[] = [];
    for await (const chunk of file.chunks(from)) chunks.push(chunk);
    return Buffer.concat(chunks);
  };
  const half = Math.floor(content.length / 2);

  it.each([
    ['a plain file', content],
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
      expect([sut.damage, sut.size]).toEqual([null, bytes.length]);
    }
    expect((await sut.readSample(1_000)).equals(content.subarray(0, 1_000))).toBe(true);
    expect((await sut.readSample(content.length + 1)).equals(content)).toBe(true);
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
        for await (const chunk of sut.chunks(0)) {
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

  it('should report a missing file', async () => {
    await expect(MboxFile.open(join(directory, 'none'), { maxUnpackedBytes: MIB })).rejects.toMatchObject({
      code: 'import-file-missing',
    });
  });
});
