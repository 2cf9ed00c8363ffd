import { utils, write } from 'cfb';

/** A value as it stands in a `.msg` file: its property tag, and bytes for a stream or a number for the fixed part. */
type Value = readonly [tag: number, value: string | readonly string[] | Buffer | number | bigint | boolean];

export interface MsgAttachment {
  readonly values: readonly Value[];
  readonly message?: MsgContent;
}

/** A property with a name: GUID of its set as stored, its number or text there, and its type. */
type NamedValue = readonly [set: string, name: number | string, type: number, value: Value[1]];

export interface MsgContent {
  readonly values: readonly Value[];
  readonly named?: readonly NamedValue[];
  readonly recipients?: readonly (readonly Value[])[];
  readonly attachments?: readonly MsgAttachment[];
}

/** Property tags: identifier and type. */
export const TAG = {
  messageClass: 0x001a001f,
  subject: 0x0037001f,
  subject8: 0x0037001e,
  clientSubmitTime: 0x00390040,
  sentRepresentingName: 0x0042001f,
  sentRepresentingEmail: 0x0065001f,
  sentRepresentingAddressType: 0x0064001f,
  transportHeaders: 0x007d001f,
  recipientType: 0x0c150003,
  deliveryTime: 0x0e060040,
  messageFlags: 0x0e070003,
  body: 0x1000001f,
  body8: 0x1000001e,
  rtfCompressed: 0x10090102,
  html: 0x10130102,
  internetMessageId: 0x1035001f,
  lastVerb: 0x10810003,
  flagStatus: 0x10900003,
  displayName: 0x3001001f,
  addressType: 0x3002001f,
  emailAddress: 0x3003001f,
  attachData: 0x37010102,
  attachMethod: 0x37050003,
  attachLongFilename: 0x3707001f,
  attachMimeTag: 0x370e001f,
  attachContentId: 0x3712001f,
  smtpAddress: 0x39fe001f,
  internetCodepage: 0x3fde0003,
  messageCodepage: 0x3ffd0003,
} as const;

/** PS_PUBLIC_STRINGS, the set that files do not list. */
export const PUBLIC_STRINGS = '2903020000000000c000000000000046';

/** A FILETIME. */
export const fileTime = (date: string): bigint => (BigInt(Date.parse(date)) + 11_644_473_600_000n) * 10_000n;

/** The bytes of a `.msg` file (MS-OXMSG), written by an independent library. */
export function msgFile(content: MsgContent): Buffer {
  const container = utils.cfb_new();
  const add = (path: string, bytes: Buffer): void => void utils.cfb_add(container, path, bytes);
  const { named = [] } = content;
  const values = named.map(([, , type, value], index): Value => [(0x8000 + index) * 0x10000 + type, value]);
  addMessage(add, '', { ...content, values: [...content.values, ...values] }, 32);
  addNames(add, named);
  return Buffer.from(write(container, { type: 'buffer', fileType: 'cfb' }) as Buffer);
}

/** The sets of named properties, and which property of the file has which name (MS-OXMSG 2.2.3). */
function addNames(add: Add, named: readonly NamedValue[]): void {
  const sets = [...new Set(named.map(([set]) => set))].filter((set) => set !== PUBLIC_STRINGS);
  const numberOf = (set: string): number => (set === PUBLIC_STRINGS ? 2 : sets.indexOf(set) + 3);
  const texts: Buffer[] = [];
  const entries = named.map(([set, name], index) => {
    const entry = Buffer.alloc(8);
    const start = Buffer.concat(texts).length;
    entry.writeUInt32LE(typeof name === 'string' ? start : name, 0);
    if (typeof name === 'string') texts.push(namedText(name));
    entry.writeUInt16LE((numberOf(set) << 1) | Number(typeof name === 'string'), 4);
    entry.writeUInt16LE(index, 6);
    return entry;
  });
  add('/__nameid_version1.0/__substg1.0_00020102', Buffer.concat(sets.map((set) => Buffer.from(set, 'hex'))));
  add('/__nameid_version1.0/__substg1.0_00030102', Buffer.concat(entries));
  add('/__nameid_version1.0/__substg1.0_00040102', Buffer.concat(texts));
}

/** A text in the stream of texts: its length, UTF-16, and bytes up to a multiple of four. */
function namedText(name: string): Buffer {
  const text = Buffer.from(name, 'utf16le');
  const bytes = Buffer.alloc(4 + Math.ceil(text.length / 4) * 4);
  bytes.writeUInt32LE(text.length, 0);
  text.copy(bytes, 4);
  return bytes;
}

type Add = (path: string, bytes: Buffer) => void;

function addMessage(add: Add, at: string, content: MsgContent, header: number): void {
  const { values, recipients = [], attachments = [] } = content;
  addValues(add, at, values, header);
  for (const [index, recipient] of recipients.entries())
    addValues(add, `${at}/__recip_version1.0_#${numbered(index)}`, recipient, 8);
  for (const [index, { values: own, message }] of attachments.entries()) {
    const path = `${at}/__attach_version1.0_#${numbered(index)}`;
    addValues(add, path, own, 8);
    if (message) addMessage(add, `${path}/__substg1.0_3701000D`, message, 24);
  }
}

function addValues(add: Add, at: string, values: readonly Value[], header: number): void {
  const fixed = [Buffer.alloc(header)];
  for (const [tag, value] of values) {
    const entry = Buffer.alloc(16);
    entry.writeUInt32LE(tag, 0);
    entry.writeUInt32LE(6, 4);
    if (typeof value === 'bigint') entry.writeBigInt64LE(value, 8);
    else if (typeof value === 'number') entry.writeInt32LE(value, 8);
    else if (typeof value === 'boolean') entry.writeUInt8(Number(value), 8);
    else if (Array.isArray(value)) addSeveral(add, `${at}/${streamOf(tag)}`, value as readonly string[], tag);
    else {
      const bytes = Buffer.isBuffer(value)
        ? value
        : Buffer.from(value as string, (tag & 0xffff) === 0x1f ? 'utf16le' : 'latin1');
      entry.writeUInt32LE(bytes.length, 8);
      add(`${at}/${streamOf(tag)}`, bytes);
    }
    fixed.push(entry);
  }
  add(`${at}/__properties_version1.0`, Buffer.concat(fixed));
}

/** Texts: a stream of their lengths, and one for each. */
function addSeveral(add: Add, path: string, texts: readonly string[], tag: number): void {
  const encoding = (tag & 0xfff) === 0x1f ? 'utf16le' : 'latin1';
  const values = texts.map((text) => Buffer.from(`${text}\0`, encoding));
  const lengths = Buffer.alloc(4 * values.length);
  for (const [index, { length }] of values.entries()) lengths.writeUInt32LE(length, 4 * index);
  add(path, lengths);
  for (const [index, value] of values.entries()) add(`${path}-${numbered(index)}`, value);
}

const streamOf = (tag: number): string => `__substg1.0_${tag.toString(16).padStart(8, '0').toUpperCase()}`;

const numbered = (index: number): string => index.toString(16).padStart(8, '0').toUpperCase();
