import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { join } from 'node:path';
import { ClientGone } from '../../platform/http/client-signal';
import { ENCODINGS, readWebFiles, type WebEncoding, type WebFile } from './web-files';

/**
 * Content security policy of the pages: scripts, connections and frames from the same origin only. Inline styles are allowed
 * for the components, and for mail, which is shown in frames that inherit this policy; nothing is loaded from elsewhere.
 */
export const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "connect-src 'self'",
  "frame-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

type Asked = Pick<Request, 'path' | 'get' | 'acceptsEncodings'>;

const FOR_EVER = 'public, max-age=31536000, immutable';
const ASK_FIRST = 'no-cache';
const PAGE = '/index.html';
/** Addresses that programs use: a page never answers them. */
const NOT_PAGES = /^\/(?:api|health|metrics)(?:\/|$)/i;

/** Folder of the build of the web client, relative to `src` and to `dist/src`. */
export const WEB_FOLDER = join(
  __dirname,
  ...(__filename.endsWith('.ts') ? ['..', '..', '..'] : ['..', '..', '..', '..']),
  'web',
  'dist',
);

/**
 * Serves the web client: its files, and its page at every address that a person may open. All other requests go to the next
 * handlers. Files below `/assets` have names that change with their content and are cached for a year; all others are
 * revalidated each time.
 */
export function webClient(folder: string = WEB_FOLDER): RequestHandler {
  const files = readWebFiles(folder);
  const page = files.get(PAGE);
  return (request, response, next) => {
    if (NOT_PAGES.test(request.path) || (request.method !== 'GET' && request.method !== 'HEAD')) {
      next();
      return;
    }
    const file = files.get(request.path) ?? (opensPage(request) ? page : undefined);
    if (file) send(file, request, response, next);
    else next();
  };
}

/** Whether a browser opens an address that is not one of a file. */
function opensPage(request: Asked): boolean {
  const lastSegment = request.path.slice(request.path.lastIndexOf('/') + 1);
  return !lastSegment.includes('.') && /\btext\/html\b/i.test(request.get('accept') ?? '');
}

function send(file: WebFile, request: Asked, response: Response, next: NextFunction): void {
  const encoding = chooseEncoding(file, request);
  response.setHeader('Content-Security-Policy', PAGE_POLICY);
  response.setHeader('Content-Type', file.contentType);
  response.setHeader('Cache-Control', file.etag === null ? FOR_EVER : ASK_FIRST);
  response.setHeader('Vary', 'Accept-Encoding');
  if (file.etag !== null) response.setHeader('ETag', entityTagOf(file.etag, encoding));
  if (encoding) response.setHeader('Content-Encoding', encoding);
  response.sendFile(
    encoding ? file.path + ENCODINGS[encoding] : file.path,
    { etag: false, lastModified: false, cacheControl: false, acceptRanges: false, dotfiles: 'allow' },
    (error) => {
      if (error && !response.headersSent) next(isClientGone(error) ? new ClientGone() : error);
    },
  );
}

/** Whether the error is that of a client that left. A build that was removed under the running service has another code. */
const isClientGone = (error: NodeJS.ErrnoException): boolean => error.code === 'ECONNABORTED';

/** The smallest encoding that the browser accepts; null: none. `Accept-Encoding` lists them without an order. */
const chooseEncoding = ({ encodings }: WebFile, request: Asked): WebEncoding | null =>
  encodings.find((encoding) => request.acceptsEncodings(encoding) === encoding) ?? null;

/** Entity tag of an encoding: each one is another representation (RFC 9110 §8.8.3). */
const entityTagOf = (etag: string, encoding: WebEncoding | null): string =>
  encoding ? `${etag.slice(0, -1)}-${encoding}"` : etag;
