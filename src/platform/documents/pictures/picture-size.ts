/** Width and height of a picture in pixels. */
export interface PictureSize {
  readonly width: number;
  readonly height: number;
}

/** Most pages of a TIFF file that are looked at. */
const MAX_PAGES = 1_000;
const PNG = '\x89PNG\r\n\x1a\n';
/** Sizes of the headers that BMP files have had. */
const BMP_HEADERS: ReadonlySet<number> = new Set([40, 52, 56, 64, 108, 124]);
/** Tags of TIFF 6.0. */
const WIDTH_TAG = 256;
const HEIGHT_TAG = 257;
const SHORT = 3;
const TIFF_ENTRY = 12;

/**
 * Reads the sizes of the pages of a picture (PNG, JPEG, GIF, BMP, WebP, TIFF) from its header.
 * @returns none: it is no such picture, or a damaged one
 */
export function pictureSizes(bytes: Buffer): readonly PictureSize[] {
  try {
    const size = sizeOf(bytes);
    return size ? [size] : [...tiffSizes(bytes)];
  } catch (error) {
    // A file that ends within its header is no picture.
    if (error instanceof RangeError) return [];
    throw error;
  }
}

function sizeOf(bytes: Buffer): PictureSize | null {
  const start = bytes.toString('latin1', 0, 12);
  if (start.startsWith(PNG)) return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
  if (/^GIF8[79]a/.test(start)) return { width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) };
  if (start.startsWith('\xff\xd8\xff')) return jpegSize(bytes);
  if (/^RIFF.{4}WEBP$/s.test(start)) return webpSize(bytes);
  if (start.startsWith('BM') && BMP_HEADERS.has(bytes.readUInt32LE(14)))
    return { width: Math.abs(bytes.readInt32LE(18)), height: Math.abs(bytes.readInt32LE(22)) };
  return null;
}

/** The size in the frame header (ITU-T T.81, B.2.2). */
function jpegSize(bytes: Buffer): PictureSize | null {
  for (let at = 2; at + 9 <= bytes.length;) {
    const marker = bytes.readUInt16BE(at);
    const isFrame = marker >= 0xffc0 && marker <= 0xffcf && ![0xffc4, 0xffc8, 0xffcc].includes(marker);
    if (isFrame) return { width: bytes.readUInt16BE(at + 7), height: bytes.readUInt16BE(at + 5) };
    if (marker === 0xffff) at += 1;
    else if (marker < 0xff01) return null;
    else at += 2 + bytes.readUInt16BE(at + 2);
  }
  return null;
}

/** The size in the first chunk (RFC 9649): lossy, lossless or extended. */
function webpSize(bytes: Buffer): PictureSize | null {
  switch (bytes.toString('latin1', 12, 16)) {
    case 'VP8 ':
      return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff };
    case 'VP8L': {
      const bits = bytes.readUInt32LE(21);
      return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
    }
    case 'VP8X':
      return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 };
    default:
      return null;
  }
}

/** The sizes of all pages, each of which has a directory (TIFF 6.0, section 2). */
function* tiffSizes(bytes: Buffer): Generator<PictureSize> {
  const isLittle = bytes.toString('latin1', 0, 4) === 'II*\0';
  if (!isLittle && bytes.toString('latin1', 0, 4) !== 'MM\0*') return;
  const short = (at: number): number => (isLittle ? bytes.readUInt16LE(at) : bytes.readUInt16BE(at));
  const long = (at: number): number => (isLittle ? bytes.readUInt32LE(at) : bytes.readUInt32BE(at));
  const seen = new Set<number>();
  for (let at = long(4); at !== 0 && !seen.has(at) && seen.size < MAX_PAGES;) {
    seen.add(at);
    const entries = short(at);
    const size = { width: 0, height: 0 };
    for (let entry = at + 2; entry < at + 2 + entries * TIFF_ENTRY; entry += TIFF_ENTRY) {
      const value = short(entry + 2) === SHORT ? short(entry + 8) : long(entry + 8);
      if (short(entry) === WIDTH_TAG) size.width = value;
      if (short(entry) === HEIGHT_TAG) size.height = value;
    }
    yield size;
    at = long(at + 2 + entries * TIFF_ENTRY);
  }
}
