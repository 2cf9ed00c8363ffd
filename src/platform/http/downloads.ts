import { StreamableFile } from '@nestjs/common';
import contentDisposition from 'content-disposition';
import type { Response } from 'express';

export interface Download {
  /** Name that the sender gave; it may contain anything. Empty: `download`. */
  readonly filename: string;
  /** Media type that the sender declared. */
  readonly mimeType: string;
  /** Bytes of the body, when known. */
  readonly size?: number;
}

/** RFC 6838 §4.2, without parameters. */
const MEDIA_TYPE = /^[a-z0-9][a-z0-9!#$&^_.+-]{0,126}\/[a-z0-9][a-z0-9!#$&^_.+-]{0,126}$/;
/** Types a browser may run or render with the rights of our origin, whatever the other headers say. */
const ACTIVE_TYPE =
  /^(text\/html|[^/]+\/([^/]+\+)?xml|[^/]+\/(x-)?(java|ecma|j|live|vb)script.*|multipart\/.*)$/;
/** Control characters, and marks that make `exe.txt` out of `txt.exe`. */
const MISLEADING = /[\p{Cc}\p{Surrogate}\u061C\u200B-\u200F\u202A-\u202E\u2066-\u2069\uFEFF]/gu;
const MAX_FILENAME = 200;

/** The declared media type when it is harmless, else `application/octet-stream`. */
export function safeContentType(declared: string): string {
  const type = declared.split(';', 1)[0]!.trim().toLowerCase();
  return MEDIA_TYPE.test(type) && !ACTIVE_TYPE.test(type) ? type : 'application/octet-stream';
}

/** A name to save under: no folders, no control or direction characters, bounded, never empty or hidden. */
export function safeFilename(name: string): string {
  const base = name
    .replace(MISLEADING, '')
    .split(/[\\/]/)
    .at(-1)!
    .replace(/^[.\s]+/, '')
    .trimEnd();
  if (!base) return 'download';
  const characters = [...base];
  if (characters.length <= MAX_FILENAME) return base;
  const extension = /\.[^.]{1,16}$/.exec(base)?.[0] ?? '';
  return (characters.slice(0, MAX_FILENAME - extension.length).join('') + extension).trimEnd();
}

/**
 * Headers under which content from strangers is saved and never run: RFC 6266 disposition with `filename*`,
 * no sniffing, a sandbox in case something renders it after all, and no copies in caches.
 */
export function setDownloadHeaders(response: Response, download: Download): void {
  response.setHeader('Content-Type', safeContentType(download.mimeType));
  response.setHeader('Content-Disposition', dispositionOf(safeFilename(download.filename)));
  response.setHeader('X-Content-Type-Options', 'nosniff');
  response.setHeader('Content-Security-Policy', 'sandbox');
  response.setHeader('Cache-Control', 'private, no-store');
  if (download.size !== undefined) response.setHeader('Content-Length', download.size);
}

/** `filename*` for every name beyond ASCII, Latin-1 ones included: clients disagree on what raw Latin-1 means. */
function dispositionOf(filename: string): string {
  const ascii = filename
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^\x20-\x7e]/g, '_');
  return contentDisposition(filename, { fallback: ascii });
}

/** Answers with bytes already in memory: `return downloadOf(response, part)` with `@Res({ passthrough: true })`. */
export function downloadOf(
  response: Response,
  file: { readonly filename: string; readonly mimeType: string; readonly bytes: Buffer },
): StreamableFile {
  setDownloadHeaders(response, { ...file, size: file.bytes.length });
  return new StreamableFile(file.bytes);
}
