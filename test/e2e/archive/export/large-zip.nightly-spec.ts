import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ZIP_READERS } from '../../../support/archive/zip-readers';
import { ZipArchive, type ZipRequest } from '../../../../src/archive/export/zip-archive';

jest.setTimeout(900_000);

const GIB = 2 ** 30;
const PIECE = 4 * 1024 * 1024;
const ZEROS = Buffer.alloc(256 * 1024);
const DATE = Date.parse('2024-02-29T13:37:59Z');

/** A file that takes no space for blocks of zeros. */
class SparseFile {
  private length = 0;

  constructor(private readonly file: FileHandle) {}

  async write(block: Buffer): Promise<void> {
    if (!ZEROS.subarray(0, block.length).equals(block))
      await this.file.write(block, 0, block.length, this.length);
    this.length += block.length;
    await this.file.truncate(this.length);
  }
}

describe('A ZIP of more than four gibibytes', () => {
  let directory: string;
  let path: string;
  const written: { name: string; size: number }[] = [];

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'zip-'));
    path = join(directory, 'large.zip');
    const file = await open(path, 'w');
    const target = new SparseFile(file);
    const sut = new ZipArchive({ compress: false });
    const run = async (request: ZipRequest): Promise<void> => {
      for (const block of (await sut.run(request)).blocks) await target.write(Buffer.from(block));
    };
    const writeLarge = async (name: string, size: number): Promise<void> => {
      written.push({ name, size });
      await run({
        steps: [{ do: 'open', entry: { name, date: DATE }, isHashed: false }],
        bytes: new ArrayBuffer(0),
      });
      for (let done = 0; done < size; done += PIECE)
        await run({ steps: [{ do: 'write', length: PIECE }], bytes: new ArrayBuffer(PIECE) });
      await run({ steps: [{ do: 'close' }], bytes: new ArrayBuffer(0) });
    };
    const writeSmall = async (name: string): Promise<void> => {
      written.push({ name, size: 6 });
      const bytes = new Uint8Array(Buffer.from('a mail')).buffer;
      await run({ steps: [{ do: 'add', entry: { name, date: DATE }, length: 6, isHashed: false }], bytes });
    };
    await writeSmall('2024-02/first.eml');
    await writeLarge('2024-02/small enough.eml', GIB);
    await writeLarge('2024-02/larger than four gibibytes.eml', 4 * GIB + PIECE);
    await writeSmall('2024-02/beyond.eml');
    await run({ steps: [{ do: 'end' }], bytes: new ArrayBuffer(0) });
    await file.close();
  });

  afterAll(() => rm(directory, { recursive: true }));

  it.each(ZIP_READERS)('should be read by $name', ({ check }) => {
    expect(check(path)).toEqual(written);
  });
});
