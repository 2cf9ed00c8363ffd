import type { DocumentFile } from '../document-file';
import { placeIn } from '../document-file';
import { damaged, type DocumentText } from '../document-text';
import { localName, readXml, type XmlVisitor } from '../read-xml';
import type { Unzip } from '../unzip';
import { type NumberKind, numberKindOf, shownNumber } from './cell-numbers';
import { readRelations, targetsOf } from './relations';

const WORKBOOK = 'xl/workbook.xml';
const MAX_SHEETS = 1_000;
const MAX_STYLES = 65_536;

/** Reads a workbook (XLSX, ECMA-376) sheet by sheet: a row is a line, and dates are written as in ISO 8601. @throws DocumentUnread */
export async function readSheetsXml(file: DocumentFile, zip: Unzip, text: DocumentText): Promise<void> {
  const workbook = zip.find(WORKBOOK);
  if (!workbook) throw damaged();
  const sheets: { name: string; id: string }[] = [];
  let is1904 = false;
  await readXml(zip.stream(workbook), {
    open(name, attributes) {
      if (localName(name) === 'workbookPr') is1904 = /^(?:1|true)$/.test(attributes.date1904 ?? '');
      if (localName(name) === 'sheet' && sheets.length < MAX_SHEETS)
        sheets.push({ name: attributes.name ?? '', id: attributes['r:id'] ?? '' });
    },
  });
  const relations = await readRelations(zip, WORKBOOK);
  const shared = await readSharedStrings(zip, text);
  const numbers = { kinds: await readNumberKinds(zip), is1904 };
  for (const { name, id } of sheets) {
    const path = relations.get(id)?.target;
    const sheet = path === undefined ? undefined : zip.find(path);
    if (path === undefined || !sheet) continue;
    const cells = new CellCollector(shared, numbers, text.room);
    await readXml(zip.stream(sheet), cells);
    const comments = await readComments(zip, path);
    text.add(placeIn(file, 'sheet', name), [cells.result(), ...comments].join('\n'));
  }
}

/** Texts that cells refer to by number, as far as the text of a document may be long. */
async function readSharedStrings(zip: Unzip, text: DocumentText): Promise<readonly string[]> {
  const member = zip.find('xl/sharedStrings.xml');
  const strings: string[] = [];
  if (!member) return strings;
  let current = '';
  let length = 0;
  let isText = false;
  let isReading = false;
  await readXml(zip.stream(member), {
    open(name) {
      const local = localName(name);
      if (local === 'si') isReading = true;
      else if (local === 't') isText = true;
      // Phonetic readings stand beside the text.
      else if (local === 'rPh') isReading = false;
    },
    text(piece) {
      if (!isText || !isReading || length > text.limits.maxText) return;
      current += piece;
      length += piece.length;
    },
    close(name) {
      const local = localName(name);
      if (local === 't') isText = false;
      else if (local === 'rPh') isReading = true;
      else if (local === 'si') {
        strings.push(current);
        current = '';
        isReading = false;
      }
    },
  });
  return strings;
}

/** Formats of numbers by the style of their cells. */
interface CellNumbers {
  readonly kinds: readonly NumberKind[];
  readonly is1904: boolean;
}

async function readNumberKinds(zip: Unzip): Promise<NumberKind[]> {
  const member = zip.find('xl/styles.xml');
  const kinds: NumberKind[] = [];
  if (!member) return kinds;
  const codes = new Map<number, string>();
  let areOfCells = false;
  await readXml(zip.stream(member), {
    open(name, { numFmtId, formatCode }) {
      const local = localName(name);
      const id = Number(numFmtId ?? 0);
      if (local === 'numFmt') codes.set(id, formatCode ?? '');
      else if (local === 'cellXfs') areOfCells = true;
      else if (local === 'xf' && areOfCells && kinds.length < MAX_STYLES)
        kinds.push(numberKindOf(id, codes.get(id) ?? null));
    },
    close(name) {
      if (localName(name) === 'cellXfs') areOfCells = false;
    },
  });
  return kinds;
}

class CellCollector implements XmlVisitor {
  private readonly pieces: string[] = [];
  private length = 0;
  private type = '';
  private value = '';
  private isValue = false;
  private style = 0;

  constructor(
    private readonly shared: readonly string[],
    private readonly numbers: CellNumbers,
    private readonly limit: number,
  ) {}

  open(name: string, attributes: Readonly<Record<string, string>>): void {
    const local = localName(name);
    if (local === 'c') {
      this.type = attributes.t ?? '';
      this.style = Number(attributes.s ?? 0);
      this.value = '';
    } else if (local === 'v' || local === 't') this.isValue = true;
  }

  text(text: string): void {
    if (this.isValue) this.value += text;
  }

  close(name: string): void {
    const local = localName(name);
    if (local === 'v' || local === 't') this.isValue = false;
    else if (local === 'c') this.push(`${this.shownValue()}\t`);
    else if (local === 'row') this.push('\n');
  }

  result(): string {
    return this.pieces.join('');
  }

  private shownValue(): string {
    if (this.type === 's') return this.shared[Number(this.value)] ?? '';
    const kind = this.numbers.kinds[this.style] ?? null;
    const isNumber = (this.type === '' || this.type === 'n') && this.value.trim() !== '';
    return isNumber && kind ? shownNumber(Number(this.value), kind, this.numbers.is1904) : this.value;
  }

  private push(text: string): void {
    if (this.length > this.limit || text === '\t') return;
    this.pieces.push(text);
    this.length += text.length;
  }
}

async function readComments(zip: Unzip, sheet: string): Promise<string[]> {
  const texts: string[] = [];
  for (const path of targetsOf(await readRelations(zip, sheet), /\/(?:comments|threadedComment)$/)) {
    const member = zip.find(path);
    if (!member) continue;
    let isText = false;
    await readXml(zip.stream(member), {
      open: (name) => void (isText = ['t', 'text'].includes(localName(name))),
      text: (piece) => void (isText && texts.push(piece)),
      close: () => void (isText = false),
    });
  }
  return texts;
}
