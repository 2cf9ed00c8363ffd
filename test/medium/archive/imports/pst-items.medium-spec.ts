import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { SAMPLE, withHighEncryption } from '../../../support/archive/outlook/pst-files';
import {
  type PstFolderContent,
  type PstLetter,
  PstWriter,
} from '../../../support/archive/outlook/pst-writer';
import { nightly } from '../../../support/nightly';
import { holds } from '../../../support/properties';
import { assembleMessage, framesIn } from '../../../../src/archive/imports/outlook/pff-frames';
import {
  PFF_LIMITS,
  type PffLimits,
  type PffProgram,
} from '../../../../src/archive/imports/outlook/pff-process';
import {
  isPst,
  type PstItem,
  type PstOpened,
  PstReaderMissing,
  PstUnreadable,
  readPstItems,
} from '../../../../src/archive/imports/outlook/pst-items';
import { rebuildMessage } from '../../../../src/archive/imports/outlook/rebuild-message';

// Each test starts a process that reads a whole file.
jest.setTimeout(60_000);

const FOLDER = mkdtempSync(join(tmpdir(), 'pst-items-'));
afterAll(() => rmSync(FOLDER, { recursive: true }));

interface Found {
  readonly opened: PstOpened;
  readonly items: PstItem[];
}

interface Options {
  readonly first?: number;
  readonly limits?: Partial<PffLimits>;
  readonly program?: PffProgram;
}

async function readAll(path: string, { first = 0, limits, program }: Options = {}): Promise<Found> {
  const items: PstItem[] = [];
  let opened: PstOpened | undefined;
  const signal = new AbortController().signal;
  for await (const found of readPstItems(path, first, signal, { ...PFF_LIMITS, ...limits }, program)) {
    if (found.kind === 'opened') opened = found;
    else items.push(found);
  }
  return { opened: opened!, items };
}

const messageOf = ({ frames }: PstItem) => assembleMessage(framesIn(frames!));
const rawOf = async (item: PstItem): Promise<string> =>
  (await rebuildMessage(messageOf(item))).raw.toString();

function written(name: string, bytes: Buffer): string {
  const path = join(FOLDER, name);
  writeFileSync(path, bytes);
  return path;
}

/** A file with one folder. */
function madeFile(name: string, letters: number, folder: Partial<PstFolderContent> = {}): string {
  const path = join(FOLDER, name);
  const writer = new PstWriter(path, 'unicode');
  const letter = (_: unknown, number: number): PstLetter => ({
    subject: `Letter ${number}`,
    headers: `Message-ID: <${number}@made.example>\r\n\r\n`,
    body: 'Text',
  });
  writer.addFolder({ name: 'One', letters: Array.from({ length: letters }, letter), ...folder });
  writer.end();
  return path;
}

