import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { closeExtents, extentOf } from '../../../support/archive/extents';
import { SAMPLE } from '../../../support/archive/outlook/pst-files';
import { PstWriter } from '../../../support/archive/outlook/pst-writer';
import { nightly } from '../../../support/nightly';
import { ExtentSource } from '../../../../src/archive/imports/containers/byte-source';
import { ArchiveFolders } from '../../../../src/archive/imports/files/archive-folders';
import type { FoundItem, MailFile } from '../../../../src/archive/imports/files/mail-format';
import { OutlookFileUnreadable, OutlookReaderMissing } from '../../../../src/archive/imports/imports.errors';
import type { OutlookRebuilder } from '../../../../src/archive/imports/outlook/outlook-rebuilder';
import { PstFormat } from '../../../../src/archive/imports/outlook/pst-format';
import { rebuildItems } from '../../../../src/archive/imports/outlook/rebuild.task';

afterEach(closeExtents);

/** The worker's task, without its thread. */
// Each test starts a process that reads a whole file.
jest.setTimeout(60_000);

const REBUILDER = {
  rebuildItem: async (frames: Buffer) => {
    const bytes = new Uint8Array(frames).buffer;
    const [item] = await rebuildItems({
      bytes,
      lengths: [frames.length],
      startedAt: new SharedArrayBuffer(8),
    });
    return item!;
  },
} as OutlookRebuilder;

async function readAll(
  bytes: Buffer,
  sut = new PstFormat(REBUILDER),
  isMember = false,
  from = 0,
): Promise<FoundItem[]> {
  const folders = isMember ? ({} as ArchiveFolders) : null;
  const file: MailFile = {
    source: new ExtentSource(await extentOf(bytes)),
    name: isMember ? 'old/box.pst' : null,
    levels: [],
    folders,
  };
  const items: FoundItem[] = [];
  for await (const item of sut.read(file, from, new AbortController().signal)) items.push(item);
  await closeExtents();
  return items;
}

const hashOf = ({ message }: FoundItem): string => createHash('sha256').update(message!.raw).digest('hex');

describe('PstFormat', () => {
  const whole = readFileSync(SAMPLE.pst);

  it('should number its items, so that an import continues behind any of them', async () => {
    const items = await readAll(whole);
    expect(items.map(({ end }) => end)).toEqual(Array.from({ length: 71 }, (_, index) => index + 1));
    const rest = await readAll(whole, undefined, false, 40);
    expect(rest.map(hashOf)).toEqual(items.slice(40).map(hashOf));
  });

  it.each([
    ['unicode', ['Familie Müller', 'Red category']],
    ['ansi', ['Büro', 'Red category']],
  ] as const)('should make labels of the categories of a file of the kind %s', async (kind, categories) => {
    const directory = mkdtempSync(join(tmpdir(), 'pst-categories-'));
    try {
      const path = join(directory, 'box.pst');
      const writer = new PstWriter(path, kind);
      const letter = { headers: 'From: a@example.com\r\n', body: 'Hello' };
      const letters = [
        { ...letter, subject: 'With', categories },
        { ...letter, subject: 'Without' },
      ];
      writer.addFolder({ name: 'Box', letters });
      writer.end();
      const items = await readAll(readFileSync(path));
      expect(items.map(({ message }) => message?.labelIds)).toEqual([['Box', ...categories], ['Box']]);
    } finally {
      rmSync(directory, { recursive: true });
    }
  });

  it('should say what the server lacks', async () => {
    const sut = new PstFormat(REBUILDER, ['no-such-python']);
    await expect(readAll(whole, sut)).rejects.toThrow(OutlookReaderMissing);
    await expect(readAll(whole, sut)).rejects.toThrow('install python3 and libpff1');
  });

  it('should refuse an upload that is cut off, and name a member of an archive that is', async () => {
    const cut = whole.subarray(0, 5_000_000);
    await expect(readAll(cut)).rejects.toThrow(OutlookFileUnreadable);
    const [item, ...others] = await readAll(cut, undefined, true);
    expect(others).toEqual([]);
    expect(item).toMatchObject({ name: 'old/box.pst', damage: { code: 'outlook-file-unreadable' } });
  });

  nightly(
    'should account for every item of a damaged file, or refuse it',
    async () => {
      const place = fc.oneof(
        fc.integer({ min: 10, max: 563 }),
        fc.integer({ min: 564, max: whole.length - 1 }),
      );
      const change = fc.tuple(place, fc.integer({ min: 1, max: 50_000 }), fc.constantFrom(0, 0xff, 0x41));
      const property = fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 3 }), async (changes) => {
        const bytes = Buffer.from(whole);
        for (const [at, length, value] of changes)
          bytes.fill(value, at, Math.min(bytes.length, at < 564 ? at + (length % 8) + 1 : at + length));
        const items = await readAll(bytes).catch((error: unknown) => {
          expect(error).toBeInstanceOf(OutlookFileUnreadable);
          return null;
        });
        if (items && !items.some(({ damage }) => damage?.code.startsWith('outlook-file-')))
          expect(items).toHaveLength(71);
      });
      await fc.assert(property, { numRuns: 12 });
    },
    120_000,
  );
});
