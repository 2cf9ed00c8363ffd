import { buffer } from 'node:stream/consumers';
import { fromBuffer, fromRandomAccessReader, RandomAccessReader, type Entry, type ZipFile } from 'yauzl';
import { Readable } from 'node:stream';
import { crc32, deflateRawSync } from 'node:zlib';
import {
  centralDirectory,
  DEFLATED,
  descriptor,
  localHeader,
  STORED,
  type ZipEntry,
  type ZipEntryBytes,
  type ZipEntryStart,
} from './zip-format';

const GIB = 2 ** 30;
const date = new Date('2024-02-29T13:37:59Z');

/** A ZIP of one entry. */
function zipOfOne(start: ZipEntryStart, plain: Buffer, { hasDescriptor = false } = {}): Buffer {
  const body = start.method === DEFLATED ? deflateRawSync(plain) : plain;
  const bytes = { crc: crc32(plain), size: plain.length, compressedSize: body.length };
  const written = Buffer.concat([
    localHeader(start, hasDescriptor ? null : bytes),
    body,
    hasDescriptor ? descriptor(bytes) : Buffer.alloc(0),
  ]);
  const entry = { ...start, ...bytes, offset: 0, hasDescriptor };
  return Buffer.concat([written, centralDirectory([entry], written.length)]);
}

/** The entries that another program reads. */
async function entriesOf(open: (done: (error: Error | null, zip: ZipFile) => void) => void) {
  const zip = await new Promise<ZipFile>((resolve, reject) => {
    open((error, file) => (error ? reject(error) : resolve(file)));
  });
  const entries: Entry[] = [];
  await new Promise((resolve, reject) => {
    zip.on('entry', (entry: Entry) => {
      entries.push(entry);
      zip.readEntry();
    });
    zip.once('end', resolve);
    zip.once('error', reject);
    zip.readEntry();
  });
  return { zip, entries };
}

const contentOf = (zip: ZipFile, entry: Entry): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    zip.openReadStream(entry, (error, stream) => (error ? reject(error) : resolve(buffer(stream))));
  });

/** A file of which only the end is there. */
class EndOfFile extends RandomAccessReader {
  constructor(
    private readonly end: Buffer,
    private readonly offset: number,
  ) {
    super();
  }

  override _readStreamForRange(start: number, end: number): Readable {
    const zeros = Buffer.alloc(Math.max(0, this.offset - start));
    return Readable.from([zeros, this.end.subarray(Math.max(0, start - this.offset), end - this.offset)]);
  }
}

describe('a ZIP', () => {
  const plain = Buffer.from('a mail\r\n'.repeat(100));

  it.each([
    ['stored', STORED, false],
    ['stored, with a descriptor', STORED, true],
    ['deflated', DEFLATED, false],
    ['deflated, with a descriptor', DEFLATED, true],
  ] as const)('should be read by another program, %s', async (_how, method, hasDescriptor) => {
    const start = { name: '2024-02/Grüße.eml', date, method };
    const { zip, entries } = await entriesOf((done) =>
      fromBuffer(zipOfOne(start, plain, { hasDescriptor }), { lazyEntries: true, autoClose: false }, done),
    );
    expect(entries.map(({ fileName }) => fileName)).toEqual(['2024-02/Grüße.eml']);
    expect(entries[0]).toMatchObject({
      compressionMethod: method,
      crc32: crc32(plain),
      uncompressedSize: plain.length,
      externalFileAttributes: 0o100644 * 2 ** 16,
    });
    expect(await contentOf(zip, entries[0]!)).toEqual(plain);
  });

  it.each([
    ['2024-02-29T13:37:59Z', '2024-02-29T13:37:58.000Z'],
    ['1969-12-31T23:59:59Z', '1980-01-01T00:00:00.000Z'],
    ['2200-01-01T00:00:00Z', '2107-12-31T23:59:58.000Z'],
  ])('should have the date %s as %s', async (given, expected) => {
    const start = { name: 'a', date: new Date(given), method: STORED } as const;
    const { entries } = await entriesOf((done) =>
      fromBuffer(zipOfOne(start, plain), { lazyEntries: true }, done),
    );
    const read = entries[0]!.getLastModDate();
    const utc = new Date(read.getTime() - read.getTimezoneOffset() * 60_000);
    expect(utc.toISOString()).toBe(expected);
  });

  it('should have entries beyond four gibibytes, and larger ones', async () => {
    const bytes: ZipEntryBytes = { crc: 1, size: 3, compressedSize: 3 };
    const start = { date, method: STORED } as const;
    const entries: ZipEntry[] = [
      { ...start, ...bytes, name: 'first', offset: 0, hasDescriptor: false },
      { ...start, ...bytes, name: 'at the limit', offset: 4 * GIB - 1, hasDescriptor: false },
      { ...start, ...bytes, name: 'beyond', offset: 5 * GIB, hasDescriptor: false },
      {
        ...start,
        crc: 1,
        size: 6 * GIB,
        compressedSize: 6 * GIB,
        name: 'large',
        offset: 7 * GIB,
        hasDescriptor: true,
      },
    ];
    const directory = centralDirectory(entries, 14 * GIB);
    const zip = new EndOfFile(directory, 14 * GIB);
    const { entries: read } = await entriesOf((done) =>
      fromRandomAccessReader(zip, 14 * GIB + directory.length, { lazyEntries: true }, done),
    );
    expect(
      read.map((entry) => [entry.fileName, entry.relativeOffsetOfLocalHeader, entry.uncompressedSize]),
    ).toEqual(entries.map(({ name, offset, size }) => [name, offset, size]));
    expect(descriptor(entries[3]!)).toHaveLength(24);
  });

  it('should have more entries than sixteen bits can count', async () => {
    const entries = Array.from({ length: 70_000 }, (_, number): ZipEntry => ({
      name: `${number}`,
      date,
      method: STORED,
      crc: 0,
      size: 0,
      compressedSize: 0,
      offset: number,
      hasDescriptor: false,
    }));
    const zip = Buffer.concat([Buffer.alloc(100_000), centralDirectory(entries, 100_000)]);
    const { entries: read } = await entriesOf((done) => fromBuffer(zip, { lazyEntries: true }, done));
    expect(read).toHaveLength(70_000);
    expect(read.at(-1)!.fileName).toBe('69999');
  });
});
