import { decodeCharset } from '../../mime/charset';
import type { Storage } from '../compound-file';
import { placeIn, type DocumentFile } from '../document-file';
import { damaged, type DocumentText, protectedByPassword } from '../document-text';
import { type NumberKind, numberKindOf, shownNumber } from './cell-numbers';

/** Types of records (MS-XLS 2.3). */
const RECORD = {
  formula: 0x0006, continue: 0x003c, filePass: 0x002f, mulRk: 0x00bd, sheet: 0x0085, richString: 0x00d6, sharedStrings: 0x00fc,
  labelShared: 0x00fd, textObject: 0x01b6, number: 0x0203, label: 0x0204, string: 0x0207, rk: 0x027e, begin: 0x0809,
  dates1904: 0x0022, cellFormat: 0x00e0, numberFormat: 0x041e,
} as const; // prettier-ignore
const BIFF8 = 0x0600;
/** Bytes before the value of a cell: row, column, format. */
const CELL = 6;
const FORMAT = 4;
/** Flags of a string (MS-XLS 2.5.293). */
const WIDE = 0x01;
const EXTENDED = 0x04;
const RICH = 0x08;

interface BiffRecord {
  readonly type: number;
  readonly at: number;
  readonly body: Buffer;
}

/** Reads a workbook of Excel 5 to 2003 (XLS) sheet by sheet: a row is a line. @throws DocumentUnread; CompoundFileDamage */
export function readSheetsBinary(file: DocumentFile, root: Storage, text: DocumentText): void {
  const stream = (root.streams.get('Workbook') ?? root.streams.get('Book'))?.();
  if (!stream) throw damaged();
  new WorkbookReader(file, [...recordsOf(stream)], text).read();
}

function* recordsOf(stream: Buffer): Generator<BiffRecord> {
  for (let at = 0; at + 4 <= stream.length;) {
    const end = at + 4 + stream.readUInt16LE(at + 2);
    if (end > stream.length) return;
    yield { type: stream.readUInt16LE(at), at, body: stream.subarray(at + 4, end) };
    at = end;
  }
}

class WorkbookReader {
  private readonly sheets = new Map<number, string>();
  private shared: readonly string[] = [];
  private isBiff8 = true;
  private pieces: string[] = [];
  private length = 0;
  private row = -1;
  private is1904 = false;
  private readonly formats = new Map<number, string>();
  /** Kinds of numbers by the number of the format of their cells. */
  private readonly kinds: NumberKind[] = [];

  constructor(
    private readonly file: DocumentFile,
    private readonly records: readonly BiffRecord[],
    private readonly text: DocumentText,
  ) {}

  read(): void {
    let sheet: string | null = null;
    for (const [index, { type, at, body }] of this.records.entries()) {
      if (type === RECORD.filePass) throw protectedByPassword();
      if (type === RECORD.begin && body.length >= 2) {
        this.isBiff8 = body.readUInt16LE(0) === BIFF8;
        const name = this.sheets.get(at);
        if (name !== undefined) {
          this.endSheet(sheet);
          sheet = name;
        }
      } else if (type === RECORD.sheet) this.sheets.set(body.readUInt32LE(0), this.nameOfSheet(body));
      else if (type === RECORD.sharedStrings) this.shared = this.readShared(index);
      else if (type === RECORD.dates1904) this.is1904 = body[0] === 1;
      else if (type === RECORD.numberFormat) this.formats.set(body.readUInt16LE(0), this.codeOf(body));
      else if (type === RECORD.cellFormat) {
        const id = body.readUInt16LE(2);
        this.kinds.push(numberKindOf(id, this.formats.get(id) ?? null));
      } else this.readCell(type, index, body);
    }
    this.endSheet(sheet);
  }

  private endSheet(name: string | null): void {
    const cells = this.pieces.join('');
    this.pieces = [];
    this.length = 0;
    this.row = -1;
    this.text.add(placeIn(this.file, name === null ? null : 'sheet', name), cells);
  }

  private readCell(type: number, index: number, body: Buffer): void {
    if (type === RECORD.textObject) {
      const next = this.records[index + 1];
      if (next?.type === RECORD.continue && next.body.length > 1)
        this.push(`\n${charactersOf(next.body.subarray(1), (next.body[0]! & WIDE) !== 0)}`);
    } else if (type === RECORD.string) this.push(this.stringAt(body, 0));
    else if (body.length > CELL && CELLS.has(type)) {
      this.beginCell(body.readUInt16LE(0));
      this.push(this.valueOf(type, body));
    }
  }

  private valueOf(type: number, body: Buffer): string {
    switch (type) {
      case RECORD.labelShared:
        return this.shared[body.readUInt32LE(CELL)] ?? '';
      case RECORD.label:
      case RECORD.richString:
        return this.stringAt(body, CELL);
      case RECORD.rk:
        return this.shown(rkOf(body.readUInt32LE(CELL)), body, FORMAT);
      case RECORD.mulRk: {
        const values: string[] = [];
        for (let at = FORMAT; at + 8 <= body.length; at += 6)
          values.push(this.shown(rkOf(body.readUInt32LE(at + 2)), body, at));
        return values.join('\t');
      }
      default: {
        // The result of a formula that is no number has these bytes last; its text follows in a record.
        const isNumber = type === RECORD.number || body.readUInt16LE(CELL + 6) !== 0xffff;
        return isNumber ? this.shown(body.readDoubleLE(CELL), body, FORMAT) : '';
      }
    }
  }

