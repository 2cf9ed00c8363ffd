import { piecesOf } from './pieces.js';

/**
 * A file as it comes from the service, byte for byte: read it once, in one of three ways. A connection that is cut in the
 * middle is an error to the reader, never a shorter file.
 */
export class Download implements AsyncIterable<Uint8Array> {
  /** Without parameters, such as `application/zip`. */
  readonly contentType: string;
  /** The name the service suggests. */
  readonly filename: string | null;
  /** In bytes; null while the service does not know it, as with exports. */
  readonly size: number | null;
  /** 206 for a part of the file, when a range was asked for. */
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
    this.stream = body ?? nothing();
  }

  /** All of it in memory. */
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

  /** Piece by piece; whoever stops early ends the download. */
  [Symbol.asyncIterator](): AsyncGenerator<Uint8Array, void, undefined> {
    return piecesOf(this.stream);
  }
}

const nothing = (): ReadableStream<Uint8Array> =>
  new ReadableStream({ start: (controller) => controller.close() });

/** RFC 6266: `filename*` tells the whole name, `filename` what is left of it in ASCII. */
export function filenameIn(disposition: string): string | null {
  const extended = /;\s*filename\*\s*=\s*utf-8'[^']*'([^;\s]+)/i.exec(disposition);
  if (extended) {
    try {
      return decodeURIComponent(extended[1]!);
    } catch {
      // Not UTF-8 after all: the plain name is what is left.
    }
  }
  const plain = /;\s*filename\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;\s]+))/i.exec(disposition);
  return plain ? (plain[1]?.replace(/\\(.)/g, '$1') ?? plain[2]!) : null;
}
