import { createHash } from 'node:crypto';
import { createReadStream, type Dirent } from 'node:fs';
import {
  access,
  type FileHandle,
  open,
  opendir,
  readFile,
  rename,
  rm,
  rmdir,
  stat,
  unlink,
} from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import type { Readable } from 'node:stream';
import { isSpaceExhausted } from '../../platform/logging/system-errors';
import { forEachConcurrently } from '../../platform/concurrency/for-each-concurrently';
import { joinBuffers } from '../../platform/workers/joined-buffers';
import { WorkerPool, WorkerPoolStopped } from '../../platform/workers/worker-pool';
import type {
  ArchiveStore,
  ByteRange,
  ManyRead,
  NewObject,
  PutOptions,
  ReadOptions,
  SmallObject,
  StoredObject,
} from './archive-store.port';
import { ArchiveStoreFull, ObjectMissing } from './archive-store.errors';
import { DurableDirectories } from './durable-directories';
import { FILE_LARGER, FILE_MISSING } from './read-file-into';
import type { FilesRead, FilesToRead } from './read-files.task';
import { requireLength } from './streamed-bytes';
import { TemporaryFiles } from './temporary-files';
import type { FilesToWrite } from './write-files.task';

/** New files are written here first: the same file system, so that the rename into place is atomic. */
const TEMPORARY = '.tmp';
const READ_CHUNK = 256 * 1024;
/** Most attempts to move a file into a directory that others remove. */
const MAX_MOVES = 5;
const READ_FILES = { module: require.resolve('./read-files.task'), name: 'readFiles' };
const WRITE_FILES = { module: require.resolve('./write-files.task'), name: 'writeFiles' };
/** Size of the largest file that is handed over to a worker thread: larger ones are not worth the copy. */
const MAX_HANDED_OVER = 1024 * 1024;
/** Files written at a time: enough to share the disk's syncs between them; more would only open more files. */
const CONCURRENT_WRITES = 48;
/** Number of files from which a worker thread, which may have to be started, is worth its cost. */
const WORTH_A_WORKER = 4;
/** One path segment of a key: nothing hidden, no `..`, no separators. */
const SEGMENT = /^[A-Za-z0-9_-][A-Za-z0-9._-]{0,127}$/;

/** EML files below one directory. */
export class LocalArchiveStore implements ArchiveStore {
  private readonly directories: DurableDirectories;

  private readonly temporaries: TemporaryFiles;

  /** Deletions under way in each directory. */
  private readonly deleting = new Map<string, number>();

  private constructor(
    private readonly root: string,
    private readonly workers: WorkerPool | null,
  ) {
    this.directories = new DurableDirectories(root);
    this.temporaries = new TemporaryFiles(join(root, TEMPORARY));
  }

  /**
   * Opens the store, creating its directory. Until it is closed, it removes half-written files of killed processes.
   * @param workers read and write many files at once; null: this thread does
   */
  static async open(root: string, workers: WorkerPool | null = null): Promise<LocalArchiveStore> {
    await DurableDirectories.createRoot(root);
    const store = new LocalArchiveStore(root, workers);
    await store.temporaries.open();
    return store;
  }

  /** Opens the store for the duration of some work. */
  static async runWith<T>(root: string, work: (store: LocalArchiveStore) => Promise<T>): Promise<T> {
    const store = await LocalArchiveStore.open(root);
    try {
      return await work(store);
    } finally {
      await store.close();
    }
  }

  /** Call when nothing is being written any more. */
  close(): Promise<void> {
    return this.temporaries.close();
  }

  put(key: string, bytes: Buffer): Promise<void> {
    return this.write(key, (file) => file.writeFile(bytes));
  }

  async putMany(objects: readonly NewObject[]): Promise<void> {
    const small = objects.filter(({ bytes }) => bytes.length <= MAX_HANDED_OVER);
    const isWorthIt = this.workers !== null && small.length >= WORTH_A_WORKER;
    const isHere = isWorthIt && (await this.putInWorker(this.workers, small));
    const left = isHere ? objects.filter(({ bytes }) => bytes.length > MAX_HANDED_OVER) : objects;
    await forEachConcurrently(left, CONCURRENT_WRITES, ({ key, bytes }) => this.put(key, bytes));
  }

