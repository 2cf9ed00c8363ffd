import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { checksum, I, R, S } from './pst-encoding';

const SAMPLES = join(dirname(require.resolve('pst-extractor/package.json')), 'example/testdata');

/** Real data files that the package pst-extractor brings for its example (MIT; the PST is of the public Enron data). */
export const SAMPLE = {
  /** PST, Unicode, compressible encryption: 71 messages in 5 folders. */
  pst: join(SAMPLES, 'enron.pst'),
  /** OST with pages of 4 KiB: 14 messages and 169 appointments. */
  ost: join(SAMPLES, 'pstextractortest@outlook.com.ost'),
} as const;

const PAGE = 512;
const HIGH = 2;

/** The same data file (Unicode, pages of 512 bytes, compressible encryption) with "high" encryption (MS-PST 5.2). */
export function withHighEncryption(path: string): Buffer {
  const file = readFileSync(path);
  file[513] = HIGH;
  file.writeUInt32LE(checksum(file.subarray(8, 524)), 524);
  for (const { bid, at, length } of blocksOf(file)) {
    // Blocks that list others are not encoded.
    if (bid & 2n) continue;
    const data = file.subarray(at, at + length);
    for (const [index, byte] of data.entries()) data[index] = I[byte]!;
    encodeCyclic(data, Number(bid & 0xffffffffn));
    const trailer = at + Math.ceil((length + 16) / 64) * 64 - 16;
    file.writeUInt32LE(checksum(data), trailer + 4);
  }
  return file;
}

interface Block {
  readonly bid: bigint;
  readonly at: number;
  readonly length: number;
}

/** All blocks, by the B-tree of blocks (MS-PST 2.2.2.7.7.3). */
function blocksOf(file: Buffer): Block[] {
  const blocks: Block[] = [];
  const waiting = [Number(file.readBigUInt64LE(240))];
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    const page = file.subarray(at, at + PAGE);
    const [count, , width, level] = page.subarray(488, 492) as unknown as [number, number, number, number];
    for (let index = 0; index < count; index += 1) {
      const entry = page.subarray(index * width, (index + 1) * width);
      if (level > 0) waiting.push(Number(entry.readBigUInt64LE(16)));
      else
        blocks.push({
          bid: entry.readBigUInt64LE(0),
          at: Number(entry.readBigUInt64LE(8)),
          length: entry.readUInt16LE(16),
        });
    }
  }
  return blocks;
}

function encodeCyclic(data: Buffer, key: number): void {
  let w = (key ^ (key >>> 16)) & 0xffff;
  for (const [index, byte] of data.entries()) {
    const [low, high] = [w & 0xff, w >>> 8];
    const mixed = S[(R[(byte + low) & 0xff]! + high) & 0xff]!;
    data[index] = (I[(mixed - high) & 0xff]! - low) & 0xff;
    w = (w + 1) & 0xffff;
  }
}
