import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, readdir, stat } from 'node:fs/promises';
import { Readable, Transform, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';

/** Compression level: a fast one, since mail hardly compresses better at a higher one. */
const LEVEL = 4;
const CHUNK = 256 * 1024;

/** Compresses a stream into a new file, readable by its owner only and on disk when this resolves. */
export async function writeGzip(
  source: Readable,
  path: string,
): Promise<{ readonly bytes: number; readonly sha256: string }> {
  const file = await open(path, 'wx', 0o600);
  const hash = createHash('sha256');
  let bytes = 0;
  const sink = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      hash.update(chunk);
      bytes += chunk.length;
      file.writeFile(chunk).then(() => done(), done);
    },
  });
  try {
    await pipeline(source, createGzip({ level: LEVEL, chunkSize: CHUNK }), sink);
    await file.sync();
  } finally {
    await file.close();
  }
  return { bytes, sha256: hash.digest('hex') };
}

/** The decompressed content of a file; ends with an error when it cannot be read. */
export function readGzip(path: string): Readable {
  const file = createReadStream(path, { highWaterMark: CHUNK });
  const content = createGunzip({ chunkSize: CHUNK });
  file.on('error', (error) => content.destroy(error));
  content.on('close', () => file.destroy());
  return file.pipe(content);
}

/** The lines of a compressed text file, without their ends. */
export async function* readLines(path: string): AsyncGenerator<string> {
  let rest = '';
  const content = readGzip(path).setEncoding('utf8');
  for await (const chunk of content as AsyncIterable<string>) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() as string;
    yield* lines;
  }
  if (rest !== '') yield rest;
}

/** Objects as JSON lines. */
export async function* readJsonLines<T>(path: string): AsyncGenerator<T> {
  for await (const line of readLines(path)) yield JSON.parse(line) as T;
}

/** Objects as JSON lines, in chunks worth writing. */
export function jsonLines(objects: AsyncIterable<object>): Readable {
  const joined = new Transform({ writableObjectMode: true, readableHighWaterMark: CHUNK });
  let waiting = '';
  joined._transform = (object: object, _encoding, done) => {
    waiting += `${JSON.stringify(object)}\n`;
    if (waiting.length < CHUNK) return done();
    const chunk = waiting;
    waiting = '';
    done(null, chunk);
  };
  joined._flush = (done) => done(null, waiting);
  const source = Readable.from(objects);
  source.on('error', (error) => joined.destroy(error));
  joined.on('close', () => source.destroy());
  return source.pipe(joined);
}

/** SHA-256 and size of a file, or null when there is none. */
export async function measure(
  path: string,
): Promise<{ readonly bytes: number; readonly sha256: string } | null> {
  const hash = createHash('sha256');
  let bytes = 0;
  try {
    for await (const chunk of createReadStream(path, { highWaterMark: CHUNK })) {
      hash.update(chunk as Buffer);
      bytes += (chunk as Buffer).length;
    }
  } catch (error) {
    if (isAbsence(error)) return null;
    throw error;
  }
  return { bytes, sha256: hash.digest('hex') };
}

/** Bytes of a file, or null when there is none. */
export async function sizeOf(path: string): Promise<number | null> {
  try {
    return (await stat(path)).size;
  } catch (error) {
    if (isAbsence(error)) return null;
    throw error;
  }
}

/** Names in a folder; none when there is no such folder. */
export async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (isAbsence(error)) return [];
    throw error;
  }
}

export function isAbsence(error: unknown): boolean {
  return ['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException | undefined)?.code ?? '');
}

/** Groups the items of a source; the last group may be smaller. */
export async function* batchesOf<T>(source: AsyncIterable<T>, size: number): AsyncGenerator<T[]> {
  let batch: T[] = [];
  for await (const item of source) {
    batch.push(item);
    if (batch.length < size) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
