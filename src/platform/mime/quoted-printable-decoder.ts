const LF = 0x0a;
const CR = 0x0d;
const TAB = 0x09;
const SPACE = 0x20;
const EQUALS = 0x3d;
const UNDERSCORE = 0x5f;
/** Lines of mail have at most 998 bytes (RFC 5322 §2.1.1): a longer run of blanks is content, not padding. */
const MAX_HELD = 998;

/** Values of the hexadecimal digits, 255 for every other byte. */
const HEX = ((): Uint8Array => {
  const values = new Uint8Array(256).fill(255);
  for (let digit = 0; digit < 16; digit++) {
    values[digit.toString(16).charCodeAt(0)] = digit;
    values[digit.toString(16).toUpperCase().charCodeAt(0)] = digit;
  }
  return values;
})();

/**
 * Quoted-printable (RFC 2045 §6.7) from any pieces. Line ends stay as they are, blanks at the end of a line go,
 * `=` at the end of a line joins it with the next. A malformed escape is kept literally, as §6.7 (note 2) allows.
 */
export class QuotedPrintableDecoder {
  /** Blanks at the ends of lines come and go on the way. */
  readonly isLossy = false;
  /** Bytes whose meaning depends on what follows: an escape begun, or blanks that may end the line. */
  private held: Buffer = Buffer.alloc(0);

  write(chunk: Buffer): Buffer {
    const data = this.held.length > 0 ? Buffer.concat([this.held, chunk]) : chunk;
    return this.decode(data, false);
  }

  end(): Buffer {
    const data = this.held;
    return this.decode(data, true);
  }

  private decode(data: Buffer, last: boolean): Buffer {
    const out = Buffer.allocUnsafe(data.length);
    let length = 0;
    let pos = 0;
    this.held = data.subarray(0, 0);
    while (pos < data.length) {
      const byte = data[pos] as number;
      if (byte !== EQUALS && ((byte !== SPACE && byte !== TAB) || isVisible(data[pos + 1]))) {
        out[length++] = byte;
        pos++;
        continue;
      }
      const after = byte === EQUALS ? pos + 1 : pos;
      const blanksEnd = endOfBlanks(data, after, pos + MAX_HELD);
      if (!last && data.length - pos <= MAX_HELD + 2 && isUndecided(data, pos, blanksEnd)) {
        this.held = Buffer.from(data.subarray(pos));
        break;
      }
      if (byte === EQUALS) {
        const high = HEX[data[pos + 1] ?? 0] as number;
        const low = HEX[data[pos + 2] ?? 0] as number;
        if (high < 16 && low < 16) {
          out[length++] = (high << 4) | low;
          pos += 3;
          continue;
        }
        const next = softBreakEnd(data, blanksEnd);
        if (next !== -1) {
          pos = next;
          continue;
        }
        out[length++] = byte;
        pos++;
        continue;
      }
      const endsLine = blanksEnd >= data.length || softBreakEnd(data, blanksEnd) !== -1;
      if (!endsLine) length += data.copy(out, length, pos, blanksEnd);
      pos = blanksEnd;
    }
    return out.subarray(0, length);
  }
}

/**
 * The `Q` encoding of an RFC 2047 word: as above, with `_` for a space and without line structure.
 * @param payload one UTF-16 unit per byte
 */
export function decodeQuotedPrintableWord(payload: string): Buffer {
  const data = Buffer.from(payload, 'latin1');
  let length = 0;
  for (let pos = 0; pos < data.length; pos++) {
    const byte = data[pos] as number;
    if (byte === EQUALS && pos + 2 < data.length) {
      const high = HEX[data[pos + 1] as number] as number;
      const low = HEX[data[pos + 2] as number] as number;
      if (high < 16 && low < 16) {
        data[length++] = (high << 4) | low;
        pos += 2;
        continue;
      }
    }
    data[length++] = byte === UNDERSCORE ? SPACE : byte;
  }
  return data.subarray(0, length);
}

function isVisible(byte: number | undefined): boolean {
  return byte !== undefined && byte > SPACE;
}

function endOfBlanks(data: Buffer, from: number, limit: number): number {
  let pos = from;
  while (pos < data.length && pos < limit && (data[pos] === SPACE || data[pos] === TAB)) pos++;
  return pos;
}

/** Whether more data could change what the escape or run of blanks at `pos` means. */
function isUndecided(data: Buffer, pos: number, blanksEnd: number): boolean {
  if (blanksEnd >= data.length) return true;
  if (data[blanksEnd] === CR && blanksEnd + 1 >= data.length) return true;
  return (
    data[pos] === EQUALS &&
    blanksEnd === pos + 1 &&
    pos + 2 >= data.length &&
    (HEX[data[pos + 1] ?? 0] ?? 255) < 16
  );
}

/** Offset behind the line break at `pos` (the end of the data counts as one), or -1 if there is none. */
function softBreakEnd(data: Buffer, pos: number): number {
  if (pos >= data.length) return data.length;
  if (data[pos] === LF) return pos + 1;
  if (data[pos] !== CR) return -1;
  return data[pos + 1] === LF ? pos + 2 : pos + 1;
}
