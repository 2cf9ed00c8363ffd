/** Codepages of the charsets of fonts (`\\fcharset`). 1, the default, and 2, symbols, are those of the document. */
const CODEPAGES: Readonly<Record<number, number>> = {
  0: 1252, 77: 10000, 128: 932, 129: 949, 134: 936, 136: 950, 161: 1253, 162: 1254, 163: 1258, 177: 1255,
  178: 1256, 186: 1257, 204: 1251, 222: 874, 238: 1250, 254: 437, 255: 850,
}; // prettier-ignore

/** The codepage of a font's charset; null: that of the document. */
export const codepageOfFont = (fcharset: number): number | null => CODEPAGES[fcharset] ?? null;

const TWO_BYTES = new Set([932, 936, 949, 950]);

/** Whether the last of some bytes is the first of a character of two. */
export function isUnfinished(bytes: readonly number[], codepage: number): boolean {
  if (bytes.length === 0 || !TWO_BYTES.has(codepage)) return false;
  let isOpen = false;
  for (const byte of bytes) isOpen = !isOpen && isFirst(byte, codepage);
  return isOpen;
}

/** Katakana of one byte lie between the first bytes of Shift JIS. */
const isFirst = (byte: number, codepage: number): boolean =>
  byte >= 0x81 && byte <= 0xfe && !(codepage === 932 && byte >= 0xa0 && byte <= 0xdf);
