import archiver from 'archiver';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { ReadableFailure, run } from '../../lib/commands.mjs';

const FILTERS = { doc: 'doc:MS Word 97', xls: 'xls:MS Excel 97', docx: 'docx:MS Word 2007 XML' };
/** Dots an inch of a scan. */
const RESOLUTION = '110';

/** Converts a flat OpenDocument file to a format of LibreOffice. */
export function convert(flat, format) {
  return inFolder(async (folder) => {
    writeFileSync(join(folder, 'file.xml'), flat);
    await execute(
      'soffice',
      ['--headless', '--convert-to', FILTERS[format] ?? format, '--outdir', folder, 'file.xml'],
      folder,
    );
    return readFileSync(join(folder, `file.${format}`));
  });
}

/** Makes a picture of the first page of a document, as a scanner would. */
export function scan(flat) {
  return inFolder(async (folder) => {
    writeFileSync(join(folder, 'page.pdf'), await convert(flat, 'pdf'));
    await execute('pdftoppm', ['-r', RESOLUTION, '-gray', '-png', '-singlefile', 'page.pdf', 'page'], folder);
    return readFileSync(join(folder, 'page.png'));
  });
}

export async function zip(files) {
  const archive = archiver('zip', { zlib: { level: 9 } });
  const date = new Date('2026-01-31T12:00:00Z');
  for (const [name, content] of Object.entries(files)) archive.append(content, { name, date });
  await archive.finalize();
  return buffer(archive);
}

/** Packs files as Outlook does with "rich text" (winmail.dat, MS-OXTNEF). */
export function winmail(files) {
  const number = (value) => {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32LE(value);
    return bytes;
  };
  const attribute = (level, id, data) => {
    const sum = Buffer.alloc(2);
    sum.writeUInt16LE(data.reduce((total, byte) => (total + byte) & 0xffff, 0));
    return Buffer.concat([Buffer.from([level]), number(id), number(data.length), data, sum]);
  };
  return Buffer.concat([
    number(0x223e9f78),
    Buffer.alloc(2),
    attribute(1, 0x69007, Buffer.concat([number(1252), number(0)])),
    ...Object.entries(files).flatMap(([name, content]) => [
      attribute(2, 0x69002, Buffer.alloc(14)),
      attribute(2, 0x18010, Buffer.from(`${name}\0`, 'latin1')),
      attribute(2, 0x6800f, content),
    ]),
  ]);
}

async function inFolder(work) {
  const folder = mkdtempSync(join(tmpdir(), 'demo-mail-'));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function execute(program, args, cwd) {
  const { ok, output } = await run(program, args, { capture: true, cwd });
  if (!ok) throw new ReadableFailure(`${program} failed: ${output}`);
}
