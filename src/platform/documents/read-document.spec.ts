import { utils, write } from 'cfb';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { tarOf, zipOf } from '../../../test/support/archive/built-archives';
import { emlWithAttachment } from '../../../test/support/archive/eml';
import { msgFile, TAG } from '../../../test/support/archive/outlook/msg-files';
import { pdfWith } from '../../../test/support/archive/pdf-file';
import { DOCUMENT_LIMITS, type DocumentLimits, type DocumentReading } from './document-text';
import { readDocument } from './read-document';

const fixture = (name: string): Buffer =>
  readFileSync(join(__dirname, '../../../test/fixtures/documents', name));
const read = (
  bytes: Buffer | string,
  name = 'file',
  limits: Partial<DocumentLimits> = {},
): Promise<DocumentReading> =>
  readDocument(
    { bytes: Buffer.from(bytes), name, mimeType: '' },
    { limits: { ...DOCUMENT_LIMITS, ...limits } },
  );
const places = async (bytes: Buffer, name?: string): Promise<unknown[]> => {
  const { pages, problem } = await read(bytes, name);
  expect(problem).toBeNull();
  return pages.map((page) => [page.member, page.kind, page.name, page.text.replace(/\s+/g, ' ')]);
};
const compound = (streams: Readonly<Record<string, Buffer>>): Buffer => {
  const container = utils.cfb_new();
  for (const [path, bytes] of Object.entries(streams)) utils.cfb_add(container, `/${path}`, bytes);
  return Buffer.from(write(container, { type: 'buffer', fileType: 'cfb' }) as Buffer);
};
const record = (type: number, body: Buffer, version = 0): Buffer => {
  const header = Buffer.alloc(8);
  header.writeUInt16LE(version, 0);
  header.writeUInt16LE(type, 2);
  header.writeUInt32LE(body.length, 4);
  return Buffer.concat([header, body]);
};
const biff = (type: number, body: Buffer): Buffer => {
  const header = Buffer.alloc(4);
  header.writeUInt16LE(type, 0);
  header.writeUInt16LE(body.length, 2);
  return Buffer.concat([header, body]);
};