  /** @param at place of the number of the format */
  private shown(value: number, body: Buffer, at: number): string {
    return shownNumber(value, this.kinds[body.readUInt16LE(at)] ?? null, this.is1904);
  }

  private codeOf(body: Buffer): string {
    return this.isBiff8
      ? this.stringAt(body, 2)
      : decodeCharset(body.subarray(3, 3 + body[2]!), 'windows-1252');
  }

  private beginCell(row: number): void {
    if (this.row !== -1) this.push(row === this.row ? '\t' : '\n');
    this.row = row;
  }

  private push(text: string): void {
    if (this.length > this.text.room) return;
    this.pieces.push(text);
    this.length += text.length;
  }

  private nameOfSheet(body: Buffer): string {
    const count = body[6]!;
    if (!this.isBiff8) return charactersOf(body.subarray(7, 7 + count), false);
    const isWide = (body[7]! & WIDE) !== 0;
    return charactersOf(body.subarray(8, 8 + (isWide ? 2 * count : count)), isWide);
  }

  /** A string with a count of two bytes. */
  private stringAt(body: Buffer, at: number): string {
    if (at + 3 > body.length) return '';
    const count = body.readUInt16LE(at);
    if (!this.isBiff8) return decodeCharset(body.subarray(at + 2, at + 2 + count), 'windows-1252');
    const isWide = (body[at + 2]! & WIDE) !== 0;
    return charactersOf(body.subarray(at + 3, at + 3 + (isWide ? 2 * count : count)), isWide);
  }

  private readShared(index: number): string[] {
    const pieces: Buffer[] = [];
    for (let next = index; next < this.records.length; next += 1) {
      const record = this.records[next]!;
      if (next > index && record.type !== RECORD.continue) break;
      pieces.push(record.body);
    }
    return new SharedStrings(pieces).read();
  }
}

const CELLS: ReadonlySet<number> = new Set([
  RECORD.labelShared, RECORD.label, RECORD.richString, RECORD.rk, RECORD.mulRk, RECORD.number, RECORD.formula,
]); // prettier-ignore

/** Reads the table of strings, which goes on in further records; a string that is divided names its width anew. */
class SharedStrings {
  private piece = 0;
  private at = 8;

  constructor(private readonly pieces: readonly Buffer[]) {}

  read(): string[] {
    const strings: string[] = [];
    const count = this.pieces[0]!.length >= 8 ? this.pieces[0]!.readUInt32LE(4) : 0;
    while (strings.length < count && this.hasMore()) strings.push(this.readString());
    return strings;
  }

  private hasMore(): boolean {
    while (this.piece < this.pieces.length && this.at >= this.pieces[this.piece]!.length) {
      this.piece += 1;
      this.at = 0;
    }
    return this.piece < this.pieces.length;
  }

  private readString(): string {
    const length = this.readNumber(2);
    const flags = this.readNumber(1);
    const runs = (flags & RICH) !== 0 ? this.readNumber(2) : 0;
    const extended = (flags & EXTENDED) !== 0 ? this.readNumber(4) : 0;
    const text = this.readCharacters(length, (flags & WIDE) !== 0);
    this.skip(4 * runs + extended);
    return text;
  }

  private readNumber(bytes: number): number {
    let value = 0;
    for (let index = 0; index < bytes; index += 1) {
      if (!this.hasMore()) return 0;
      value += this.pieces[this.piece]![this.at++]! * 256 ** index;
    }
    return value;
  }

  private readCharacters(count: number, wide: boolean): string {
    let isWide = wide;
    let text = '';
    for (let left = count; left > 0;) {
      if (this.at >= (this.pieces[this.piece]?.length ?? 0)) {
        if (!this.hasMore()) break;
        isWide = (this.readNumber(1) & WIDE) !== 0;
      }
      const size = isWide ? 2 : 1;
      const piece = this.pieces[this.piece]!;
      const taken = Math.min(left, Math.floor((piece.length - this.at) / size));
      if (taken === 0) {
        this.at = piece.length;
        continue;
      }
      text += charactersOf(piece.subarray(this.at, this.at + taken * size), isWide);
      this.at += taken * size;
      left -= taken;
    }
    return text;
  }

  private skip(bytes: number): void {
    let left = bytes;
    while (left > 0 && this.hasMore()) {
      const taken = Math.min(left, this.pieces[this.piece]!.length - this.at);
      this.at += taken;
      left -= taken;
    }
  }
}

const charactersOf = (bytes: Buffer, isWide: boolean): string =>
  bytes.toString(isWide ? 'utf16le' : 'latin1');

/** A number in four bytes (MS-XLS 2.5.217). */
function rkOf(rk: number): number {
  const isInteger = (rk & 2) !== 0;
  const bytes = Buffer.alloc(8);
  bytes.writeUInt32LE((rk & ~3) >>> 0, 4);
  const value = isInteger ? rk >> 2 : bytes.readDoubleLE(0);
  return (rk & 1) !== 0 ? value / 100 : value;
}