describe('readPstItems', () => {
  it('should read every item of a PST, with folders, identifiers and attachments', async () => {
    const { opened, items } = await readAll(SAMPLE.pst);
    expect(opened).toEqual({ kind: 'opened', items: 71, damage: null, unread: [] });
    expect(items.map(({ position }) => position)).toEqual(Array.from({ length: 71 }, (_, index) => index));
    expect(new Set(items.map(({ id }) => id)).size).toBe(71);
    expect(items[30]!.folder.path).toEqual(['lokay-m', 'MLOKAY (Non-Privileged)', 'Personal']);
    const attachments = items.flatMap((item) => [...messageOf(item).attachments]);
    expect(attachments).toHaveLength(70);
    expect(await rawOf(items[3]!)).toContain('Subject: West Texas Capacity\r\n');
  });

  it('should read every item of an OST with pages of 4 KiB', async () => {
    const { opened, items } = await readAll(SAMPLE.ost);
    expect([opened.items, opened.damage, items.length]).toEqual([183, null, 183]);
    const classes = items.map((item) => messageOf(item).properties.readText('messageClass'));
    expect(classes.filter((name) => name === 'IPM.Appointment')).toHaveLength(169);
  });

  nightly('should read a file with "high" encryption as the one without', async () => {
    const plain = await readAll(SAMPLE.pst);
    const high = await readAll(written('high.pst', withHighEncryption(SAMPLE.pst)));
    expect(await Promise.all(high.items.map(rawOf))).toEqual(await Promise.all(plain.items.map(rawOf)));
  });

  it('should rebuild the calendar of meeting requests and answers, of which Outlook keeps properties', async () => {
    const { items } = await readAll(SAMPLE.ost);
    const isMeeting = (item: PstItem): boolean =>
      /^IPM\.Schedule\.Meeting/.test(messageOf(item).properties.readText('messageClass') ?? '');
    const raws = await Promise.all(items.filter(isMeeting).map(rawOf));
    const rebuiltOnes = raws.filter((raw) => raw.includes('text/calendar; charset=utf-8;'));
    // Four others came with a calendar as attachment.
    expect(raws).toHaveLength(6);
    expect(rebuiltOnes.map((raw) => /^METHOD:(\w+)/m.exec(raw)?.[1])).toEqual(['REPLY', 'REQUEST']);
    expect(rebuiltOnes[0]).toContain(
      'DTSTART:20210813T220000Z\r\nDTEND:20210813T223000Z\r\nSEQUENCE:0\r\nSUMMARY:meeting from Ed\r\n',
    );
  });

  it('should begin at any item', async () => {
    const { items } = await readAll(SAMPLE.pst, { first: 60 });
    const whole = await readAll(SAMPLE.pst);
    expect(items.map(({ position, id }) => [position, id])).toEqual(
      whole.items.slice(60).map(({ position, id }) => [position, id]),
    );
  });

  it.each(['unicode', 'ansi'] as const)(
    'should read a made file, with bodies of many blocks: %s',
    async (kind) => {
      const path = join(FOLDER, `${kind}.pst`);
      const writer = new PstWriter(path, kind);
      const letter = (number: number) => ({
        subject: `Letter ${number}`,
        headers: `Message-ID: <${number}@made.example>\r\n\r\n`,
        body: 'Text',
        html: Buffer.alloc(20_000, `<p>${number}</p>`),
        attachment: { name: 'table.xls', data: Buffer.alloc(30_000, `cell ${number} `) },
      });
      writer.addFolder({ name: 'One', letters: [letter(1), letter(2)] });
      writer.addFolder({ name: 'Two', letters: [letter(3)] });
      writer.end();
      const { opened, items } = await readAll(path);
      expect(opened).toEqual({ kind: 'opened', items: 3, damage: null, unread: [] });
      expect(items.map(({ folder }) => folder.path)).toEqual([['One'], ['One'], ['Two']]);
      const messages = items.map(messageOf);
      expect(messages.map(({ properties }) => properties.readText('subject'))).toEqual([
        'Letter 1',
        'Letter 2',
        'Letter 3',
      ]);
      expect(messages[2]!.properties.readBytes('html')).toEqual(letter(3).html);
      expect(messages[2]!.attachments[0]!.data).toEqual(letter(3).attachment.data);
    },
  );

  it('should find the messages of a folder whose tables are missing', async () => {
    const { opened, items } = await readAll(madeFile('no-tables.pst', 1_000, { hasNoTables: true }));
    expect(opened).toEqual({ kind: 'opened', items: 1_000, damage: null, unread: [] });
    expect(new Set(items.map(({ id }) => id)).size).toBe(1_000);
    expect(items[999]!.folder.path).toEqual(['One']);
  });

  nightly('should open a file of 200,000 items, and resume in it, in seconds', async () => {
    const path = madeFile('large.pst', 200_000, { hasNoTables: true });
    const startedAt = process.hrtime.bigint();
    const { opened, items } = await readAll(path, { first: 199_990 });
    expect([opened.items, items.length]).toEqual([200_000, 10]);
    expect(Number(process.hrtime.bigint() - startedAt) / 1e9).toBeLessThan(30);
  });

  it('should end with items or a clear error when its header is wrong or it is cut', async () => {
    const file = readFileSync(madeFile('fuzzed.pst', 5));
    const change = fc.tuple(fc.integer({ min: 10, max: 563 }), fc.nat(255));
    const changes = fc.array(change, { minLength: 1, maxLength: 6 });
    const cut = fc.integer({ min: 564, max: file.length });
    await holds(
      60,
      fc.asyncProperty(changes, cut, fc.boolean(), async (bytes, length, isCut) => {
        const broken = Buffer.from(isCut ? file.subarray(0, length) : file);
        if (!isCut) for (const [at, value] of bytes) broken[at] = value;
        const found = await readAll(written('broken.pst', broken)).catch((error: unknown) => {
          expect(error).toBeInstanceOf(PstUnreadable);
          return null;
        });
        if (found) expect(found.items.length).toBe(found.opened.items);
        if (found && isCut && length < file.length) expect(found.opened.damage).not.toBeNull();
      }),
    );
  });

  it('should share a file out to several processes when their time is up', async () => {
    const { items } = await readAll(SAMPLE.pst, { limits: { shareCpuSeconds: 0.1 } });
    expect(items.map(({ position }) => position)).toEqual(Array.from({ length: 71 }, (_, index) => index));
  });

  it('should name items that are too large, and read the others', async () => {
    const { items } = await readAll(SAMPLE.pst, { limits: { maxItemBytes: 100_000 } });
    const failed = items.filter(({ failure }) => failure !== null);
    expect(items).toHaveLength(71);
    expect(failed.length).toBeGreaterThan(0);
    expect(new Set(failed.map(({ failure }) => failure!.code))).toEqual(new Set(['outlook-item-too-large']));
  });

  it('should count the bytes of an attachment once', async () => {
    const path = join(FOLDER, 'once.pst');
    const writer = new PstWriter(path, 'unicode');
    const attachment = { name: 'table.xls', data: Buffer.alloc(60_000, 'cell ') };
    writer.addFolder({ name: 'One', letters: [{ subject: 'S', headers: '\r\n', body: 'Text', attachment }] });
    writer.end();
    const { items } = await readAll(path, { limits: { maxItemBytes: 100_000 } });
    expect(messageOf(items[0]!).attachments[0]!.data).toEqual(attachment.data);
    expect(items[0]!.frames!.length).toBeLessThan(100_000);
  });

  it('should end with a clear error when the file is cut off', async () => {
    const bytes = (await readFile(SAMPLE.pst)).subarray(0, 9_000_000);
    await expect(readAll(written('cut.pst', bytes))).rejects.toThrow(PstUnreadable);
  });

  it('should say what the server lacks', async () => {
    await expect(readAll(SAMPLE.pst, { program: ['no-such-python'] })).rejects.toThrow(PstReaderMissing);
  });

  it('should kill a reader that does not answer', async () => {
    const program = ['sh', '-c', 'exec sleep 60'] as const;
    const reading = readAll(SAMPLE.pst, { program, limits: { maxSilenceMs: 200 } });
    await expect(reading).rejects.toThrow('it did not answer in time');
  });

  it('should stop with the signal', async () => {
    const controller = new AbortController();
    const items = readPstItems(SAMPLE.pst, 0, controller.signal);
    await items.next();
    controller.abort(new Error('cancelled'));
    await expect(
      (async () => {
        for await (const item of items) void item;
      })(),
    ).rejects.toThrow('cancelled');
  });
});

describe('isPst', () => {
  it('should recognise PST and OST by their content', async () => {
    for (const path of Object.values(SAMPLE))
      expect(isPst((await readFile(path)).subarray(0, 16))).toBe(true);
    expect(isPst(Buffer.from('!BDN then something'))).toBe(false);
  });
});
