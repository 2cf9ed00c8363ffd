import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lockDirectory } from './directory-lock';
import { EmbeddedServiceUnavailable } from './embedded.errors';

describe('lockDirectory', () => {
  let directory: string;

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'mailroom-lock-'));
  });

  afterEach(() => rm(directory, { recursive: true, force: true }));

  it('should admit exactly one of many contenders, over a stale lock too', async () => {
    const stale = { pid: process.pid, startedAt: '1', bootId: 'another boot' };
    await writeFile(join(directory, 'lock.7'), JSON.stringify(stale));
    const outcomes = await Promise.allSettled(
      Array.from({ length: 20 }, () => lockDirectory(directory, '/shown/path', 0)),
    );
    const refused = outcomes.filter((outcome) => outcome.status === 'rejected');
    expect(refused).toHaveLength(19);
    for (const { reason } of refused) {
      expect(reason).toBeInstanceOf(EmbeddedServiceUnavailable);
      expect((reason as Error).message).toContain(
        `/shown/path is in use by another Mailroom process (pid ${process.pid})`,
      );
    }
    expect(await readdir(directory)).toEqual(['lock.8']);
  });

  it('should be free again after it is released', async () => {
    await (await lockDirectory(directory, directory)).release();
    await (await lockDirectory(directory, directory)).release();
    expect(await readdir(directory)).toEqual(['lock.2']);
  });

  it('should take over an empty lock file left by a power failure', async () => {
    await writeFile(join(directory, 'lock.1'), '');
    await (await lockDirectory(directory, directory)).release();
  });
});
