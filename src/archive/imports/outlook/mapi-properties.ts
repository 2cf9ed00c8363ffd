import { decode, encodingExists } from 'iconv-lite';

/** Identifiers of the MAPI properties that a message is rebuilt from (MS-OXPROPS). */
export const PROPERTY = {
  importance: 0x0017,
  messageClass: 0x001a,
  priority: 0x0026,
  sensitivity: 0x0036,
  subject: 0x0037,
  clientSubmitTime: 0x0039,
  sentRepresentingName: 0x0042,
  sentRepresentingAddressType: 0x0064,
  sentRepresentingEmail: 0x0065,
  conversationTopic: 0x0070,
  conversationIndex: 0x0071,
  transportHeaders: 0x007d,
  recipientType: 0x0c15,
  senderName: 0x0c1a,
  senderAddressType: 0x0c1e,
  senderEmail: 0x0c1f,
  displayBcc: 0x0e02,
  displayCc: 0x0e03,
  displayTo: 0x0e04,
  messageDeliveryTime: 0x0e06,
  messageFlags: 0x0e07,
  normalizedSubject: 0x0e1d,
  body: 0x1000,
  rtfCompressed: 0x1009,
  html: 0x1013,
  internetMessageId: 0x1035,
  internetReferences: 0x1039,
  inReplyTo: 0x1042,
  lastVerb: 0x1081,
  flagStatus: 0x1090,
  displayName: 0x3001,
  addressType: 0x3002,
  emailAddress: 0x3003,
  creationTime: 0x3007,
  lastModificationTime: 0x3008,
  attachData: 0x3701,
  attachFilename: 0x3704,
  attachMethod: 0x3705,
  attachLongFilename: 0x3707,
  attachMimeTag: 0x370e,
  attachContentId: 0x3712,
  attachContentLocation: 0x3713,
  attachFlags: 0x3714,
  smtpAddress: 0x39fe,
  internetCodepage: 0x3fde,
  messageCodepage: 0x3ffd,
  senderSmtp: 0x5d01,
  sentRepresentingSmtp: 0x5d02,
  recipientDisplayName: 0x5ff6,
  attachmentHidden: 0x7ffe,
  startDate: 0x0060,
  endDate: 0x0061,
  // Named properties, by the identifiers of `named-properties.ts`.
  meetingSequence: 0xf001,
  meetingLocation: 0xf002,
  meetingStart: 0xf003,
  meetingEnd: 0xf004,
  meetingIsAllDay: 0xf005,
  meetingIsSeries: 0xf006,
  meetingId: 0xf007,
  meetingCleanId: 0xf008,
  keywords: 0xf009,
} as const;

type PropertyName = keyof typeof PROPERTY;

/** Types of property values (MS-OXCDATA 2.11.1). */
const TYPE = {
  int16: 0x0002,
  int32: 0x0003,
  boolean: 0x000b,
  string8: 0x001e,
  unicode: 0x001f,
  time: 0x0040,
};
const TYPE_BINARY = 0x0102;
/** Bit of types with several values. */
export const SEVERAL = 0x1000;
/** Type of PR_ATTACH_DATA_OBJ: an embedded message or an OLE object. */
export const TYPE_OBJECT = 0x000d;

const DEFAULT_CODEPAGE = 1252;
const UTF8_CODEPAGE = 65_001;
/** Codepages whose names are not `windows-` or `cp` and their number. */
const CODEPAGES: Readonly<Record<number, string>> = {
  932: 'shift_jis',
  936: 'gb18030',
  949: 'cp949',
  950: 'big5',
  10_000: 'macroman',
  20_127: 'ascii',
  20_866: 'koi8-r',
  21_866: 'koi8-u',
  28_591: 'iso-8859-1',
  28_592: 'iso-8859-2',
  28_593: 'iso-8859-3',
  28_594: 'iso-8859-4',
  28_595: 'iso-8859-5',
  28_596: 'iso-8859-6',
  28_597: 'iso-8859-7',
  28_598: 'iso-8859-8',
  28_599: 'iso-8859-9',
  28_603: 'iso-8859-13',
  28_605: 'iso-8859-15',
  50_220: 'iso-2022-jp',
  50_221: 'iso-2022-jp',
  50_222: 'iso-2022-jp',
  51_932: 'euc-jp',
  51_949: 'euc-kr',
  52_936: 'gb2312',
  54_936: 'gb18030',
  [UTF8_CODEPAGE]: 'utf-8',
};

/** The name of a Windows codepage as charset of MIME, if its bytes can be decoded. */
export function charsetOfCodepage(codepage: number): string | null {
  const name =
    CODEPAGES[codepage] ?? (codepage >= 1250 && codepage <= 1258 ? `windows-${codepage}` : `cp${codepage}`);
  return encodingExists(name) ? name : null;
}

