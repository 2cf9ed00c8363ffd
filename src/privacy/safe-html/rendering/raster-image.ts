/**
 * The type of a raster image by its first bytes, whatever its label says; null for anything else. SVG is none: it is a
 * document that can load and run things.
 */
export function rasterType(bytes: Buffer): string | null {
  const head = bytes.toString('latin1', 0, 12);
  if (head.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png';
  if (head.startsWith('\xff\xd8\xff')) return 'image/jpeg';
  if (/^GIF8[79]a/.test(head)) return 'image/gif';
  if (/^RIFF.{4}WEBP/s.test(head)) return 'image/webp';
  // A bitmap file names its own header's length, which is one of a few (BITMAPINFOHEADER and its relatives).
  if (head.startsWith('BM') && bytes.length >= 26 && BITMAP_HEADERS.has(bytes.readUInt32LE(14)))
    return 'image/bmp';
  return null;
}

const BITMAP_HEADERS = new Set([12, 16, 40, 52, 56, 64, 108, 124]);
