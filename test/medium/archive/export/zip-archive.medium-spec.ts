import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { crc32 } from 'node:zlib';
import { type Entry, fromBuffer, type ZipFile } from 'yauzl';
import { ZIP_READERS } from '../../../support/archive/zip-readers';
import { ZipArchive, type ZipAnswer, type ZipStep } from '../../../../src/archive/export/zip-archive';

const NAME = '2024-02/Grüße.eml';
const DATE = Date.parse('2024-02-29T13:37:59Z');
/** More entries than sixteen bits can count. */
const MANY = 70_000;

const bytesOf = (...pieces: Buffer[]): ArrayBuffer => new Uint8Array(Buffer.concat(pieces)).buffer;
const joined = (answers: readonly ZipAnswer[]): Buffer =>
  Buffer.concat(answers.flatMap(({ blocks }) => blocks.map((block) => Buffer.from(block))));

/** A ZIP of these entries, each added whole. */
async function zipOf(entries: readonly { name: string; date?: number; content: Buffer }[]): Promise<Buffer> {
  const zip = new ZipArchive({ compress: false });
  const steps = entries.map(({ name, date = DATE, content }): ZipStep => ({
    do: 'add',
    entry: { name, date },
    length: content.length,
    isHashed: false,
  }));
  const bytes = bytesOf(...entries.map(({ content }) => content));
  return joined([await zip.run({ steps: [...steps, { do: 'end' }], bytes })]);
}

/** The entries that yauzl reads. */
async function entriesOf(bytes: Buffer): Promise<{ zip: ZipFile; entries: Entry[] }> {
  const zip = await new Promise<ZipFile>((resolve, reject) => {
    fromBuffer(bytes, { lazyEntries: true, autoClose: false, strictFileNames: true }, (error, file) =>
      error ? reject(error) : resolve(file),
    );
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

describe('ZipArchive', () => {
  const plain = Buffer.from('a mail\r\n'.repeat(100));
  const entry = { name: NAME, date: DATE };
  const whole: ZipStep[] = [{ do: 'add', entry, length: plain.length, isHashed: true }, { do: 'end' }];
  const inPieces: ZipStep[] = [
    { do: 'open', entry, isHashed: true },
    { do: 'write', length: 300 },
    { do: 'write', length: 0 },
    { do: 'write', length: plain.length - 300 },
    { do: 'close' },
    { do: 'end' },
  ];

  it.each([
    ['stored', false, whole],
    ['stored, in pieces', false, inPieces],
    ['deflated', true, whole],
    ['deflated, in pieces', true, inPieces],
  ])('should write entries that another program reads, %s', async (_how, compress, steps) => {
    const sut = new ZipArchive({ compress });
    const answer = await sut.run({ steps, bytes: bytesOf(plain) });
    expect(answer.entries).toEqual([
      { size: plain.length, sha256: createHash('sha256').update(plain).digest('hex') },
    ]);
    const { zip, entries } = await entriesOf(joined([answer]));
    expect(entries.map(({ fileName }) => fileName)).toEqual([NAME]);
    expect(entries[0]).toMatchObject({
      compressionMethod: compress ? 8 : 0,
      crc32: crc32(plain),
      uncompressedSize: plain.length,
      // A regular file that its owner may write; and the archive bit of DOS.
      externalFileAttributes: 0o100644 * 2 ** 16 + 0x20,
    });
    expect(await contentOf(zip, entries[0]!)).toEqual(plain);
  });

  it('should write the same bytes in one request and in many', async () => {
    const sut = new ZipArchive({ compress: false });
    const answers: ZipAnswer[] = [];
    let at = 0;
    for (const step of inPieces) {
      const length = 'length' in step ? step.length : 0;
      answers.push(await sut.run({ steps: [step], bytes: bytesOf(plain.subarray(at, (at += length))) }));
    }
    const other = new ZipArchive({ compress: false });
    const atOnce = await other.run({ steps: inPieces, bytes: bytesOf(plain) });
    expect(joined(answers)).toEqual(joined([atOnce]));
    expect(answers.flatMap(({ entries }) => entries)).toEqual(atOnce.entries);
  });

  it('should return a whole entry with its bytes before the next request', async () => {
    const sut = new ZipArchive({ compress: false });
    const answer = await sut.run({ steps: whole.slice(0, 1), bytes: bytesOf(plain) });
    expect(joined([answer]).includes(plain)).toBe(true);
    sut.abort();
  });

  it.each([
    ['2024-02-29T13:37:59Z', '2024-02-29T13:37:58.000Z'],
    ['1969-12-31T23:59:59Z', '1980-01-01T00:00:00.000Z'],
    ['2200-01-01T00:00:00Z', '2043-12-31T23:59:58.000Z'],
    ['no date', '1980-01-01T00:00:00.000Z'],
  ])('should write the date %s as %s', async (given, expected) => {
    const { entries } = await entriesOf(
      await zipOf([{ name: 'a', date: Date.parse(given), content: plain }]),
    );
    const read = entries[0]!.getLastModDate();
    const utc = new Date(read.getTime() - read.getTimezoneOffset() * 60_000);
    expect(utc.toISOString()).toBe(expected);
  });

  it('should write a name that ends with a slash as a folder', async () => {
    const { entries } = await entriesOf(await zipOf([{ name: 'Maildir/cur/', content: Buffer.alloc(0) }]));
    expect(entries[0]).toMatchObject({ fileName: 'Maildir/cur/', uncompressedSize: 0 });
    expect(entries[0]!.externalFileAttributes >>> 16).toBe(0o040755);
  });

  it('should fail when archiver rejects an entry', async () => {
    const sut = new ZipArchive({ compress: false });
    const steps: ZipStep[] = [{ do: 'add', entry: { name: '', date: DATE }, length: 0, isHashed: false }];
    await expect(sut.run({ steps, bytes: bytesOf() })).rejects.toMatchObject({ code: 'ENTRYNAMEREQUIRED' });
    await expect(sut.run({ steps: whole, bytes: bytesOf(plain) })).rejects.toMatchObject({
      code: 'ENTRYNAMEREQUIRED',
    });
  });

  describe('with more entries than 16 bits can count', () => {
    let directory: string;
    let path: string;
    let end: ZipAnswer;
    const names = Array.from({ length: MANY }, (_, number) => `2024-02/${number}.eml`);

    beforeAll(async () => {
      directory = await mkdtemp(join(tmpdir(), 'zip-'));
      path = join(directory, 'many.zip');
      const sut = new ZipArchive({ compress: false });
      const steps = names.map((name): ZipStep => ({
        do: 'add',
        entry: { name, date: DATE },
        length: 1,
        isHashed: false,
      }));
      const entries = await sut.run({ steps, bytes: bytesOf(Buffer.alloc(MANY, 'x')) });
      end = await sut.run({ steps: [{ do: 'end' }], bytes: bytesOf() });
      await writeFile(path, joined([entries, end]));
    }, 60_000);

    afterAll(() => rm(directory, { recursive: true }));

    it('should join the pieces of the central directory', () => {
      const bytes = joined([end]).length;
      expect(bytes).toBeGreaterThan(MANY * 46);
      expect(end.blocks.length).toBe(Math.ceil(bytes / (256 * 1024)));
    });

    it.each(ZIP_READERS)(
      'should be read by $name',
      ({ check }) => {
        expect(check(path)).toEqual(names.map((name) => ({ name, size: 1 })));
      },
      60_000,
    );
  });
});
