/** Compression methods of entries (APPNOTE 4.4.5). */
export const STORED = 0;
export const DEFLATED = 8;

const LOCAL_HEADER = 0x04034b50;
const DESCRIPTOR = 0x08074b50;
const CENTRAL_HEADER = 0x02014b50;
const ZIP64_END = 0x06064b50;
const ZIP64_LOCATOR = 0x07064b50;
const END = 0x06054b50;

const LOCAL_HEADER_BYTES = 30;
const CENTRAL_HEADER_BYTES = 46;
const ZIP64_EXTRA_ID = 1;
const ZIP64_EXTRA_BYTES = 28;
const ZIP64_END_BYTES = 56;
const ZIP64_LOCATOR_BYTES = 20;
const END_BYTES = 22;

/** Flag: CRC and sizes follow the bytes. */
const HAS_DESCRIPTOR = 1 << 3;
/** Flag: the name is UTF-8. */
const UTF8 = 1 << 11;
const NEEDS_DEFLATE = 20;
const NEEDS_ZIP64 = 45;
/** Field "version made by": Unix, version 4.5, so that the attributes hold the mode of the file. */
const MADE_BY = (3 << 8) | NEEDS_ZIP64;
/** Mode of a regular file that its owner may write. */
const UNIX_MODE = 0o100644;

/** Values of fields of 16 and 32 bits that refer to the Zip64 fields for the number. */
const MAX_16 = 0xffff;
const MAX_32 = 0xffffffff;
/** Years that a DOS date can hold: it has seven bits for the year. */
const DOS_YEARS = { first: 1980, last: 2107 };

/** An entry before its bytes are known. */
export interface ZipEntryStart {
  /** Name with `/` between folders. */
  readonly name: string;
  readonly date: Date;
  readonly method: typeof STORED | typeof DEFLATED;
}

/** The bytes of an entry. */
export interface ZipEntryBytes {
  /** CRC-32 of the plain bytes. */
  readonly crc: number;
  /** Number of plain bytes. */
  readonly size: number;
  /** Number of bytes in the ZIP. */
  readonly compressedSize: number;
}

/** An entry that is in the ZIP. */
export interface ZipEntry extends ZipEntryStart, ZipEntryBytes {
  /** Offset of the local header in the ZIP. */
  readonly offset: number;
  readonly hasDescriptor: boolean;
}

/**
 * The local header, which precedes the bytes of an entry (APPNOTE 4.3.7).
 * @param bytes null when they are not known yet: a descriptor has to follow them
 */
export function localHeader(entry: ZipEntryStart, bytes: ZipEntryBytes | null): Buffer {
  const name = Buffer.from(entry.name);
  const header = Buffer.alloc(LOCAL_HEADER_BYTES + name.length);
  header.writeUInt32LE(LOCAL_HEADER, 0);
  header.writeUInt16LE(NEEDS_DEFLATE, 4);
  writeCommon(header, 6, { ...entry, ...(bytes ?? { crc: 0, size: 0, compressedSize: 0 }) }, bytes === null);
  header.writeUInt16LE(name.length, 26);
  name.copy(header, LOCAL_HEADER_BYTES);
  return header;
}

/** The data descriptor, which follows the bytes of an entry whose header was written before they were known (APPNOTE 4.3.9). */
export function descriptor({ crc, size, compressedSize }: ZipEntryBytes): Buffer {
  const isLong = size > MAX_32 || compressedSize > MAX_32;
  const bytes = Buffer.alloc(isLong ? 24 : 16);
  bytes.writeUInt32LE(DESCRIPTOR, 0);
  bytes.writeUInt32LE(crc, 4);
  if (isLong) {
    bytes.writeBigUInt64LE(BigInt(compressedSize), 8);
    bytes.writeBigUInt64LE(BigInt(size), 16);
  } else {
    bytes.writeUInt32LE(compressedSize, 8);
    bytes.writeUInt32LE(size, 12);
  }
  return bytes;
}

/**
 * The end of a ZIP: a header for each entry and the records that lead to them, in Zip64 where numbers need it (APPNOTE
 * 4.3.12 to 4.3.16).
 * @param offset of the central directory in the ZIP
 */
export function centralDirectory(entries: readonly ZipEntry[], offset: number): Buffer {
  const headers = Buffer.concat(entries.map(centralHeader));
  return Buffer.concat([headers, endRecords(entries.length, headers.length, offset)]);
}

