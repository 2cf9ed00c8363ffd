import { decodeCharset } from '../charset';

/** First bytes of the format (MS-OXTNEF §2.1.3.1), and the size of the header. */
const SIGNATURE = 0x223e9f78;
const HEADER_BYTES = 6;
const MAX_ATTRIBUTES = 20_000;
const MAX_PROPERTIES = 20_000;

/** Attributes of a message and of its attachments (MS-OXTNEF §2.1.3.2). */
export const ATTRIBUTE = {
  subject: 0x8004,
  body: 0x800c,
  attachData: 0x800f,
  attachTitle: 0x8010,
  attachRendData: 0x9002,
  messageProperties: 0x9003,
  attachProperties: 0x9005,
  codepage: 0x9007,
} as const;

export interface TnefAttribute {
  readonly id: number;
  /** Offset and end of the data in the file. */
  readonly start: number;
  readonly end: number;
}

/** A property (MS-OXCDATA): its type, and where its first value lies in the file. */
export interface TnefProperty {
  readonly type: number;
  readonly start: number;
  readonly end: number;
}

/** Whether a part is a file of Outlook that holds the rest of the message. */
export function isTnef({ mediaType }: { mediaType: string }, filename: string | null): boolean {
  if (/^application\/(?:vnd\.)?ms-tnef$/.test(mediaType)) return true;
  return mediaType === 'application/octet-stream' && /^win(?:mail|dat)\.dat$/i.test(filename ?? '');
}

/** Reads the attributes of a file up to the first that is not whole; null when it is none. */
export function readAttributes(file: Buffer, start: number, end: number): TnefAttribute[] | null {
  if (end - start < HEADER_BYTES || file.readUInt32LE(start) !== SIGNATURE) return null;
  const attributes: TnefAttribute[] = [];
  let pos = start + HEADER_BYTES;
  // Level, id and length before the data, a checksum behind it.
  while (pos + 11 <= end && attributes.length < MAX_ATTRIBUTES) {
    const dataStart = pos + 9;
    const dataEnd = dataStart + file.readUInt32LE(pos + 5);
    if (dataEnd + 2 > end) break;
    attributes.push({ id: file.readUInt16LE(pos + 1), start: dataStart, end: dataEnd });
    pos = dataEnd + 2;
  }
  return attributes;
}

/** Sizes of the types of one size, with what fills them up to four bytes (MS-OXTNEF §2.1.3.4). */
const FIXED: Readonly<Record<number, number>> = {
  0x02: 4, 0x03: 4, 0x04: 4, 0x05: 8, 0x06: 8, 0x07: 8, 0x0a: 4, 0x0b: 4, 0x14: 8, 0x40: 8, 0x48: 16,
}; // prettier-ignore
export const TYPE = { object: 0x0d, string8: 0x1e, unicode: 0x1f, binary: 0x102 } as const;
const VARIABLE: ReadonlySet<number> = new Set(Object.values(TYPE));
const MULTIPLE = 0x1000;
const FIRST_NAMED = 0x8000;

/** Reads properties by their ids, up to the first that is not whole. Named ones are left out. */
export function readProperties(file: Buffer, { start, end }: TnefAttribute): Map<number, TnefProperty> {
  const reader = new PropertyReader(file, start, end);
  return reader.read();
}

class PropertyReader {
  constructor(
    private readonly file: Buffer,
    private pos: number,
    private readonly end: number,
  ) {}

  read(): Map<number, TnefProperty> {
    const properties = new Map<number, TnefProperty>();
    const count = Math.min(this.takeNumber() ?? 0, MAX_PROPERTIES);
    for (let index = 0; index < count && this.pos + 4 <= this.end; index += 1) {
      const type = this.file.readUInt16LE(this.pos);
      const id = this.file.readUInt16LE(this.pos + 2);
      this.pos += 4;
      if (id >= FIRST_NAMED && !this.skipName()) break;
      const value = this.takeValues(type);
      if (value === null) break;
      if (id < FIRST_NAMED && !properties.has(id)) properties.set(id, { type, ...value });
    }
    return properties;
  }

  private takeNumber(): number | null {
    if (this.pos + 4 > this.end) return null;
    this.pos += 4;
    return this.file.readUInt32LE(this.pos - 4);
  }

  /** Skips the set of the property, and its number or name. */
  private skipName(): boolean {
    this.pos += 16;
    const kind = this.takeNumber();
    const length = this.takeNumber();
    if (kind === null || length === null) return false;
    if (kind === 1) this.pos += padded(length);
    return this.pos <= this.end;
  }

  private takeValues(type: number): { start: number; end: number } | null {
    const single = type & ~MULTIPLE;
    const isVariable = VARIABLE.has(single);
    const count = isVariable || (type & MULTIPLE) !== 0 ? this.takeNumber() : 1;
    if (count === null) return null;
    let first: { start: number; end: number } | null = null;
    for (let index = 0; index < count; index += 1) {
      const size = isVariable ? this.takeNumber() : (FIXED[single] ?? null);
      if (size === null || this.pos + size > this.end) return null;
      first ??= { start: this.pos, end: this.pos + size };
      this.pos += padded(size);
    }
    return first ?? { start: this.pos, end: this.pos };
  }
}

const padded = (size: number): number => Math.ceil(size / 4) * 4;

/** The text of a string property, its end mark left out. @param charset of strings that are not Unicode */
export function textOf(file: Buffer, property: TnefProperty | undefined, charset: string): string {
  if (!property) return '';
  const bytes = file.subarray(property.start, property.end);
  if (property.type === TYPE.unicode) return bytes.toString('utf16le').replace(/\0.*$/s, '');
  return property.type === TYPE.string8 ? decodeText(bytes, charset) : '';
}

/** Text in the codepage of the file up to its end mark. */
export function decodeText(bytes: Buffer, charset: string): string {
  const end = bytes.indexOf(0);
  return decodeCharset(end === -1 ? bytes : bytes.subarray(0, end), charset);
}

/** The name of a Windows codepage; UTF-8 is 65001. */
export function charsetOfCodepage(codepage: number): string {
  if (codepage === 65001) return 'utf-8';
  if (codepage === 20127) return 'us-ascii';
  if (codepage >= 28591 && codepage <= 28605) return `iso-8859-${codepage - 28590}`;
  const named: Readonly<Record<number, string>> = {
    437: 'cp437', 850: 'cp850', 10000: 'macintosh', 932: 'shift_jis', 936: 'gb18030', 949: 'cp949', 950: 'big5-hkscs', 20866: 'koi8-r', 21866: 'koi8-u',
    50220: 'iso-2022-jp', 50221: 'iso-2022-jp', 50222: 'iso-2022-jp', 51932: 'euc-jp', 51949: 'cp949', 54936: 'gb18030',
  }; // prettier-ignore
  return named[codepage] ?? `windows-${codepage}`;
}
