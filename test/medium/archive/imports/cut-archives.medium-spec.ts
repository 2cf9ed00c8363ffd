import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { type Entry, fromBuffer } from 'yauzl';
import { closeWalks, walkItems } from '../../../support/archive/import-walks';
import { allowForExamples, holds } from '../../../support/properties';
import type { WalkedItem } from '../../../../src/archive/imports/files/import-walk';

allowForExamples();

const FIXTURES = join(__dirname, '../../../fixtures/archives');
/** Archives of the same twelve messages, as programs write them. */
const ZIPS = ['info-zip.zip', 'info-zip-streamed.zip', 'info-zip-stored.zip', '7-zip.zip', 'bsdtar.zip'];
const TARS = ['gnu.tar', 'bsdtar.tar', '7-zip.tar'];
const MESSAGES = 12;

const bytesOf = (fixture: string): Buffer => readFileSync(join(FIXTURES, fixture));
const messagesIn = (items: readonly WalkedItem[]): string[] =>
  items.flatMap(({ message }) => message?.raw.toString('latin1') ?? []);
const damagesIn = (items: readonly WalkedItem[]): string[] =>
  items.flatMap(({ damage }) => damage?.code ?? []);
const end = (items: readonly WalkedItem[]): string | undefined => items.at(-1)?.damage?.reason;

/** Offsets behind the data of the files of a ZIP, in its order, by its directory. */
function zipEnds(zip: Buffer): Promise<number[]> {
  return new Promise((resolve, reject) => {
    fromBuffer(zip, { lazyEntries: false }, (error, file) => {
      if (error) return reject(error);
      const ends: number[] = [];
      file.on('entry', ({ relativeOffsetOfLocalHeader: at, compressedSize, fileName }: Entry) => {
        const header = 30 + zip.readUInt16LE(at + 26) + zip.readUInt16LE(at + 28);
        if (!fileName.endsWith('/')) ends.push(at + header + compressedSize);
      });
      file.on('end', () => resolve(ends));
      file.on('error', reject);
    });
  });
}

/** Offsets behind the files of a tar, which lie in it as they are. */
const tarEnds = (tar: Buffer, messages: readonly string[]): number[] =>
  messages.map((message) => {
    const text = message.replaceAll('\r\n', '\n');
    return tar.indexOf(text, 0, 'latin1') + text.length;
  });

const cuts = fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true });

describe('a cut archive', () => {
  afterEach(closeWalks);

  it.each([...ZIPS, ...TARS])('%s should be read whole when it is', async (fixture) => {
    const items = await walkItems(bytesOf(fixture));
    expect(messagesIn(items)).toHaveLength(MESSAGES);
    expect(damagesIn(items)).toEqual([]);
  });

  it.each(ZIPS)('%s should give everything before the cut, and say that it was cut', async (fixture) => {
    const zip = bytesOf(fixture);
    const whole = messagesIn(await walkItems(zip));
    const ends = await zipEnds(zip);
    await holds(
      40,
      fc.asyncProperty(cuts, async (share) => {
        // A file that is cut within its first header is refused.
        const at = Math.max(ends[0]!, Math.floor(share * zip.length));
        const items = await walkItems(zip.subarray(0, at));
        const found = messagesIn(items);
        const before = ends.filter((each) => each <= at).length;
        expect(found).toEqual(whole.slice(0, found.length));
        expect(found.length).toBeGreaterThanOrEqual(before);
        expect(found.length).toBeLessThanOrEqual(before + 1);
        expect(end(items)).toMatch(
          /(?:ends too early|missing or damaged); \d+ files? w(?:as|ere) found in it$/,
        );
      }),
    );
  });

  it.each(TARS)('%s should give everything before the cut, and say that it was cut', async (fixture) => {
    const tar = bytesOf(fixture);
    const whole = messagesIn(await walkItems(tar));
    const ends = tarEnds(tar, whole);
    await holds(
      40,
      fc.asyncProperty(cuts, async (share) => {
        const at = Math.max(ends[0]!, Math.floor(share * ends.at(-1)!));
        const items = await walkItems(tar.subarray(0, at));
        const found = messagesIn(items);
        expect(found).toEqual(whole.slice(0, ends.filter((each) => each <= at).length));
        expect(damagesIn(items)).toContain('archive-cut-off');
      }),
    );
  });

  it.each(ZIPS)('%s should continue at each of its items when it is resumed', async (fixture) => {
    const zip = bytesOf(fixture);
    const cut = zip.subarray(0, Math.floor(zip.length * 0.7));
    const items = await walkItems(cut);
    for (const [index, { next }] of items.entries()) {
      const rest = await walkItems(cut, next);
      expect(rest.map(({ name, damage }) => ({ name, damage }))).toEqual(
        items.slice(index + 1).map(({ name, damage }) => ({ name, damage })),
      );
    }
  });

  it.each(['info-zip-streamed.zip', '7-zip.zip'])(
    '%s should be read on both sides of a damaged part, without its directory',
    async (fixture) => {
      const zip = Buffer.from(bytesOf(fixture));
      const whole = messagesIn(await walkItems(zip));
      const ends = await zipEnds(zip);
      const cut = zip.subarray(0, ends.at(-1));
      // The header of the fourth file.
      cut.fill(0xff, ends[2]! + 16, ends[2]! + 60);
      const items = await walkItems(cut);
      expect(messagesIn(items)).toEqual(whole.filter((_, index) => index !== 3));
      expect(damagesIn(items)).toEqual(expect.arrayContaining(['archive-part-damaged', 'archive-cut-off']));
    },
  );

  it.each(TARS)('%s should be read on both sides of a damaged header', async (fixture) => {
    const tar = Buffer.from(bytesOf(fixture));
    const whole = messagesIn(await walkItems(tar));
    const ends = tarEnds(tar, whole);
    tar.fill(0xff, Math.ceil(ends[2]! / 512) * 512, Math.ceil(ends[2]! / 512) * 512 + 512);
    const items = await walkItems(tar);
    const found = messagesIn(items);
    // The extended header of pax may be the one that is damaged: the file behind it comes then.
    expect(found.length).toBeGreaterThanOrEqual(MESSAGES - 1);
    expect(whole.filter((message) => found.includes(message))).toEqual(found);
    expect(damagesIn(items)).toEqual(['archive-part-damaged']);
  });

  it.each([...ZIPS, ...TARS])(
    '%s should end with a result or a clear error when bytes in it are wrong',
    async (fixture) => {
      const bytes = bytesOf(fixture);
      const whole = messagesIn(await walkItems(bytes));
      const places = fc.array(fc.tuple(cuts, fc.integer({ min: 0, max: 255 })), {
        minLength: 1,
        maxLength: 20,
      });
      await holds(
        40,
        fc.asyncProperty(places, cuts, async (changes, share) => {
          const broken = Buffer.from(bytes.subarray(0, Math.max(600, Math.floor(share * bytes.length))));
          // The first bytes say what it is.
          for (const [at, value] of changes) broken[4 + Math.floor(at * (broken.length - 4))] = value;
          const items = await walkItems(broken).catch((error: { code?: string }) => {
            expect(error.code).toMatch(/^(?:archive-unreadable|not-an-mbox-file)$/);
            return [];
          });
          expect(messagesIn(items).length).toBeLessThanOrEqual(whole.length);
        }),
      );
    },
  );
});
