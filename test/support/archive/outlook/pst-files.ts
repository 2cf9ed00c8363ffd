import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const SAMPLES = join(dirname(require.resolve('pst-extractor/package.json')), 'example/testdata');

/** Real data files that the package pst-extractor brings for its example (MIT; the PST is of the public Enron data). */
export const SAMPLE = {
  /** PST, Unicode, compressible encryption: 71 messages in 5 folders. */
  pst: join(SAMPLES, 'enron.pst'),
  /** OST with pages of 4 KiB: 14 messages and 169 appointments. */
  ost: join(SAMPLES, 'pstextractortest@outlook.com.ost'),
} as const;

/** The tables of MS-PST 5.1. */
const R = Buffer.from(
  'QTYTYqghbrv0FswEf2ToXR7yyyp0xV410pVHnpYtmohMfYQ/26wxtkhf9sTYOYvnIzs4jsjB3yWxIKVGYE6c+6rTVlFFfFUAB8kr' +
    'nYWbCaCPrbMPY6uJS9enFVpxZkK/JkprmPrqd1OycAUs/Vk6hn7OBuuCeFfHjUOvtBzUW83i6SdPwwhygM+w7/Uobb4wTTSS1Q48' +
    'IjLl5PmfwtEKgRLh7pGDduOX5mGKF3mkt9yQelyMAqbKad5QGhGTuVKHWPztHTdJG2rgKTOZvWzZlPNAVG/wxnO41j5lGEQf3WcQ' +
    '8QwZ7K4DoRR7qQv/+KPAogH3LrwkaHUN/rovtdDaPQ==',
  'base64',
);
const S = Buffer.from(
  'FFMPVrPIepzrZUgXFhWfAsxUfIMADQwLomKodtvZ7cfFpNyshXTW0KebrpqWcWbDY5m43XOSjoR9pV7RXZOxV1FQgIlSlE9OCmu8' +
    'jX9uR0ZBQEQBEcsDP/f04amPPDr5+/AZMIIJLsmdoIZJ7m9NbcQtgTQlhxuIqvwGoRI4/UxCcmQTNyRqdXdD/+a0SzZc5Ng1PUW5' +
    'LOy3MSspB2ijDml7GJ4hOb4oGlt49SPKKrCvPv4EjOflmDKV0/ZK6Kbq6fPVL3Ag8h8FZ61VEM7N4yc72rrXwibUkR3SHCIz+Prx' +
    'Wu/PkLaLtb3AvwiXHmziYeDGwVmru1jeX99geX6yig==',
  'base64',
);
const I = Buffer.from(
  'R/G05gtqckiFTp7r4viUU+C7oALoWgmr2+O6xnzDEN05BZYw9TdggozJE0prHfP7jyaXypEXAcQyLW4xlf/ZI9EAXnncRDsaKMVh' +
    'VyCQPYO5Q75n0kZCdsBtW36yDxYpPKkDVA3aXd/2t8dizY0G02lchtYU96Vmdayx6UUhcAyHn3SkIkxvvx9Wqi6zeDNQsKOSvM8Z' +
    'HKdjyx5NPksbm0/n8O6tOrVZBOpAVSVR5XqJOGhSe/wnrte9+gf0zI5f7zWchCsV1Xc0SbYSCn9xiP2dGEF9k9hYLM7+JK/euDbI' +
    'oYCmmZioLw6BZXPkwqKK1OER0AiLKvLtmmQ/wWz57A==',
  'base64',
);

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

/** The checksum of MS-PST 5.3: CRC-32 that begins with 0 and is not inverted. */
function checksum(bytes: Buffer): number {
  let crc = 0;
  for (const byte of bytes) crc = (crc >>> 8) ^ CRC[(crc ^ byte) & 0xff]!;
  return crc >>> 0;
}

const CRC = Array.from({ length: 256 }, (_, index) => {
  let value = index;
  for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value;
});