  putStream(
    key: string,
    size: number,
    open: () => AsyncIterable<Buffer>,
    { signal }: PutOptions = {},
  ): Promise<void> {
    return this.write(key, async (file) => {
      for await (const chunk of requireLength(size, open())) {
        signal?.throwIfAborted();
        await file.writeFile(chunk);
      }
    });
  }

  async get(key: string, range?: ByteRange, { room }: ReadOptions = {}): Promise<Readable> {
    const file = await convertMissing(open(this.pathOf(key), 'r'));
    try {
      await room?.();
    } catch (error) {
      await file.close();
      throw error;
    }
    return createReadStream('', {
      fd: file,
      highWaterMark: READ_CHUNK,
      start: range?.start ?? 0,
      end: range?.end,
    });
  }

  /** Reads the whole file whatever `atMost` is: only this service writes here, so files are as large as their rows say. */
  async read(key: string, { room }: ReadOptions = {}): Promise<Buffer> {
    await room?.();
    return convertMissing(readFile(this.pathOf(key)));
  }

  async readMany(objects: readonly SmallObject[]): Promise<ManyRead[]> {
    if (this.workers && objects.length >= WORTH_A_WORKER) {
      try {
        return await this.readInWorker(this.workers, objects);
      } catch (error) {
        // The process is ending: reads under way may still finish here.
        if (!(error instanceof WorkerPoolStopped)) throw error;
      }
    }
    return Promise.all(objects.map((object) => this.readOne(object)));
  }

  pathOf(key: string): string {
    const segments = key.split('/');
    if (!segments.every((segment) => SEGMENT.test(segment))) {
      throw new Error(`Not an archive key: ${JSON.stringify(key.slice(0, 200))}`);
    }
    return join(this.root, ...segments);
  }

  async exists(key: string): Promise<boolean> {
    try {
      await access(this.pathOf(key));
      return true;
    } catch (error) {
      if (isAbsence(error)) return false;
      throw error;
    }
  }

  async hash(key: string): Promise<string> {
    const hash = createHash('sha256');
    for await (const chunk of await this.get(key)) hash.update(chunk as Buffer);
    return hash.digest('hex');
  }

  async delete(key: string): Promise<void> {
    const path = this.pathOf(key);
    const directory = dirname(path);
    this.deleting.set(directory, (this.deleting.get(directory) ?? 0) + 1);
    try {
      await unlink(path);
    } catch (error) {
      if (!isAbsence(error)) throw error;
    } finally {
      const left = this.deleting.get(directory)! - 1;
      if (left > 0) this.deleting.set(directory, left);
      else this.deleting.delete(directory);
    }
    // Only the last of simultaneous deletions may find the directory empty.
    if (!this.deleting.has(directory)) await this.removeEmptyParents(directory);
  }

  async *list(prefix: string): AsyncIterable<StoredObject> {
    const directory = prefix.includes('/') ? prefix.slice(0, prefix.lastIndexOf('/')) : '';
    if (directory !== '') this.pathOf(directory);
    for await (const object of this.walk(join(this.root, directory))) {
      if (object.key.startsWith(prefix)) yield object;
    }
  }

  /** Removes also foreign entries: files with other names, links (not their targets), empty folders. */
  async removeFolder(prefix: string): Promise<number> {
    const directory = this.pathOf(prefix.replace(/\/$/, ''));
    let files = 0;
    // eslint-disable-next-line @typescript-eslint/no-unused-vars
    for await (const _file of this.walk(directory)) files += 1;
    await rm(directory, { recursive: true, force: true });
    this.directories.forget(directory);
    return files;
  }

  /** @param fill writes the bytes of the file */
  private async write(key: string, fill: (file: FileHandle) => Promise<void>): Promise<void> {
    const target = this.pathOf(key);
    try {
      const { path, file } = await this.temporaries.create();
      try {
        try {
          await fill(file);
          await file.datasync();
        } finally {
          await file.close();
        }
        await this.moveIntoPlace(path, target);
      } catch (error) {
        await rm(path, { force: true });
        throw error;
      }
    } catch (error) {
      throw isSpaceExhausted(error) ? new ArchiveStoreFull(error) : error;
    }
    await this.directories.sync(dirname(target));
  }

