import { mkdtemp, mkdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { DurableDirectories } from './durable-directories';

describe('DurableDirectories', () => {
  let root: string;
  /** Directories that were synced, in order. */
  let synced: string[];
  /** Holds syncs up. */
  let gate: Promise<void>;
  let sut: DurableDirectories;

  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'mailroom-directories-'));
    synced = [];
    gate = Promise.resolve();
    sut = new DurableDirectories(root, async (directory) => {
      await gate;
      synced.push(directory.slice(root.length));
    });
  });

  afterEach(() => rm(root, { recursive: true, force: true }));

  const closeGate = (): (() => void) => {
    let open = (): void => undefined;
    gate = new Promise((resolve) => (open = resolve));
    return open;
  };

  /** Enough turns for whatever waits for nothing but the disk's answer to `mkdir`. */
  const aWhile = async (): Promise<void> => {
    for (let turn = 0; turn < 200; turn += 1) await nextTurn();
  };

  it('should sync a created root, and each parent created with it, into the existing directories', async () => {
    const keep = async (directory: string): Promise<void> => void synced.push(directory.slice(root.length));
    await DurableDirectories.createRoot(join(root, 'data/mail'), keep);
    expect(synced).toEqual(['/data', '']);
    await DurableDirectories.createRoot(join(root, 'data/mail'), keep);
    expect(synced).toHaveLength(2);
  });

  it('should sync each directory into its parent once', async () => {
    await sut.ensure(join(root, 'u/a/2024'));
    expect(synced).toEqual(['', '/u', '/u/a']);
    await sut.ensure(join(root, 'u/a/2024'));
    expect(synced).toHaveLength(3);
  });

  it('should make all callers wait until the parents are synced', async () => {
    const open = closeGate();
    const settled: string[] = [];
    const first = sut.ensure(join(root, 'u/a')).then(() => settled.push('first'));
    await aWhile();
    const second = sut.ensure(join(root, 'u/a')).then(() => settled.push('second'));
    const sibling = sut.ensure(join(root, 'u/b')).then(() => settled.push('sibling'));
    await aWhile();
    expect(settled).toEqual([]);
    open();
    await Promise.all([first, second, sibling]);
    expect(synced[0]).toBe('');
    expect(synced.filter((directory) => directory === '')).toHaveLength(1);
    await stat(join(root, 'u/b'));
  });

  it('should sync the parent of a directory that another process has just created', async () => {
    await mkdir(join(root, 'u/a'), { recursive: true });
    await sut.ensure(join(root, 'u/a'));
    expect(synced).toEqual(['', '/u']);
  });

  it('should retry after a failed sync', async () => {
    let isBroken = true;
    sut = new DurableDirectories(root, async (directory) => {
      if (isBroken) throw new Error('EIO');
      synced.push(directory.slice(root.length));
    });
    await expect(sut.ensure(join(root, 'u'))).rejects.toThrow('EIO');
    isBroken = false;
    await sut.ensure(join(root, 'u'));
    expect(synced).toEqual(['']);
  });

  it('should create a removed directory again, with its parents', async () => {
    await sut.ensure(join(root, 'u/a/2024'));
    await rm(join(root, 'u'), { recursive: true });
    sut.forget(join(root, 'u/a/2024'));
    await sut.ensure(join(root, 'u/a/2024'));
    await stat(join(root, 'u/a/2024'));
  });

  it('should forget the directories below, but not one with a similar name', async () => {
    await sut.ensure(join(root, 'u/a/2024'));
    await sut.ensure(join(root, 'u/ab'));
    synced = [];
    sut.forget(join(root, 'u/a'));
    await sut.ensure(join(root, 'u/a/2024'));
    expect(synced).toEqual(['', '/u', '/u/a']);
    synced = [];
    await sut.ensure(join(root, 'u/ab'));
    expect(synced).toEqual([]);
  });
});
