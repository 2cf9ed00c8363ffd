import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { extname, join, relative, sep } from 'node:path';

/** The encodings the build writes beside each file, the smaller one first, by the ending of their names. */
export const ENCODINGS = { br: '.br', gzip: '.gz' } as const;
export type WebEncoding = keyof typeof ENCODINGS;

/** A file of the web client. */
export interface WebFile {
  readonly path: string;
  readonly contentType: string;
  /** Encodings of the compressed copies beside the file. */
  readonly encodings: readonly WebEncoding[];
  /** Entity tag, a hash of the content; null for files whose name changes with their content. */
  readonly etag: string | null;
}

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
  '.txt': 'text/plain; charset=utf-8',
};

const HASHED = 'assets/';

/**
 * The files that can be served, by the path of their address. Requests for other paths find nothing, so that no request decides
 * which file is opened.
 * @returns an empty map when the client has not been built
 */
export function readWebFiles(folder: string): ReadonlyMap<string, WebFile> {
  const names = namesIn(folder);
  const files = new Map<string, WebFile>();
  for (const name of names) {
    const contentType = CONTENT_TYPES[extname(name)];
    if (contentType === undefined) continue;
    const path = join(folder, name);
    files.set(`/${name}`, {
      path,
      contentType,
      encodings: (Object.keys(ENCODINGS) as WebEncoding[]).filter((encoding) =>
        names.has(name + ENCODINGS[encoding]),
      ),
      etag: name.startsWith(HASHED) ? null : `"${hashOf(path)}"`,
    });
  }
  return files;
}

function namesIn(folder: string): Set<string> {
  try {
    const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
    return new Set(
      entries
        .filter((entry) => entry.isFile() && !entry.parentPath.endsWith('.vite'))
        .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/')),
    );
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return new Set();
    throw error;
  }
}

const hashOf = (path: string): string =>
  createHash('sha256').update(readFileSync(path)).digest('base64url').slice(0, 22);
