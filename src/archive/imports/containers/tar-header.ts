/** Size of a header, and unit of everything in an archive. */
export const TAR_BLOCK = 512;

/** The header of a member (POSIX.1-1988 ustar, GNU, V7), as far as it is needed. */
export interface TarHeader {
  readonly name: string;
  readonly size: number;
  /** `extension`: its body belongs to the header of the next member. */
  readonly type: 'file' | 'directory' | 'sparse' | 'other' | 'pax' | 'longName' | 'extension';
}

const NAME = { at: 0, length: 100 };
const SIZE = { at: 124, length: 12 };
const CHECKSUM = { at: 148, length: 8 };
const TYPE = 156;
const MAGIC = { at: 257, ustar: 'ustar\0' };
const PREFIX = { at: 345, length: 155 };
const SPACE = 0x20;
/** First bits of a number in base 256, with which GNU tar writes sizes from 8 GiB on. */
const BASE_256 = 0x80;

/** Types by their flag. Unknown ones are files (POSIX: "treated as regular files"). */
const TYPES: Readonly<Record<string, TarHeader['type']>> = {
  '1': 'other', '2': 'other', '3': 'other', '4': 'other', '5': 'directory', '6': 'other',
  D: 'directory', S: 'sparse', x: 'pax', X: 'pax', g: 'extension', L: 'longName', K: 'extension', V: 'other', M: 'other',
}; // prettier-ignore

/** Reads a block. @returns null for an empty block, `damaged` for one that is no header */
export function readTarHeader(block: Buffer): TarHeader | 'damaged' | null {
  const sum = checksumOf(block);
  // An empty block has nothing but the checksum's field, which counts as spaces.
  if (sum === CHECKSUM.length * SPACE) return null;
  if (sum !== numberAt(block, CHECKSUM)) return 'damaged';
  const size = numberAt(block, SIZE);
  if (!Number.isSafeInteger(size) || size < 0) return 'damaged';
  const prefix =
    block.toString('latin1', MAGIC.at, MAGIC.at + 6) === MAGIC.ustar ? textAt(block, PREFIX) : '';
  const own = textAt(block, NAME);
  const name = prefix === '' ? own : `${prefix}/${own}`;
  const flag = String.fromCharCode(block[TYPE]!);
  const type = TYPES[flag] ?? (name.endsWith('/') ? 'directory' : 'file');
  return { name, type, size: hasBody(type, flag) ? size : 0 };
}

/** Whether bytes follow the header. Links may state the size of what they point to. */
const hasBody = (type: TarHeader['type'], flag: string): boolean =>
  type !== 'directory' && (type !== 'other' || flag === 'V' || flag === 'M');

/** The records of an extended header of pax: `length key=value`. Stops at one that is damaged. */
export function readPaxRecords(body: Buffer): ReadonlyMap<string, string> {
  const records = new Map<string, string>();
  for (let at = 0; at < body.length;) {
    const space = body.indexOf(SPACE, at);
    const length = Number(body.toString('latin1', at, space === -1 ? at : space));
    if (!Number.isSafeInteger(length) || length <= 0 || at + length > body.length) break;
    const record = body.toString('utf8', space + 1, at + length - 1);
    const equals = record.indexOf('=');
    if (equals > 0) records.set(record.slice(0, equals), record.slice(equals + 1));
    at += length;
  }
  return records;
}

/** The body of a GNU header with a long name. */
export const readLongName = (body: Buffer): string => textAt(body, { at: 0, length: body.length });

function checksumOf(block: Buffer): number {
  let sum = CHECKSUM.length * SPACE;
  for (let at = 0; at < TAR_BLOCK; at++) {
    if (at < CHECKSUM.at || at >= CHECKSUM.at + CHECKSUM.length) sum += block[at]!;
  }
  return sum;
}

function textAt(bytes: Buffer, { at, length }: { at: number; length: number }): string {
  const end = bytes.indexOf(0, at);
  const field = bytes.subarray(at, end === -1 || end > at + length ? at + length : end);
  const text = field.toString('utf8');
  // Old programs write names in the encoding of their system.
  return text.includes('\ufffd') ? field.toString('latin1') : text;
}

function numberAt(block: Buffer, { at, length }: { at: number; length: number }): number {
  if (block[at]! & BASE_256) {
    let value = block[at]! & 0x3f;
    for (let next = at + 1; next < at + length; next++) value = value * 256 + block[next]!;
    return value;
  }
  const text = block
    .toString('latin1', at, at + length)
    .replace(/\0.*$/s, '')
    .trim();
  if (text === '') return 0;
  return /^[0-7]+$/.test(text) ? parseInt(text, 8) : NaN;
}
