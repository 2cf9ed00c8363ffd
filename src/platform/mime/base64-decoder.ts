const PAD = 64;
const JUNK = 65;
const BLANK = 66;
const EQUALS = 0x3d;
const EMPTY = Buffer.alloc(0);
/** Masks of the bits that belong to no byte, by the number of characters in a group. */
const UNUSED_BITS = [0, 0b11_1111, 0b1111, 0b11];

const GROUP = 4;
/** Shorter pieces are decoded here as fast as by Node. */
const WORTH_A_CALL = 256;
const BLANKS = /[\t\n\r ]+/g;
/** Characters that Node also takes for base64. */
const OTHER_ALPHABET = ['-', '_'];

/** Value of each byte in the base64 alphabet; the padding sign and all other bytes have special values. */
const VALUES = ((): Uint8Array => {
  const values = new Uint8Array(256).fill(JUNK);
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
  for (let value = 0; value < alphabet.length; value++) values[alphabet.charCodeAt(value)] = value;
  values[EQUALS] = PAD;
  for (const blank of '\t\n\r ') values[blank.charCodeAt(0)] = BLANK;
  return values;
})();

/** 1 for the bytes of the alphabet, 0 for all others. */
const COUNTS = VALUES.map((value) => (value < PAD ? 1 : 0));

/**
 * Base64 (RFC 2045 §6.8) from any pieces. Bytes outside the alphabet are ignored; `=` ends a group, and what
 * follows starts a new one, since some mailers concatenate padded blocks; missing padding is not missed. A group
 * of a single character carries no byte and is dropped.
 */
export class Base64Decoder {
  /** Whether there were bytes outside the alphabet, or groups with bits that belong to no byte. */
  isLossy = false;
  private bits = 0;
  private held = 0;

  write(chunk: Buffer): Buffer {
    const pad = chunk.indexOf(EQUALS);
    const end = pad === -1 ? chunk.length : pad;
    if (end < WORTH_A_CALL) return this.writeEach(chunk);
    const plain = chunk.toString('latin1', 0, end).replace(BLANKS, '');
    const lead = Math.min(plain.length, (GROUP - this.held) % GROUP);
    const tail = plain.length - ((plain.length - lead) % GROUP);
    const groups = decodedGroups(plain.slice(lead, tail));
    if (groups === null) return this.writeEach(chunk);
    const pieces = [
      this.writeEach(Buffer.from(plain.slice(0, lead), 'latin1')),
      groups,
      this.writeEach(Buffer.from(plain.slice(tail), 'latin1')),
      this.writeEach(chunk.subarray(end)),
    ].filter(({ length }) => length > 0);
    return pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces);
  }

  end(): Buffer {
    if (this.held === 0) return EMPTY;
    const out = Buffer.allocUnsafe(2);
    const length = this.flushGroup(out, 0, this.bits, this.held);
    this.bits = 0;
    this.held = 0;
    return out.subarray(0, length);
  }

  private writeEach(chunk: Buffer): Buffer {
    if (chunk.length === 0) return EMPTY;
    const out = Buffer.allocUnsafe(Math.floor(((chunk.length + 3) * 3) / 4) + 3);
    let { bits, held } = this;
    let length = 0;
    for (let pos = 0; pos < chunk.length; pos++) {
      const value = VALUES[chunk[pos] as number] as number;
      if (value < PAD) {
        bits = (bits << 6) | value;
        if (++held === 4) {
          out[length++] = bits >> 16;
          out[length++] = bits >> 8;
          out[length++] = bits;
          bits = 0;
          held = 0;
        }
      } else if (value === PAD) {
        length = this.flushGroup(out, length, bits, held);
        bits = 0;
        held = 0;
      } else if (value === JUNK) {
        this.isLossy = true;
      }
    }
    this.bits = bits;
    this.held = held;
    return out.subarray(0, length);
  }

  private flushGroup(out: Buffer, length: number, bits: number, held: number): number {
    if (held === 3) {
      out[length++] = bits >> 10;
      out[length++] = bits >> 2;
    } else if (held === 2) {
      out[length++] = bits >> 4;
    }
    this.isLossy ||= held === 1 || (bits & (UNUSED_BITS[held] as number)) !== 0;
    return length;
  }
}

/** Whole groups as Node decodes them; null when some characters are not of the alphabet: Node leaves those out. */
function decodedGroups(text: string): Buffer | null {
  if (OTHER_ALPHABET.some((sign) => text.includes(sign))) return null;
  const bytes = Buffer.from(text, 'base64');
  return bytes.length === (text.length / GROUP) * 3 ? bytes : null;
}

/** The size `Base64Decoder` would give for `raw[start, end)`, by counting characters only. */
export function decodedBase64Size(raw: Buffer, start: number, end: number): number {
  let size = 0;
  let from = start;
  while (from < end) {
    let pad = raw.indexOf(EQUALS, from);
    if (pad === -1 || pad > end) pad = end;
    let characters = 0;
    for (let pos = from; pos < pad; pos++) characters += COUNTS[raw[pos] as number] as number;
    size += Math.floor((characters * 3) / 4);
    from = pad + 1;
  }
  return size;
}
