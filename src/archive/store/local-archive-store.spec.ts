import { mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createHash } from 'node:crypto';
import { ObjectMissing } from './archive-store.errors';
import { LocalArchiveStore } from './local-archive-store';

const KEY = 'user/account/2024/02/mail.eml';
const HOST = hostname()
  .replace(/[^A-Za-z0-9]/g, '')
  .slice(0, 40);

describe('LocalArchiveStore', () => {
  let root: string;
  let sut: LocalArchiveStore;

  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'mailroom-store-'));
    sut = await LocalArchiveStore.open(root);
  });

  afterEach(() => rm(root, { recursive: true, force: true }));

  const contentOf = async (key: string, range?: { start: number; end: number }): Promise<string> => {
    const chunks: Buffer[] = [];
    for await (const chunk of await sut.get(key, range)) chunks.push(chunk as Buffer);
    return Buffer.concat(chunks).toString('latin1');
  };

  it('should give back exactly the bytes it was given', async () => {
    const bytes = Buffer.from(Array.from({ length: 256 }, (_, value) => value));
    await sut.put(KEY, bytes);
    expect(await sut.read(KEY)).toEqual(bytes);
    expect(await readFile(join(root, KEY))).toEqual(bytes);
    expect(await sut.hash(KEY)).toBe(createHash('sha256').update(bytes).digest('hex'));
    expect(await sut.exists(KEY)).toBe(true);
  });

  it('should read inclusive ranges', async () => {
    await sut.put(KEY, Buffer.from('0123456789'));
    expect(await contentOf(KEY, { start: 0, end: 0 })).toBe('0');
    expect(await contentOf(KEY, { start: 3, end: 6 })).toBe('3456');
    expect(await contentOf(KEY)).toBe('0123456789');
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
    expect(await readdir(join(root, '.tmp'))).toEqual([]);
  });

  it('should write many files of one directory at once', async () => {
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
  ])('should refuse the key %j', async (key) => {
    await expect(sut.put(key, Buffer.from('x'))).rejects.toThrow('Not an archive key');
    await expect(sut.read(key)).rejects.toThrow('Not an archive key');
    await expect(sut.delete(key)).rejects.toThrow('Not an archive key');
  });

  it('should say when an object is missing, and take its deletion for done', async () => {
    await expect(sut.get(KEY)).rejects.toBeInstanceOf(ObjectMissing);
    await expect(sut.read(KEY)).rejects.toBeInstanceOf(ObjectMissing);
    await expect(sut.hash(KEY)).rejects.toBeInstanceOf(ObjectMissing);
    expect(await sut.exists(KEY)).toBe(false);
    await expect(sut.delete(KEY)).resolves.toBeUndefined();
  });

  it('should remove directories that became empty, and write into them again', async () => {
    await sut.put(KEY, Buffer.from('first'));
    await sut.delete(KEY);
    expect(await readdir(root)).toEqual(['.tmp']);
    await sut.put(KEY, Buffer.from('second'));
    expect(await contentOf(KEY)).toBe('second');
  });

  it('should lose nothing when deletes and writes meet in one directory', async () => {
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

  it('should list what lies under a prefix', async () => {
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

  it('should remove what killed writers left, and only that, when it opens', async () => {
    const temporary = (name: string): string => join(root, '.tmp', name);
    const token = (letter: string, length: number): string => letter.repeat(length);
    const dead = `${HOST}-4194303-${token('a', 12)}-${token('b', 24)}`;
    const elsewhere = `otherhost-7-${token('c', 12)}-${token('d', 24)}`;
    const old = `otherhost-8-${token('c', 12)}-${token('e', 24)}`;
    for (const name of [dead, elsewhere, old]) await writeFile(temporary(name), 'half');
    await utimes(temporary(old), new Date(0), new Date(0));
    await LocalArchiveStore.open(root);
    expect(await readdir(join(root, '.tmp'))).toEqual([elsewhere]);
  });
});
