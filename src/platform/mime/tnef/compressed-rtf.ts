/** Bytes with which the dictionary of every file begins (MS-OXRTFCP §2.1.2.1). */
const DICTIONARY = Buffer.from(
  '{\\rtf1\\ansi\\mac\\deff0\\deftab720{\\fonttbl;}{\\f0\\fnil \\froman \\fswiss \\fmodern \\fscript \\fdecor MS Sans SerifSymbolArialTimes New RomanCourier{\\colortbl\\red0\\green0\\blue0\r\n\\par \\pard\\plain\\f0\\fs20\\b\\i\\u\\tab\\tx',
);
const COMPRESSED = 0x75465a4c;
const UNCOMPRESSED = 0x414c454d;
const HEADER_BYTES = 16;
const WINDOW = 4_096;
const MAX_RTF_BYTES = 32 * 1024 * 1024;
/** A reference of two bytes stands for 17 at most: text cannot be longer in proportion. */
const MAX_RATIO = 9;

/**
 * Decompresses RTF of Outlook (MS-OXRTFCP), at most 32 MiB. Bytes that end too early or point into nothing end the text. Null when
 * it is none. The published libraries believe the length in the header: a file of 40 bytes ends the process.
 */
export function decompressRtf(bytes: Buffer): Buffer | null {
  if (bytes.length < HEADER_BYTES) return null;
  const kind = bytes.readUInt32LE(8);
  const size = Math.min(bytes.readUInt32LE(4), MAX_RTF_BYTES, bytes.length * MAX_RATIO);
  if (kind === UNCOMPRESSED) return bytes.subarray(HEADER_BYTES, HEADER_BYTES + size);
  return kind === COMPRESSED ? expand(bytes, size) : null;
}

function expand(bytes: Buffer, size: number): Buffer {
  const window = Buffer.alloc(WINDOW, ' ');
  DICTIONARY.copy(window);
  let writeAt = DICTIONARY.length;
  const text = Buffer.alloc(size);
  let length = 0;
  const put = (byte: number): void => {
    window[writeAt] = byte;
    writeAt = (writeAt + 1) % WINDOW;
    if (length < size) text[length++] = byte;
  };
  for (let pos = HEADER_BYTES; pos < bytes.length && length < size;) {
    const control = bytes[pos++] as number;
    for (let bit = 0; bit < 8 && pos < bytes.length; bit += 1) {
      if ((control & (1 << bit)) === 0) {
        put(bytes[pos++] as number);
        continue;
      }
      if (pos + 2 > bytes.length) return text.subarray(0, length);
      const reference = bytes.readUInt16BE(pos);
      pos += 2;
      const from = reference >> 4;
      // A reference to the place that is written next ends the text.
      if (from === writeAt) return text.subarray(0, length);
      for (let index = 0; index < (reference & 0xf) + 2; index += 1)
        put(window[(from + index) % WINDOW] as number);
    }
  }
  return text.subarray(0, length);
}