  /** @returns false when the process is ending: writes under way may still finish here */
  private async putInWorker(workers: WorkerPool, objects: readonly NewObject[]): Promise<boolean> {
    const targets = objects.map(({ key }) => this.pathOf(key));
    const directories = new Set(targets.map((target) => dirname(target)));
    for (let attempt = 1; ; attempt += 1) {
      try {
        await Promise.all([...directories].map((directory) => this.directories.ensure(directory)));
        const bytes = joinBuffers(objects.map((object) => object.bytes));
        const lengths = objects.map((object) => object.bytes.length);
        await workers.run<FilesToWrite, void>(
          WRITE_FILES,
          { folder: this.temporaries.own, targets, bytes, lengths },
          { transfer: [bytes] },
        );
        return true;
      } catch (error) {
        if (error instanceof WorkerPoolStopped) return false;
        if (isSpaceExhausted(error)) throw new ArchiveStoreFull(error);
        // A deletion has just removed a directory, or one above it, because it had become empty; or another process the
        // folder of this one.
        if (!isAbsence(error) || attempt === MAX_MOVES) throw error;
        for (const directory of directories) this.directories.forget(directory);
        await this.temporaries.revive();
      }
    }
  }

  private async readInWorker(workers: WorkerPool, objects: readonly SmallObject[]): Promise<ManyRead[]> {
    const { bytes, lengths } = await workers.run<FilesToRead, FilesRead>(READ_FILES, {
      paths: objects.map(({ key }) => this.pathOf(key)),
      sizes: objects.map(({ size }) => size),
    });
    let at = 0;
    return lengths.map((length) => {
      if (length === FILE_MISSING) return null;
      if (length === FILE_LARGER) return 'larger';
      at += length;
      return Buffer.from(bytes, at - length, length);
    });
  }

  private async readOne({ key, size }: SmallObject): Promise<ManyRead> {
    let file: FileHandle;
    try {
      file = await open(this.pathOf(key), 'r');
    } catch (error) {
      if (isAbsence(error)) return null;
      throw error;
    }
    try {
      const { size: actual } = await file.stat();
      return actual > size ? 'larger' : await file.readFile();
    } finally {
      await file.close();
    }
  }

  private async moveIntoPlace(temporary: string, target: string): Promise<void> {
    const directory = dirname(target);
    for (let attempt = 1; ; attempt += 1) {
      try {
        await this.directories.ensure(directory);
        return await rename(temporary, target);
      } catch (error) {
        // A deletion has just removed the directory, or one above it, because it had become empty.
        if (!isAbsence(error) || attempt === MAX_MOVES) throw error;
        this.directories.forget(directory);
      }
    }
  }

  private async *walk(directory: string): AsyncGenerator<StoredObject> {
    let entries: AsyncIterable<Dirent>;
    try {
      entries = await opendir(directory);
    } catch (error) {
      if (isAbsence(error)) return;
      throw error;
    }
    for await (const entry of entries) {
      const path = join(directory, entry.name);
      if (entry.isDirectory()) {
        if (path !== join(this.root, TEMPORARY)) yield* this.walk(path);
      } else if (entry.isFile()) {
        const facts = await stat(path).catch((error: unknown) => {
          if (isAbsence(error)) return null;
          throw error;
        });
        if (!facts) continue;
        const key = relative(this.root, path).split(sep).join('/');
        yield { key, size: facts.size, modifiedAt: facts.mtime };
      }
    }
  }

  private async removeEmptyParents(directory: string): Promise<void> {
    for (let current = directory; current !== this.root; current = dirname(current)) {
      try {
        await rmdir(current);
      } catch (error) {
        if (hasCode(error, 'ENOTEMPTY', 'EEXIST') || isAbsence(error)) return;
        throw error;
      }
      this.directories.forget(current);
    }
  }
}

async function convertMissing<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (isAbsence(error)) throw new ObjectMissing(error);
    throw error;
  }
}

const hasCode = (error: unknown, ...codes: string[]): boolean =>
  codes.includes((error as NodeJS.ErrnoException | undefined)?.code ?? '');

const isAbsence = (error: unknown): boolean => hasCode(error, 'ENOENT', 'ENOTDIR');
