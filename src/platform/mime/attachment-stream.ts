import { Transform } from 'node:stream';
import { transferDecoder, type TransferEncoding, UNENCODED } from './transfer-decoder';

/**
 * A stream from the encoded bytes of a part (`raw[bodyStart, bodyEnd)`, cut anywhere) to its content, byte-exact.
 * An encoding that is not known passes unchanged.
 */
export function decodeAttachment(encoding: TransferEncoding): Transform {
  const decoder = transferDecoder(encoding);
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      done(null, decoder.write(chunk));
    },
    flush(done) {
      done(null, decoder.end());
    },
  });
}

/**
 * The decoded bytes `start` to `end` (both inclusive, as in an HTTP Range) of a part whose encoded bytes `source`
 * yields from the beginning. Reading stops, and the source is closed, as soon as the last byte is out.
 */
export async function* decodedRange(
  source: AsyncIterable<Buffer>,
  encoding: TransferEncoding,
  start: number,
  end: number,
): AsyncGenerator<Buffer> {
  if (end < start) return;
  const decoder = transferDecoder(encoding);
  let offset = 0;
  const cut = (decoded: Buffer): Buffer => {
    const piece = decoded.subarray(Math.max(0, start - offset), Math.max(0, end + 1 - offset));
    offset += decoded.length;
    return piece;
  };
  for await (const chunk of source) {
    const piece = cut(decoder.write(chunk));
    if (piece.length > 0) yield piece;
    if (offset > end) return;
  }
  const rest = cut(decoder.end());
  if (rest.length > 0) yield rest;
}

/**
 * The range in the message that holds the decoded bytes `start` to `end` (inclusive) of a part, when it is known without
 * decoding: only for the identity encodings. Null means: read the whole part and use `decodedRange`.
 */
export function rawRangeOf(
  part: { bodyStart: number; encoding: TransferEncoding },
  start: number,
  end: number,
): { start: number; end: number } | null {
  if (!UNENCODED.has(part.encoding)) return null;
  return { start: part.bodyStart + start, end: part.bodyStart + end };
}