describe('readDocument', () => {
  it('should read documents of Word, with tables and headers', async () => {
    const pages = (await places(fixture('letter.docx'))) as string[][];
    const text = pages.map((page) => page[3]).join('\n');
    for (const part of [
      'Repair of the roof',
      'The plumber needs copper pipes.',
      'solder',
      '12,50',
      'Letterhead of Ada',
    ])
      expect(text).toContain(part);
  });

  it.each([
    [
      'openpyxl.xlsx',
      [
        [null, 'sheet', 'Prices', 'metal price brass 4711'],
        [null, 'sheet', 'Notes', 'rhubarb'],
      ],
    ],
    ['xlsxwriter.xlsx', [[null, 'sheet', 'Sums', 'heron 3.5']]],
  ])('should read the sheets of %s', async (name, expected) => {
    expect(await places(fixture(name))).toEqual(expected);
  });

  it('should read the slides of PowerPoint in their order', async () => {
    const slide = (text: string): string => `<p:sld><a:p><a:r><a:t>${text}</a:t></a:r></a:p></p:sld>`;
    const relation = (id: string, target: string): string =>
      `<Relationship Id="${id}" Type="http://x/slide" Target="${target}"/>`;
    const zip = await zipOf({
      '[Content_Types].xml': '<Types/>',
      'ppt/presentation.xml':
        '<p:presentation><p:sldIdLst><p:sldId r:id="b"/><p:sldId r:id="a"/></p:sldIdLst></p:presentation>',
      'ppt/_rels/presentation.xml.rels': `<Relationships>${relation('a', 'slides/slide1.xml')}${relation('b', 'slides/slide2.xml')}</Relationships>`,
      'ppt/slides/slide1.xml': slide('shown second'),
      'ppt/slides/slide2.xml': slide('shown first'),
    });
    expect(await places(zip)).toEqual([
      [null, 'slide', '1', 'shown first'],
      [null, 'slide', '2', 'shown second'],
    ]);
  });

  it('should read OpenDocument, without deleted text', async () => {
    const odt = await zipOf(
      {
        mimetype: 'application/vnd.oasis.opendocument.text',
        'content.xml': `<office:document-content><office:body><office:text><text:tracked-changes><text:p>gone</text:p></text:tracked-changes>
          <text:p>kept<text:s text:c="2"/>text</text:p></office:text></office:body></office:document-content>`,
      },
      { store: true },
    );
    expect(await places(odt)).toEqual([[null, null, null, 'kept text']]);
    const ods = await zipOf({
      mimetype: 'application/vnd.oasis.opendocument.spreadsheet',
      'content.xml': `<o><office:spreadsheet><table:table table:name="Sums"><table:table-row><table:table-cell><text:p>one</text:p>
        </table:table-cell></table:table-row></table:table></office:spreadsheet></o>`,
    });
    expect(await places(ods)).toEqual([[null, 'sheet', 'Sums', 'one']]);
    const field = '<text:p>Page <text:page-number>1</text:page-number></text:p>';
    const withFooter = (body: string): Promise<Buffer> =>
      zipOf({
        mimetype: 'application/vnd.oasis.opendocument.any',
        'content.xml': `<o>${body}</o>`,
        'styles.xml': `<s><style:footer><text:p>Copper Ltd</text:p>${field}</style:footer></s>`,
      });
    const sheet =
      '<office:spreadsheet><table:table table:name="A"><text:p>one</text:p></table:table></office:spreadsheet>';
    expect(await places(await withFooter(sheet))).toEqual([
      [null, 'sheet', 'A', 'one'],
      [null, null, null, 'Copper Ltd'],
    ]);
    expect(await places(await withFooter('<office:text><text:p>one</text:p></office:text>'))).toEqual([
      [null, null, null, 'one'],
      [null, null, null, 'Copper Ltd Page'],
    ]);
    const locked = await zipOf({
      mimetype: 'application/vnd.oasis.opendocument.text',
      'content.xml': 'x',
      'META-INF/manifest.xml': '<manifest:manifest><manifest:encryption-data/></manifest:manifest>',
    });
    expect(await read(locked)).toMatchObject({
      pages: [],
      problem: { state: 'encrypted', reason: 'password' },
    });
  });

  it('should read documents of Word 97', async () => {
    const text = Buffer.from('Dear Ada,\rthe copper caf\xe9 closes.\r', 'latin1');
    const main = Buffer.alloc(2_048 + text.length);
    main.writeUInt16LE(0xa5ec, 0);
    const pieces = Buffer.alloc(5 + 8 + 8);
    pieces.writeUInt8(2, 0);
    pieces.writeUInt32LE(16, 1);
    pieces.writeUInt32LE(text.length, 9);
    pieces.writeUInt32LE((0x40000000 | (2_048 * 2)) >>> 0, 15);
    main.writeUInt32LE(0, 0x01a2);
    main.writeUInt32LE(pieces.length, 0x01a6);
    text.copy(main, 2_048);
    expect(await places(compound({ WordDocument: main, '0Table': pieces }))).toEqual([
      [null, null, null, 'Dear Ada, the copper café closes.'],
    ]);
    main.writeUInt16LE(0x0100, 0x0a);
    expect(await read(compound({ WordDocument: main, '0Table': pieces }))).toMatchObject({
      problem: { state: 'encrypted', reason: 'password' },
    });
  });

  it('should read sheets of Excel 97', async () => {
    const begin = biff(0x0809, Buffer.from([0x00, 0x06, 0x10, 0x00]));
    const shared = Buffer.from('\x01\0\0\0\x01\0\0\0\x06\0\0copper', 'latin1');
    const cell = Buffer.alloc(10);
    const number = Buffer.alloc(14);
    number.writeUInt16LE(1, 0);
    number.writeDoubleLE(47.5, 6);
    const globals = (place: number): Buffer => {
      const sheet = Buffer.alloc(8 + 6);
      sheet.writeUInt32LE(place, 0);
      sheet.writeUInt8(6, 6);
      sheet.write('Prices', 8, 'latin1');
      return Buffer.concat([begin, biff(0x0085, sheet), biff(0x00fc, shared), biff(0x000a, Buffer.alloc(0))]);
    };
    const book = Buffer.concat([
      globals(globals(0).length),
      begin,
      biff(0x00fd, cell),
      biff(0x0203, number),
      biff(0x000a, Buffer.alloc(0)),
    ]);
    expect(await places(compound({ Workbook: book }))).toEqual([[null, 'sheet', 'Prices', 'copper 47.5']]);
  });

  it('should read slides of PowerPoint 97', async () => {
    const slide = record(0x03ee, record(0x0fa0, Buffer.from('herons', 'utf16le')), 0x0f);
    const persist = Buffer.alloc(20);
    persist.writeUInt32LE(1, 0);
    const list = record(
      0x0ff0,
      Buffer.concat([record(0x03f3, persist), record(0x0fa8, Buffer.from('outline'))]),
      0x0f,
    );
    const document = record(0x03e8, list, 0x0f);
    const directory = Buffer.alloc(8);
    directory.writeUInt32LE((1 << 20) | 1, 0);
    const stream = Buffer.concat([slide, document, record(0x1772, directory)]);
    const file = compound({ 'PowerPoint Document': stream, 'Current User': Buffer.alloc(20) });
    expect(await places(file)).toEqual([[null, 'slide', '1', 'herons outline']]);
  });

  it('should read RTF, HTML and messages', async () => {
    expect(await places(Buffer.from('{\\rtf1\\ansi Hello {\\b copper}\\par}'), 'a.rtf')).toEqual([
      [null, null, null, 'Hello copper'],
    ]);
    expect(await places(Buffer.from('<html><body><p>Hello <b>tin</b></p></body></html>'), 'a.html')).toEqual([
      [null, null, null, 'Hello tin'],
    ]);
    const eml = emlWithAttachment({
      subject: 'Roof',
      disposition: 'filename="a.pdf"',
      content: pdfWith(['slates']),
    });
    const pages = (await places(eml, 'forwarded.eml')) as string[][];
    expect(pages.map((page) => page[3]).join('\n')).toContain('See the attachment.');
    expect(pages).toContainEqual(['a.pdf', 'page', '1', 'slates']);
    const msg = msgFile({
      values: [
        [TAG.subject, 'Gutter'],
        [TAG.body, 'of zinc'],
      ],
    });
    expect(JSON.stringify(await places(msg, 'a.msg'))).toContain('of zinc');
  });

  it('should read members of archives, their names, and archives in them', async () => {
    const inner = await zipOf({ 'deep.txt': 'inner copper' });
    const zip = await zipOf({ 'a/b.csv': 'tin,lead', 'c.zip': inner });
    expect(await places(zip)).toEqual([
      [null, null, null, 'a/b.csv c.zip'],
      ['a/b.csv', null, null, 'tin,lead'],
      ['c.zip', null, null, 'deep.txt'],
      ['c.zip/deep.txt', null, null, 'inner copper'],
    ]);
    const tar = await tarOf({ 'notes.txt': 'brass' });
    expect(await places(tar)).toContainEqual(['notes.txt', null, null, 'brass']);
    expect(JSON.stringify(await places(gzipSync(tar), 'a.tar.gz'))).toContain('brass');
  });

  it('should read the members after one that is too large or damaged', async () => {
    const zip = await zipOf(
      { 'a.txt': 'copper', 'b.bin': 'x'.repeat(5_000), 'c.txt': 'zinc' },
      { store: true },
    );
    expect(await read(zip, 'a.zip', { maxMember: 1_000 })).toMatchObject({
      pages: [{ member: null }, { member: 'a.txt', text: 'copper' }, { member: 'c.txt', text: 'zinc' }],
      problem: { state: 'too-large', reason: 'member-limit' },
    });
    const damaged = await zipOf({ 'a.txt': 'copper '.repeat(100), 'c.txt': 'zinc' });
    damaged.fill(0xff, 40, 50);
    expect(await read(damaged, 'a.zip')).toMatchObject({
      pages: [{ member: null }, { member: 'c.txt', text: 'zinc' }],
      problem: { state: 'failed', reason: 'member-damaged' },
    });
  });

  it('should say what is too large, and keep what it has read', async () => {
    const pdf = pdfWith(['first page', 'second page']);
    expect(await read(pdf, 'a.pdf', { maxText: 12 })).toMatchObject({
      pages: [{ name: '1', text: 'first page' }, { name: '2' }],
      problem: { state: 'too-large', reason: 'text-limit' },
    });
    const zip = await zipOf({ 'a.txt': 'x'.repeat(5_000) });
    expect((await read(zip, 'a.zip', { maxUnpacked: 1_000 })).problem).toEqual({
      state: 'too-large',
      reason: 'unpacked-limit',
    });
  });

  it.each([
    ['PDF', Buffer.from('%PDF-1.7 and nothing else')],
    ['DOCX', fixture('letter.docx').subarray(0, 20_000)],
    ['compound file', compound({ WordDocument: Buffer.alloc(100) }).subarray(0, 600)],
  ])('should say that a broken %s is damaged', async (_format, bytes) => {
    expect((await read(bytes)).problem).toEqual({ state: 'failed', reason: 'damaged' });
  });

  it('should find nothing in files that are no documents', async () => {
    expect(await read(Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'latin1'), 'a.png')).toMatchObject({
      pages: [],
      problem: null,
    });
  });
});
