import fs from 'node:fs';
import { type FileHandle, mkdtemp, open, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createHash } from 'node:crypto';
import Piscina from 'piscina';
import { type WorkerPool, WorkerPoolStopped } from '../../platform/workers/worker-pool';
import { ObjectMissing } from './archive-store.errors';
import { LocalArchiveStore } from './local-archive-store';
import { type FilesToRead, readFiles } from './read-files.task';
import { type FilesToWrite, writeFiles } from './write-files.task';

const KEY = 'user/account/2024/02/mail.eml';
describe('LocalArchiveStore', () => {
  let root: string;
  let sut: LocalArchiveStore;

  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'mailroom-store-'));
    sut = await LocalArchiveStore.open(root);
  });

  afterEach(async () => {
    await sut.close();
    await rm(root, { recursive: true, force: true });
  });

  const halfWritten = async (): Promise<string[]> =>
    (await readdir(join(root, '.tmp'), { recursive: true, withFileTypes: true }))
      .filter((entry) => entry.isFile() && entry.name !== 'alive')
      .map(({ name }) => name);

  const contentOf = async (key: string, range?: { start: number; end: number }): Promise<string> => {
    const chunks: Buffer[] = [];
    for await (const chunk of await sut.get(key, range)) chunks.push(chunk as Buffer);
    return Buffer.concat(chunks).toString('latin1');
  };

  it('should return exactly the bytes it was given', async () => {
    const bytes = Buffer.from(Array.from({ length: 256 }, (_, value) => value));
    await sut.put(KEY, bytes);
    expect(await sut.read(KEY)).toEqual(bytes);
    expect(await readFile(join(root, KEY))).toEqual(bytes);
    expect(await sut.hash(KEY)).toBe(createHash('sha256').update(bytes).digest('hex'));
    expect(await sut.exists(KEY)).toBe(true);
  });

  describe('putStream', () => {
    const stream = (...chunks: string[]) =>
      async function* (): AsyncGenerator<Buffer, void, undefined> {
        for (const chunk of chunks) yield Buffer.from(chunk);
      };

    it('should write chunks in order', async () => {
      await sut.putStream(KEY, 6, stream('ab', '', 'cdef'));
      expect(await contentOf(KEY)).toBe('abcdef');
      expect(await halfWritten()).toEqual([]);
    });

    it.each([
      ['too little', stream('abc')],
      ['too much', stream('abc', 'defg')],
      [
        'an error',
        async function* (): AsyncGenerator<Buffer, void, undefined> {
          yield Buffer.from('abc');
          throw new Error('cut off');
        },
      ],
    ])('should keep the existing object, and nothing else, after %s', async (_what, source) => {
      await sut.put(KEY, Buffer.from('before'));
      await expect(sut.putStream(KEY, 6, source)).rejects.toThrow(/cut off|Expected 6 bytes/);
      expect(await contentOf(KEY)).toBe('before');
      expect(await halfWritten()).toEqual([]);
    });

    it('should stop when its signal aborts', async () => {
      const signal = AbortSignal.abort(new Error('enough'));
      await expect(sut.putStream(KEY, 3, stream('abc'), { signal })).rejects.toThrow('enough');
      expect(await sut.exists(KEY)).toBe(false);
    });
  });

  it('should read inclusive ranges', async () => {
    await sut.put(KEY, Buffer.from('0123456789'));
    expect(await contentOf(KEY, { start: 0, end: 0 })).toBe('0');
    expect(await contentOf(KEY, { start: 3, end: 6 })).toBe('3456');
    expect(await contentOf(KEY)).toBe('0123456789');
  });

  describe.each([['here'], ['in a worker thread']])('reading several objects, %s', (where) => {
    let store: LocalArchiveStore;
    const run = jest.fn(async (_task: unknown, input: FilesToRead) => {
      const moved = readFiles(input) as { [Piscina.valueSymbol]: unknown };
      return moved[Piscina.valueSymbol];
    });

    beforeEach(async () => {
      run.mockClear();
      const workers = where === 'here' ? null : ({ run } as Partial<WorkerPool> as WorkerPool);
      store = await LocalArchiveStore.open(root, workers);
    });

    afterEach(() => store.close());

    it('should return every object, and report missing and larger ones', async () => {
      const contents = ['one', '', 'longer than believed', 'shorter', 'x'.repeat(100_000), 'last'];
      await Promise.all(
        contents.map((content, index) => store.put(`u/a/${index}.eml`, Buffer.from(content))),
      );
      const sizes = [3, 0, 5, 5_000, 100_000, 4];
      const objects = sizes.map((size, index) => ({ key: `u/a/${index}.eml`, size }));
      objects.splice(3, 0, { key: 'u/a/lost.eml', size: 10 });
      const read = await store.readMany(objects);
      expect(read.map((content) => (Buffer.isBuffer(content) ? content.toString() : content))).toEqual([
        'one',
        '',
        'larger',
        null,
        'shorter',
        'x'.repeat(100_000),
        'last',
      ]);
      expect(run).toHaveBeenCalledTimes(where === 'here' ? 0 : 1);
    });

    it('should report that the last one is larger', async () => {
      for (let index = 0; index < 4; index++) await store.put(`u/a/${index}.eml`, Buffer.from('1234'));
      const objects = [4, 4, 4, 3].map((size, index) => ({ key: `u/a/${index}.eml`, size }));
      expect((await store.readMany(objects)).at(-1)).toBe('larger');
    });

    it('should fail with the error of an unreadable file, and reject invalid keys', async () => {
      await store.put('u/a/b/c.eml', Buffer.from('x'));
      const directory = { key: 'u/a/b', size: 10_000 };
      await expect(store.readMany([directory, directory, directory, directory])).rejects.toThrow('EISDIR');
      const outside = { key: '../x', size: 1 };
      await expect(store.readMany([outside, outside, outside, outside])).rejects.toThrow(
        'Not an archive key',
      );
    });
  });

  describe('writing several objects', () => {
    const run = jest.fn((_task: unknown, input: FilesToWrite) => writeFiles(input));
    const workers = { run } as unknown as WorkerPool;
    const objects = (folder: string) =>
      Array.from({ length: 12 }, (_, index) => ({
        key: `u/a/${folder}${index % 3}/${index}.eml`,
        bytes: Buffer.alloc(index === 7 ? 1_500_000 : index * 1_000, index),
      }));

    beforeEach(() => run.mockClear());

    it.each([
      ['here', null, 0],
      ['in a worker thread, but for large ones', workers, 1],
    ])('should put all of them in place, %s', async (_where, pool, tasks) => {
      const store = await LocalArchiveStore.open(root, pool);
      const wanted = objects('m');
      await store.putMany(wanted);
      for (const { key, bytes } of wanted) expect((await store.read(key)).equals(bytes)).toBe(true);
      expect(run).toHaveBeenCalledTimes(tasks);
      if (tasks > 0) expect(run.mock.calls[0]![1].lengths).toHaveLength(11);
      expect(await halfWritten()).toEqual([]);
      await store.close();
    });

    it('should recreate folders that were removed in the meantime, including that of half-written files', async () => {
      const store = await LocalArchiveStore.open(root, workers);
      await store.putMany(objects('m'));
      await rm(join(root, 'u'), { recursive: true });
      await rm(join(root, '.tmp'), { recursive: true });
      const wanted = objects('m');
      await store.putMany(wanted);
      for (const { key, bytes } of wanted) expect((await store.read(key)).equals(bytes)).toBe(true);
      expect(await halfWritten()).toEqual([]);
      await store.close();
    });

    it('should leave nothing half-written when one cannot be moved into place', async () => {
      const store = await LocalArchiveStore.open(root, workers);
      await store.put('u/a/m1/4.eml/x', Buffer.from('a folder is in its way'));
      await expect(store.putMany(objects('m'))).rejects.toThrow('EISDIR');
      expect(await halfWritten()).toEqual([]);
      await store.close();
    });

    it('should write in the main thread while the worker threads are ending', async () => {
      run.mockRejectedValueOnce(new WorkerPoolStopped());
      const store = await LocalArchiveStore.open(root, workers);
      const wanted = objects('m');
      await store.putMany(wanted);
      for (const { key, bytes } of wanted) expect((await store.read(key)).equals(bytes)).toBe(true);
      await store.close();
    });
  });

  describe('when the power fails', () => {
    interface Sync {
      readonly inode: number;
      readonly bytes: number;
      /** Which of the files had their names when it began, and when it ended. */
      readonly namedBefore: readonly string[];
      readonly namedAfter: readonly string[];
    }

    afterEach(() => jest.restoreAllMocks());

    /** Notes what is brought to the disk, which takes its time. @param keys of files that do not exist yet */
    const watchSyncs = async (keys: readonly string[]): Promise<Sync[]> => {
      const syncs: Sync[] = [];
      const named = (): string[] => keys.filter((key) => fs.existsSync(join(root, key)));
      const watched = async (file: number, sync: () => Promise<void>): Promise<void> => {
        const { ino: inode, size: bytes } = fs.fstatSync(file);
        const namedBefore = named();
        await sleep(20);
        await sync();
        syncs.push({ inode, bytes, namedBefore, namedAfter: named() });
      };
      const any = await open(__filename);
      const prototype = Object.getPrototypeOf(any) as FileHandle;
      await any.close();
      for (const method of ['sync', 'datasync'] as const) {
        const original = prototype[method];
        jest.spyOn(prototype, method).mockImplementation(function (this: FileHandle) {
          return watched(this.fd, () => original.call(this));
        });
      }
      const { fdatasyncSync } = fs;
      jest.spyOn(fs, 'fdatasync').mockImplementation((file, done) => {
        watched(file, async () => fdatasyncSync(file)).then(() => done(null), done);
      });
      return syncs;
    };
    const expectKept = async (key: string, syncs: readonly Sync[]): Promise<void> => {
      const file = await stat(join(root, key));
      const folder = await stat(dirname(join(root, key)));
      const ofFile = syncs.filter(({ inode }) => inode === file.ino);
      // All of its bytes before it has its name, and its name before the caller goes on.
      expect(ofFile.map(({ bytes, namedAfter }) => [bytes, namedAfter.includes(key)])).toEqual([
        [file.size, false],
      ]);
      const ofFolder = syncs.filter(({ inode }) => inode === folder.ino);
      expect(ofFolder.at(-1)?.namedBefore).toContain(key);
    };

    it('should have kept a written file', async () => {
      const syncs = await watchSyncs([KEY]);
      await sut.put(KEY, Buffer.from('kept'));
      await expectKept(KEY, syncs);
    });

    it.each(['here', 'in a worker thread'])('should have kept several files, written %s', async (where) => {
      const keys = Array.from({ length: 6 }, (_, index) => `u/a/${index % 2}/${index}.eml`);
      const syncs = await watchSyncs(keys);
      let task: { writeFiles: typeof writeFiles } = { writeFiles };
      // It takes the function that syncs a file when it is loaded.
      delete require.cache[require.resolve('./write-files.task')];
      // eslint-disable-next-line @typescript-eslint/no-require-imports
      task = require('./write-files.task') as typeof task;
      const run = (_task: unknown, input: FilesToWrite): Promise<void> => task.writeFiles(input);
      const workers = where === 'here' ? null : ({ run } as unknown as WorkerPool);
      const store = await LocalArchiveStore.open(root, workers);
      await store.putMany(keys.map((key, index) => ({ key, bytes: Buffer.alloc(100 + index) })));
      await store.close();
      for (const key of keys) await expectKept(key, syncs);
    });
  });

  it('should read several objects in the main thread while the worker threads are ending', async () => {
    const run = (): Promise<never> => Promise.reject(new WorkerPoolStopped());
    const store = await LocalArchiveStore.open(root, { run } as Partial<WorkerPool> as WorkerPool);
    await store.put(KEY, Buffer.from('x'));
    const object = { key: KEY, size: 1 };
    expect(await store.readMany([object, object, object, object])).toEqual(Array(4).fill(Buffer.from('x')));
    await store.close();
  });

  it('should keep an empty object', async () => {
    await sut.put(KEY, Buffer.alloc(0));
    expect(await contentOf(KEY)).toBe('');
    expect(await sut.exists(KEY)).toBe(true);
  });

  it('should overwrite the same key and leave no temporary file', async () => {
    await sut.put(KEY, Buffer.from('old'));
    await sut.put(KEY, Buffer.from('new'));
    expect(await contentOf(KEY)).toBe('new');
    expect(await halfWritten()).toEqual([]);
  });

  it('should write several files of one directory at once', async () => {
    const keys = Array.from({ length: 200 }, (_, index) => `user/account/2024/03/${index}.eml`);
    await Promise.all(keys.map((key) => sut.put(key, Buffer.from(key))));
    for (const key of keys) expect(await contentOf(key)).toBe(key);
  });

  it.each([
    '../outside.eml',
    'user/../../outside.eml',
    '/etc/passwd',
    'user//mail.eml',
    '',
    '.tmp/x',
    'user/.hidden',
    'a\\b/../c',
    'user/nul\0.eml',
    `user/${'x'.repeat(200)}`,
  ])('should reject the key %j', async (key) => {
    await expect(sut.put(key, Buffer.from('x'))).rejects.toThrow('Not an archive key');
    await expect(sut.read(key)).rejects.toThrow('Not an archive key');
    await expect(sut.delete(key)).rejects.toThrow('Not an archive key');
  });

  it('should report a missing object, and treat its deletion as done', async () => {
    await expect(sut.get(KEY)).rejects.toBeInstanceOf(ObjectMissing);
    await expect(sut.read(KEY)).rejects.toBeInstanceOf(ObjectMissing);
    await expect(sut.hash(KEY)).rejects.toBeInstanceOf(ObjectMissing);
    expect(await sut.exists(KEY)).toBe(false);
    await expect(sut.delete(KEY)).resolves.toBeUndefined();
  });

  it('should remove directories that became empty, and write to them again', async () => {
    await sut.put(KEY, Buffer.from('first'));
    await sut.delete(KEY);
    expect(await readdir(root)).toEqual(['.tmp']);
    await sut.put(KEY, Buffer.from('second'));
    expect(await contentOf(KEY)).toBe('second');
  });

  it('should remove them also when many objects are deleted at the same time', async () => {
    const keys = Array.from(
      { length: 30 },
      (_, number) => `user/account/2024/0${1 + (number % 2)}/m${number}.eml`,
    );
    for (const key of keys) await sut.put(key, Buffer.from('x'));
    await Promise.all([...keys, 'user/account/2024/01/missing.eml'].map((key) => sut.delete(key)));
    expect(await readdir(root)).toEqual(['.tmp']);
  });

  it('should lose nothing when deletes and writes happen in the same directory', async () => {
    for (let round = 0; round < 30; round++) {
      await sut.put('user/account/2024/04/a.eml', Buffer.from('a'));
      await Promise.all([
        sut.delete('user/account/2024/04/a.eml'),
        sut.put('user/account/2024/04/b.eml', Buffer.from('b')),
      ]);
      expect(await contentOf('user/account/2024/04/b.eml')).toBe('b');
      await sut.delete('user/account/2024/04/b.eml');
    }
  });

  it('should list the objects under a prefix', async () => {
    for (const key of ['u/a/2024/01/x.eml', 'u/a/2024/02/y.eml', 'u/ab/2024/01/z.eml'])
      await sut.put(key, Buffer.from('1234'));
    const found: string[] = [];
    for await (const object of sut.list('u/a/')) {
      expect(object.size).toBe(4);
      found.push(object.key);
    }
    expect(found.sort()).toEqual(['u/a/2024/01/x.eml', 'u/a/2024/02/y.eml']);
    for await (const object of sut.list('nobody/')) throw new Error(`unexpected ${object.key}`);
  });
});
