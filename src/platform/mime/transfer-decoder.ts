import { Base64Decoder, decodedBase64Size } from './base64-decoder';
import { QuotedPrintableDecoder } from './quoted-printable-decoder';

/** Encoding of a part's body, lower case, as its header declares it: `base64`, `7bit`, `x-uuencode`, ... */
export type TransferEncoding = string;

/** Decodes a body piece by piece; the pieces may be cut anywhere. */
export interface TransferDecoder {
  /** After `end`: whether the body holds something that the decoded bytes do not tell. */
  readonly isLossy: boolean;
  /** The bytes that are certain after this piece; may be a view of `chunk`. */
  write(chunk: Buffer): Buffer;
  /** The bytes that were still held back. */
  end(): Buffer;
}

const COUNTING_CHUNK = 64 * 1024;
/** Encodings that leave the bytes as they are. */
export const UNENCODED: ReadonlySet<TransferEncoding> = new Set(['', '7bit', '8bit', 'binary']);
const UUENCODE = new Set(['x-uuencode', 'uuencode', 'x-uue', 'uue']);

/** Whether the encoding is one this program can undo; the bytes of any other are handed out as they are. */
export function isKnownEncoding(encoding: TransferEncoding): boolean {
  return (
    isIdentity(encoding) || encoding === 'base64' || encoding === 'quoted-printable' || UUENCODE.has(encoding)
  );
}

/** A fresh decoder for one body (RFC 2045 §6). */
export function transferDecoder(encoding: TransferEncoding): TransferDecoder {
  if (encoding === 'base64') return new Base64Decoder();
  if (encoding === 'quoted-printable') return new QuotedPrintableDecoder();
  if (UUENCODE.has(encoding)) return new UuencodeDecoder();
  return { isLossy: false, write: (chunk) => chunk, end: () => Buffer.alloc(0) };
}

/**
 * The exact number of bytes that decoding `raw[start, end)` gives, without keeping them: always the sum of what
 * the decoder of the same encoding answers.
 */
export function decodedSize(raw: Buffer, start: number, end: number, encoding: TransferEncoding): number {
  if (encoding === 'base64') return decodedBase64Size(raw, start, end);
  if (encoding !== 'quoted-printable' && !UUENCODE.has(encoding)) return Math.max(0, end - start);
  const decoder = transferDecoder(encoding);
  let size = 0;
  for (let pos = start; pos < end; pos += COUNTING_CHUNK) {
    size += decoder.write(raw.subarray(pos, Math.min(end, pos + COUNTING_CHUNK))).length;
  }
  return size + decoder.end().length;
}

/** Decodes a body at once, reading no more of it than is needed for about `limit` decoded bytes. */
export function decodeBounded(body: Buffer, encoding: TransferEncoding, limit: number): Buffer {
  // Quoted-printable needs at most three bytes for one; base64 with its line ends far less.
  const encodedLimit = isIdentity(encoding) ? limit : limit * 3;
  const decoder = transferDecoder(encoding);
  const head = decoder.write(body.subarray(0, encodedLimit));
  const tail = decoder.end();
  const decoded = tail.length === 0 ? head : Buffer.concat([head, tail]);
  return decoded.length > limit ? decoded.subarray(0, limit) : decoded;
}

function isIdentity(encoding: TransferEncoding): boolean {
  return UNENCODED.has(encoding);
}

const LF = 0x0a;
/** A data line has at most 62 characters and a length sign; anything much longer is no line of the format. */
const MAX_LINE = 256;

/** Uuencode (POSIX `uuencode`, traditional form): what stands between the `begin` line and `end`. */
export class UuencodeDecoder implements TransferDecoder {
  /** Text may stand before `begin` and after `end`. */
  readonly isLossy = true;
  private line = '';
  private state: 'before' | 'inside' | 'after' = 'before';

  write(chunk: Buffer): Buffer {
    const decoded: Buffer[] = [];
    let start = 0;
    while (start < chunk.length && this.state !== 'after') {
      const lf = chunk.indexOf(LF, start);
      const end = lf === -1 ? chunk.length : lf;
      const room = MAX_LINE - this.line.length;
      this.line += chunk.toString('latin1', start, Math.min(end, start + room));
      if (lf === -1) break;
      decoded.push(this.endLine());
      start = lf + 1;
    }
    return Buffer.concat(decoded);
  }

  end(): Buffer {
    return this.line === '' ? Buffer.alloc(0) : this.endLine();
  }

  private endLine(): Buffer {
    const line = this.line.replace(/\r+$/, '');
    this.line = '';
    if (this.state === 'before') {
      if (/^begin [0-7]{3,4} /.test(line)) this.state = 'inside';
      return Buffer.alloc(0);
    }
    if (this.state === 'after') return Buffer.alloc(0);
    if (line === 'end') {
      this.state = 'after';
      return Buffer.alloc(0);
    }
    return decodeLine(line);
  }
}

function decodeLine(line: string): Buffer {
  if (line === '') return Buffer.alloc(0);
  const size = valueAt(line, 0);
  const out = Buffer.alloc(Math.ceil(size / 3) * 3);
  for (let group = 0; group * 3 < size; group++) {
    const at = 1 + group * 4;
    // Trailing blanks may have been stripped on the way: a missing character counts as a blank, i.e. zero.
    const bits =
      (valueAt(line, at) << 18) |
      (valueAt(line, at + 1) << 12) |
      (valueAt(line, at + 2) << 6) |
      valueAt(line, at + 3);
    out.writeUIntBE(bits, group * 3, 3);
  }
  return out.subarray(0, size);
}

function valueAt(line: string, index: number): number {
  return index < line.length ? (line.charCodeAt(index) - 0x20) & 0x3f : 0;
}
