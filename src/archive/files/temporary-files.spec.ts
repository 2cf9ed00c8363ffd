import { Logger } from '@nestjs/common';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { FullDisk } from '../../../test/support/full-disk';
import { TemporaryFiles } from './temporary-files';

const MINUTE = 60_000;

describe('TemporaryFiles', () => {
  let directory: string;
  const opened: TemporaryFiles[] = [];

  beforeEach(async () => {
    directory = join(await mkdtemp(join(tmpdir(), 'mailroom-temporary-')), '.tmp');
  });

  afterEach(async () => {
    await Promise.all(opened.splice(0).map((files) => files.close()));
    await rm(dirname(directory), { recursive: true, force: true });
  });

  const start = async (beatMs = 60 * MINUTE): Promise<TemporaryFiles> => {
    const files = new TemporaryFiles(directory, { beatMs, deadAfterMs: 10 * MINUTE });
    opened.push(files);
    await files.open();
    return files;
  };

  const halfWritten = async (files: TemporaryFiles): Promise<string> => {
    const { path, file } = await files.create();
    await file.writeFile('half');
    await file.close();
    return path;
  };

  const nextTurn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 5));

  const lastSeen = (path: string, minutesAgo: number): Promise<void> => {
    const then = new Date(Date.now() - minutesAgo * MINUTE);
    return utimes(path, then, then);
  };

  const found = async (): Promise<string[]> =>
    (await readdir(directory, { recursive: true, withFileTypes: true }))
      .filter((entry) => entry.isFile() && entry.name !== 'alive')
      .map((entry) => join(entry.parentPath, entry.name));

  it('should not touch the files of a living writer, even with the same host and pid', async () => {
    const one = await start();
    const path = await halfWritten(one);
    await lastSeen(path, 600);
    await start();
    expect(await found()).toEqual([path]);
  });

  it('should remove the files of a writer that has not been seen for a long time', async () => {
    const [dead, late] = [await start(), await start()];
    const lost = await halfWritten(dead);
    const kept = await halfWritten(late);
    await lastSeen(join(dirname(lost), 'alive'), 11);
    await lastSeen(join(dirname(kept), 'alive'), 9);
    await start();
    expect(await found()).toEqual([kept]);
    expect(await readdir(directory)).not.toContain(dirname(lost).split('/').at(-1));
  });

  it('should check repeatedly', async () => {
    const dead = await start();
    const lost = await halfWritten(dead);
    await start(10);
    await lastSeen(join(dirname(lost), 'alive'), 11);
    // Its folder goes with it: a walk through the folders would find some of them gone.
    while (existsSync(lost)) await nextTurn();
  });

  it('should refresh its mark while it lives', async () => {
    const sut = await start(10);
    const path = await halfWritten(sut);
    const alive = join(dirname(path), 'alive');
    for (let round = 0; round < 3; round += 1) {
      await lastSeen(alive, 11);
      while (Date.now() - (await stat(alive)).mtimeMs > 10 * MINUTE) await nextTurn();
    }
    await start();
    expect(await found()).toEqual([path]);
  });

  it('should not touch a newly created folder', async () => {
    await start();
    const young = join(directory, 'young');
    await mkdir(young);
    await writeFile(join(young, 'a'), 'half');
    await start();
    expect(await found()).toEqual([join(young, 'a')]);
  });

  it('should keep writing after it was presumed dead', async () => {
    const sut = await start();
    const path = await halfWritten(sut);
    await rm(dirname(path), { recursive: true });
    const next = await halfWritten(sut);
    expect(await found()).toEqual([next]);
    await start();
    expect(await found()).toEqual([next]);
  });

  it('should remove old files of earlier versions, which had no folders', async () => {
    await mkdir(directory);
    for (const name of ['host-1-old', 'host-1-new']) await writeFile(join(directory, name), 'half');
    await lastSeen(join(directory, 'host-1-old'), 11);
    await start();
    expect(await found()).toEqual([join(directory, 'host-1-new')]);
  });

  it('should open on a full disk, reject writers, and write once there is space', async () => {
    jest.spyOn(Logger.prototype, 'warn').mockReturnValue(undefined);
    const disk = await FullDisk.below(directory);
    try {
      const sut = await start();
      await expect(halfWritten(sut)).rejects.toMatchObject({ code: 'ENOSPC' });
      disk.makeRoom();
      const path = await halfWritten(sut);
      expect(await found()).toContain(path);
    } finally {
      disk.makeRoom();
    }
  });

  it('should leave nothing behind when it is closed', async () => {
    const sut = await start();
    await sut.close();
    expect(await readdir(directory)).toEqual([]);
  });
});
