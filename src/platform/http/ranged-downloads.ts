import type { Request, Response } from 'express';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import parseRange from 'range-parser';
import { ClientGone } from './client-signal';
import { DomainError } from './domain-error';
import { type Download, setDownloadHeaders } from './downloads';

export interface RangedDownload extends Download {
  readonly size: number;
  /** Strong validator without quotes: the bytes behind one value never change. */
  readonly etag: string;
  /** Opens the bytes `start` to `end`, both inclusive; never called for an empty file. */
  readonly open: (start: number, end: number) => AsyncIterable<Buffer> | Promise<AsyncIterable<Buffer>>;
}

/** A client that has taken nothing for so long is not coming back; what is sent to it holds a file or more. */
const STALLED_MS = 2 * 60_000;

const MAX_LISTENERS = 20;

/** The range asked for lies beyond the file. */
export class RangeNotSatisfiable extends DomainError {
  constructor(size: number) {
    super({
      code: 'range-not-satisfiable',
      status: 416,
      detail: `The file has ${size} bytes.`,
      headers: { 'Content-Range': `bytes */${size}` },
    });
  }
}

/**
 * Answers a GET or HEAD with a file: whole, one byte range (RFC 9110 §14; several ranges are answered with the whole
 * file), or 304. Reading stops when the client goes away; errors before the first byte become problem documents.
 * @throws RangeNotSatisfiable
 */
export async function sendDownload(
  request: Pick<Request, 'get' | 'method'>,
  response: Response,
  download: RangedDownload,
): Promise<void> {
  const etag = `"${download.etag}"`;
  const range = requestedRange(request, etag, download.size);
  const { start, end } = range ?? { start: 0, end: download.size - 1 };
  const isFresh = namesTag(request.get('if-none-match'), etag);
  const opened = isFresh || request.method === 'HEAD' || end < start ? null : await download.open(start, end);
  response.setHeader('ETag', etag);
  response.setHeader('Accept-Ranges', 'bytes');
  if (isFresh) {
    response.status(304).end();
    return;
  }
  setDownloadHeaders(response, { ...download, size: end - start + 1 });
  if (range) {
    response.status(206);
    response.setHeader('Content-Range', `bytes ${start}-${end}/${download.size}`);
  }
  if (opened) await streamTo(response, opened);
  else response.end();
}

/**
 * Writes chunks as fast as the client takes them. A client that goes away ends the source quietly, and so does one that
 * takes nothing for two minutes; a source that fails midway cuts the connection, the only way left to say that the body
 * is not complete.
 */
export async function streamTo(response: Response, source: AsyncIterable<Buffer>): Promise<void> {
  const stream = source instanceof Readable ? source : Readable.from(source, { objectMode: false });
  // Besides the stream, everybody on the request's way here listens for its end.
  response.setMaxListeners(MAX_LISTENERS);
  cutWhenStalled(response);
  try {
    await pipeline(stream, response);
  } catch (error) {
    const isCut = (error as NodeJS.ErrnoException).code === 'ERR_STREAM_PREMATURE_CLOSE';
    if (!isCut && !(error instanceof ClientGone)) throw error;
  }
}

/**
 * Cuts the answer once the client has taken nothing for two minutes. The socket is looked at, as bytes of one chunk may
 * leave it for longer than that.
 */
export function cutWhenStalled(response: Response): void {
  response.setTimeout(STALLED_MS, () => {
    // An empty buffer means that the source is slow, not the client.
    if (response.writableLength > 0) response.destroy();
    else response.setTimeout(STALLED_MS);
  });
}

function requestedRange(
  request: Pick<Request, 'get'>,
  etag: string,
  size: number,
): { start: number; end: number } | null {
  const header = request.get('range');
  const condition = request.get('if-range');
  if (header === undefined || (condition !== undefined && condition.trim() !== etag)) return null;
  const ranges = parseRange(size, normalRange(header, size), { combine: true });
  if (ranges === -1) throw new RangeNotSatisfiable(size);
  // A malformed range, or one that is not in bytes, is ignored (RFC 9110 §14.2).
  if (ranges === -2 || ranges.type !== 'bytes') return null;
  const [only, ...more] = ranges;
  return only && more.length === 0 ? only : null;
}

/** Range units are case-insensitive, and a suffix longer than the file means all of it (RFC 9110 §14.1). */
function normalRange(header: string, size: number): string {
  const suffix = /^\s*bytes\s*=\s*-(\d+)\s*$/i.exec(header)?.[1];
  if (suffix !== undefined && Number(suffix) >= size && size > 0) return 'bytes=0-';
  return header.replace(/^\s*bytes/i, 'bytes');
}

function namesTag(condition: string | undefined, etag: string): boolean {
  const tags = condition?.split(',').map((tag) => tag.trim().replace(/^W\//, '')) ?? [];
  return tags.includes('*') || tags.includes(etag);
}