function centralHeader(entry: ZipEntry): Buffer {
  const name = Buffer.from(entry.name);
  const isZip64 = entry.size >= MAX_32 || entry.compressedSize >= MAX_32 || entry.offset >= MAX_32;
  const header = Buffer.alloc(CENTRAL_HEADER_BYTES + name.length + (isZip64 ? ZIP64_EXTRA_BYTES : 0));
  header.writeUInt32LE(CENTRAL_HEADER, 0);
  header.writeUInt16LE(MADE_BY, 4);
  header.writeUInt16LE(isZip64 ? NEEDS_ZIP64 : NEEDS_DEFLATE, 6);
  const sizes = isZip64 ? { size: MAX_32, compressedSize: MAX_32 } : {};
  writeCommon(header, 8, { ...entry, ...sizes }, entry.hasDescriptor);
  header.writeUInt16LE(name.length, 28);
  header.writeUInt32LE(UNIX_MODE * 2 ** 16, 38);
  header.writeUInt32LE(isZip64 ? MAX_32 : entry.offset, 42);
  const end = CENTRAL_HEADER_BYTES + name.copy(header, CENTRAL_HEADER_BYTES);
  if (!isZip64) return header;
  header.writeUInt16LE(ZIP64_EXTRA_BYTES, 30);
  header.writeUInt16LE(ZIP64_EXTRA_ID, end);
  header.writeUInt16LE(ZIP64_EXTRA_BYTES - 4, end + 2);
  header.writeBigUInt64LE(BigInt(entry.size), end + 4);
  header.writeBigUInt64LE(BigInt(entry.compressedSize), end + 12);
  header.writeBigUInt64LE(BigInt(entry.offset), end + 20);
  return header;
}

/** The fields from the flags to the sizes, which local and central headers have in common. */
function writeCommon(
  header: Buffer,
  at: number,
  { name, date, method, crc, size, compressedSize }: ZipEntryStart & ZipEntryBytes,
  hasDescriptor: boolean,
): void {
  const isAscii = /^[\x20-\x7e]*$/.test(name);
  header.writeUInt16LE((hasDescriptor ? HAS_DESCRIPTOR : 0) | (isAscii ? 0 : UTF8), at);
  header.writeUInt16LE(method, at + 2);
  header.writeUInt32LE(dosTime(date), at + 4);
  header.writeUInt32LE(crc, at + 8);
  header.writeUInt32LE(compressedSize, at + 12);
  header.writeUInt32LE(size, at + 16);
}

function endRecords(count: number, bytes: number, offset: number): Buffer {
  const isZip64 = count >= MAX_16 || bytes >= MAX_32 || offset >= MAX_32;
  const end = Buffer.alloc(END_BYTES);
  end.writeUInt32LE(END, 0);
  end.writeUInt16LE(Math.min(count, MAX_16), 8);
  end.writeUInt16LE(Math.min(count, MAX_16), 10);
  end.writeUInt32LE(Math.min(bytes, MAX_32), 12);
  end.writeUInt32LE(Math.min(offset, MAX_32), 16);
  return isZip64 ? Buffer.concat([zip64End(count, bytes, offset), end]) : end;
}

function zip64End(count: number, bytes: number, offset: number): Buffer {
  const records = Buffer.alloc(ZIP64_END_BYTES + ZIP64_LOCATOR_BYTES);
  records.writeUInt32LE(ZIP64_END, 0);
  // The size excludes the signature and this field.
  records.writeBigUInt64LE(BigInt(ZIP64_END_BYTES - 12), 4);
  records.writeUInt16LE(MADE_BY, 12);
  records.writeUInt16LE(NEEDS_ZIP64, 14);
  records.writeBigUInt64LE(BigInt(count), 24);
  records.writeBigUInt64LE(BigInt(count), 32);
  records.writeBigUInt64LE(BigInt(bytes), 40);
  records.writeBigUInt64LE(BigInt(offset), 48);
  records.writeUInt32LE(ZIP64_LOCATOR, ZIP64_END_BYTES);
  records.writeBigUInt64LE(BigInt(offset + bytes), ZIP64_END_BYTES + 8);
  records.writeUInt32LE(1, ZIP64_END_BYTES + 16);
  return records;
}

/** Date and time in UTC with two seconds' precision, the time in the lower half. Dates out of range become the nearest one. */
function dosTime(date: Date): number {
  const year = date.getUTCFullYear();
  if (!(year >= DOS_YEARS.first)) return ((1 << 5) | 1) << 16;
  if (year > DOS_YEARS.last) return dosTime(new Date(Date.UTC(DOS_YEARS.last, 11, 31, 23, 59, 58)));
  const day = ((year - DOS_YEARS.first) << 9) | ((date.getUTCMonth() + 1) << 5) | date.getUTCDate();
  const time = (date.getUTCHours() << 11) | (date.getUTCMinutes() << 5) | (date.getUTCSeconds() >> 1);
  return day * 2 ** 16 + time;
}