/** Decodes bytes of a codepage; of an unknown one as windows-1252. */
export const decodeCodepage = (bytes: Buffer, codepage: number): string =>
  decode(bytes, charsetOfCodepage(codepage) ?? `windows-${DEFAULT_CODEPAGE}`);

const FILETIME_EPOCH = 11_644_473_600_000n;

/** The instant of a FILETIME: 100 ns since 1601. @returns null for one that no date can hold, and for none (0) */
function timeOf(value: bigint): Date | null {
  const time = Number(value / 10_000n - FILETIME_EPOCH);
  return value === 0n || Math.abs(time) > 8.64e15 ? null : new Date(time);
}

/** A property as it is stored. */
interface StoredProperty {
  readonly type: number;
  readonly data: Buffer;
}

/** The properties of a message, recipient or attachment. Values of the wrong type count as missing. */
export class MapiProperties {
  private readonly stored = new Map<number, StoredProperty>();
  /** Codepage of strings that are not Unicode. */
  codepage = DEFAULT_CODEPAGE;

  /** @param tag identifier in the upper, type in the lower 16 bits. The first value of a property counts. */
  add(tag: number, data: Buffer): void {
    const id = tag >>> 16;
    const known = this.stored.get(id);
    const type = tag & 0xffff;
    // Unicode wins over the same text in a codepage.
    if (!known || (known.type === TYPE.string8 && type === TYPE.unicode)) this.stored.set(id, { type, data });
  }

  has(name: PropertyName): boolean {
    return this.stored.has(PROPERTY[name]);
  }

  typeOf(name: PropertyName): number | null {
    return this.stored.get(PROPERTY[name])?.type ?? null;
  }

  readNumber(name: PropertyName): number | null {
    const value = this.stored.get(PROPERTY[name]);
    if (value?.type === TYPE.int32 && value.data.length >= 4) return value.data.readInt32LE(0);
    if (value?.type === TYPE.int16 && value.data.length >= 2) return value.data.readInt16LE(0);
    return null;
  }

  readBoolean(name: PropertyName): boolean {
    const value = this.stored.get(PROPERTY[name]);
    return value?.type === TYPE.boolean && value.data[0] === 1;
  }

  readTime(name: PropertyName): Date | null {
    const value = this.stored.get(PROPERTY[name]);
    return value?.type === TYPE.time && value.data.length >= 8 ? timeOf(value.data.readBigInt64LE(0)) : null;
  }

  /** A text, up to its first NUL. @returns null when there is none */
  readText(name: PropertyName): string | null {
    const value = this.stored.get(PROPERTY[name]);
    return value ? this.decode(value) : null;
  }

  private decode({ type, data }: StoredProperty): string | null {
    let text: string;
    if (type === TYPE.unicode) text = data.toString('utf16le');
    else if (type === TYPE.string8) text = decodeCodepage(data, this.codepage);
    else return null;
    const end = text.indexOf('\0');
    // Halves of characters, as damage leaves them, cannot be written as UTF-8.
    return (end === -1 ? text : text.slice(0, end)).replace(/\p{Cs}/gu, '\ufffd');
  }

  /** The texts of a property with several values, at most `max`, each up to its first NUL. */
  readTexts(name: PropertyName, max: number): string[] {
    const value = this.stored.get(PROPERTY[name]);
    if (!value) return [];
    const values = value.type & SEVERAL ? splitValues(value.data, max) : [value.data];
    return values.map((data) => this.decode({ type: value.type & ~SEVERAL, data }) ?? '');
  }

  readBytes(name: PropertyName): Buffer | null {
    const value = this.stored.get(PROPERTY[name]);
    return value?.type === TYPE_BINARY ? value.data : null;
  }
}

/** Several values as data files keep them: their number, where each begins, and the values (MS-PST 2.3.3.4.2). */
export function joinValues(values: readonly Buffer[]): Buffer {
  const head = Buffer.alloc(4 + 4 * values.length);
  head.writeUInt32LE(values.length, 0);
  let at = head.length;
  for (const [index, value] of values.entries()) {
    head.writeUInt32LE(at, 4 + 4 * index);
    at += value.length;
  }
  return Buffer.concat([head, ...values]);
}

/** @returns the values up to the first that is damaged */
function splitValues(data: Buffer, max: number): Buffer[] {
  const count = data.length >= 4 ? Math.min(data.readUInt32LE(0), Math.floor((data.length - 4) / 4)) : 0;
  const startOf = (index: number): number => (index < count ? data.readUInt32LE(4 + 4 * index) : data.length);
  const values: Buffer[] = [];
  for (let index = 0; index < Math.min(count, max); index += 1) {
    const [start, end] = [startOf(index), startOf(index + 1)];
    if (start < 4 + 4 * count || end < start || end > data.length) break;
    values.push(data.subarray(start, end));
  }
  return values;
}
