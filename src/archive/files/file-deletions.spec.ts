import { setTimeout as sleep } from 'node:timers/promises';
import { FileDeletionTimings } from './file-deletion-timings';
import type { FileDeletionWorker } from './file-deletion-worker';
import { FileDeletions } from './file-deletions';
import type { FileDeletionsRepository, FilesLeft, LeasedFile } from './file-deletions.repository';

describe('FileDeletions', () => {
  let left: FilesLeft[];
  let deleted: string[];
  let released: string[];
  let claims: (readonly string[])[];

  beforeEach(() => {
    [left, deleted, released, claims] = [[], [], [], []];
  });

  /** An account with files without end in a bucket and on the local disk; a deletion takes 20 ms. */
  const drainOf = (storages: readonly string[]) => {
    let number = 0;
    const fileIn = (storage: string): LeasedFile => {
      number += 1;
      return { id: `${number}`, token: 'token', storage, storageKey: `${number}.eml` };
    };
    const worker: Partial<FileDeletionWorker> = {
      claimOf: async (_accountId, _after, except) => {
        claims.push(except);
        const open = storages.filter((storage) => !except.includes(storage));
        return claims.length > 5 && open.every((storage) => storage === 'local') ? [] : open.map(fileIn);
      },
      delete: async (storage, files) => {
        await sleep(20);
        deleted.push(...files.map(() => storage));
        return 'done';
      },
    };
    const repository: Partial<FileDeletionsRepository> = {
      count: async () => left,
      releaseDue: async (files) => void released.push(...files.map(({ id }) => id)),
    };
    return new FileDeletions(
      repository as FileDeletionsRepository,
      worker as FileDeletionWorker,
      new FileDeletionTimings(),
      { perStoreMs: 10, perPassMs: 10_000 },
    );
  };

  it('should skip a store whose time is up, and continue with the others', async () => {
    await drainOf(['bucket', 'local']).drain('account');
    expect(deleted.filter((storage) => storage === 'bucket')).toHaveLength(1);
    expect(deleted.filter((storage) => storage === 'local').length).toBeGreaterThan(2);
    expect(released).toHaveLength(1);
    expect(claims.at(-1)).toEqual(['bucket']);
  });

  it('should not try it again in the same pass', async () => {
    const sut = drainOf(['bucket']);
    const pass = sut.beginPass();
    await sut.drain('account', { pass });
    await sut.drain('account', { pass });
    expect([deleted.length, released.length]).toEqual([1, 1]);
  });

  it('should not wait for other processes deleting from a store whose time is up', async () => {
    left = [{ storage: 'bucket', claimed: 3, waiting: 97 }];
    expect(await drainOf(['bucket']).drain('account')).toBe(100);
  });
});
