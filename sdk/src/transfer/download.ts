import { piecesOf } from './pieces.js';

/**
 * A file of the service, byte for byte; it can be read once, in one of three ways. A connection that is cut off is an error for
 * the reader, never a shorter file.
 */
export class Download implements AsyncIterable<Uint8Array> {
  /** Content type without parameters, such as `application/zip`. */
  readonly contentType: string;
  /** Name that the service suggests. */
  readonly filename: string | null;
  /** Size in bytes; null while the service does not know it, as with exports. */
  readonly size: number | null;
  /** HTTP status; 206 for a part of the file, when a range was asked for. */
  readonly status: number;
  readonly headers: Headers;
  /** The bytes as they arrive. */
  readonly stream: ReadableStream<Uint8Array>;

  constructor(response: Response, body: ReadableStream<Uint8Array> | null) {
    const length = response.headers.get('content-length');
    this.headers = response.headers;
    this.status = response.status;
    this.contentType = (response.headers.get('content-type') ?? '').split(';', 1)[0]!.trim();
    this.filename = filenameIn(response.headers.get('content-disposition') ?? '');
    this.size = length === null ? null : Number(length);
    this.stream = body ?? streamNothing();
  }

  /** The whole file in memory. */
  async bytes(): Promise<Uint8Array> {
    const chunks: Uint8Array[] = [];
    let length = 0;
    for await (const chunk of this) {
      chunks.push(chunk);
      length += chunk.length;
    }
    const bytes = new Uint8Array(length);
    let at = 0;
    for (const chunk of chunks) {
      bytes.set(chunk, at);
      at += chunk.length;
    }
    return bytes;
  }

  /** The bytes piece by piece; a reader that stops early ends the download. */
  [Symbol.asyncIterator](): AsyncGenerator<Uint8Array, void, undefined> {
    return piecesOf(this.stream);
  }
}

const streamNothing = (): ReadableStream<Uint8Array> =>
  new ReadableStream({ start: (controller) => controller.close() });

/** File name of a Content-Disposition header (RFC 6266): `filename*` has the whole name, `filename` its ASCII part. */
export function filenameIn(disposition: string): string | null {
  const extended = /;\s*filename\*\s*=\s*utf-8'[^']*'([^;\s]+)/i.exec(disposition);
  if (extended) {
    try {
      return decodeURIComponent(extended[1]!);
    } catch {
      // `filename*` is not UTF-8: the plain name is used.
    }
  }
  const plain = /;\s*filename\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;\s]+))/i.exec(disposition);
  return plain ? (plain[1]?.replace(/\\(.)/g, '$1') ?? plain[2]!) : null;
}
