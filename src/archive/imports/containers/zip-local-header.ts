import type { ReadAhead } from './read-ahead';
import { zipName } from './zip-archive';
import type { ZipEntryBytes } from './zip-entries';

/** Signature of the header before an entry (APPNOTE.TXT 4.3.7). */
export const LOCAL_HEADER = Buffer.from('504b0304', 'hex');
const HEADER_BYTES = 30;
/** Largest version of the format, in tenths, that a header may ask for. */
const MAX_VERSION = 100;
/** Longest name, and greatest number of a compression: others are no headers. */
const MAX_NAME = 16_384;
const MAX_METHOD = 99;
const ZIP64_EXTRA = 1;
const IN_ZIP64 = 0xffffffff;
/** Records behind the entries: of the directory, its end, with ZIP64, signatures, archives in parts. */
const OTHER_RECORDS = ['504b0102', '504b0506', '504b0606', '504b0607', '504b0505', '504b0608'];
const DESCRIPTOR = 0x08074b50;

/** The header before an entry. */
export interface LocalHeader {
  readonly name: string;
  readonly method: number;
  readonly isEncrypted: boolean;
  readonly dataStart: number;
  /** Whether sizes and checksum follow the entry. */
  readonly hasDescriptor: boolean;
  /** null: they follow the entry. */
  readonly sizes: ZipEntryBytes | null;
}

/** Reads the header at an offset. @returns null when there is none */
export async function readLocalHeader(bytes: ReadAhead, at: number): Promise<LocalHeader | null> {
  const header = await bytes.readAt(at, HEADER_BYTES);
  if (header.length < HEADER_BYTES || !header.subarray(0, 4).equals(LOCAL_HEADER)) return null;
  const nameLength = header.readUInt16LE(26);
  const extraLength = header.readUInt16LE(28);
  if ((header.readUInt16LE(4) & 0xff) > MAX_VERSION || header.readUInt16LE(8) > MAX_METHOD) return null;
  if (nameLength === 0 || nameLength > MAX_NAME) return null;
  const rest = await bytes.readAt(at + HEADER_BYTES, nameLength + extraLength);
  if (rest.length < nameLength + extraLength) return null;
  const flags = header.readUInt16LE(6);
  const extraFields = extraFieldsIn(rest.subarray(nameLength));
  const hasDescriptor = (flags & 8) !== 0;
  const stated = {
    crc32: header.readUInt32LE(14),
    compressedSize: header.readUInt32LE(18),
    uncompressedSize: header.readUInt32LE(22),
  };
  const sizes = withZip64(stated, extraFields);
  return {
    name: zipName({ generalPurposeBitFlag: flags, fileNameRaw: rest.subarray(0, nameLength), extraFields }),
    method: header.readUInt16LE(8),
    isEncrypted: (flags & 1) !== 0,
    dataStart: at + HEADER_BYTES + nameLength + extraLength,
    hasDescriptor,
    sizes: hasDescriptor && (sizes === null || sizes.compressedSize === 0) ? null : (sizes ?? stated),
  };
}

/** Whether one of the records that stand behind all entries begins at an offset. */
export async function isOtherRecord(bytes: ReadAhead, at: number): Promise<boolean> {
  return OTHER_RECORDS.includes((await bytes.readAt(at, 4)).toString('hex'));
}

/** Offset behind the descriptor that follows an entry: with and without signature, with sizes of 4 and 8 bytes. */
export async function descriptorEnd(bytes: ReadAhead, at: number): Promise<number> {
  const start = await bytes.readAt(at, 4);
  const isSigned = start.length === 4 && start.readUInt32LE(0) === DESCRIPTOR;
  for (const length of isSigned ? [16, 24] : [12, 20]) {
    const next = (await bytes.readAt(at + length, 4)).toString('hex');
    if (next === LOCAL_HEADER.toString('hex') || OTHER_RECORDS.includes(next)) return at + length;
  }
  return at + (isSigned ? 16 : 0);
}

function extraFieldsIn(bytes: Buffer): { id: number; data: Buffer }[] {
  const fields: { id: number; data: Buffer }[] = [];
  for (let at = 0; at + 4 <= bytes.length;) {
    const end = at + 4 + bytes.readUInt16LE(at + 2);
    if (end > bytes.length) break;
    fields.push({ id: bytes.readUInt16LE(at), data: bytes.subarray(at + 4, end) });
    at = end;
  }
  return fields;
}

/** The sizes with those of ZIP64. @returns null when they are not stated */
function withZip64(
  stated: ZipEntryBytes,
  extraFields: readonly { id: number; data: Buffer }[],
): ZipEntryBytes | null {
  const isLarge = (size: number): boolean => size === IN_ZIP64;
  if (!isLarge(stated.compressedSize) && !isLarge(stated.uncompressedSize)) return stated;
  const field = extraFields.find(({ id }) => id === ZIP64_EXTRA)?.data;
  // A local header has both sizes (APPNOTE.TXT 4.5.3).
  if (!field || field.length < 16) return null;
  const sizes = [field.readBigUInt64LE(0), field.readBigUInt64LE(8)].map(Number);
  if (!sizes.every(Number.isSafeInteger)) return null;
  return { crc32: stated.crc32, uncompressedSize: sizes[0]!, compressedSize: sizes[1]! };
}
