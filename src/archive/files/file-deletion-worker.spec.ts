import { Logger } from '@nestjs/common';
import type { AppConfig } from '../../platform/config/app-config';
import type { ArchiveStore, ArchiveStores } from './archive-store.port';
import { FileDeletionTimings } from './file-deletion-timings';
import { FileDeletionWorker } from './file-deletion-worker';
import type { FileDeletionsRepository, LeasedFile } from './file-deletions.repository';

/** Files that are due, by store, and what their deletion does. */
class Deletions {
  readonly claims: string[] = [];
  readonly deleted: string[] = [];
  private readonly due: { storage: string; userId: string; files: number }[] = [];
  /** Files of a claim. */
  batch = 1;
  behaviour: (storage: string) => Promise<void> = async () => undefined;
  readonly sut: FileDeletionWorker;

  constructor() {
    const repository: Partial<FileDeletionsRepository> = {
      findStoresWithDue: async () => this.due.filter(({ files }) => files > 0),
      claimDue: async (storage) => this.claim(storage),
      findNamed: async () => new Set(),
      delete: async (files) => files.length,
      releaseDue: async () => undefined,
      postpone: async () => undefined,
    };
    const stores: Partial<ArchiveStores> = { find: async (storage) => this.store(storage) };
    this.sut = new FileDeletionWorker(
      repository as FileDeletionsRepository,
      stores as ArchiveStores,
      new FileDeletionTimings(),
      {} as AppConfig,
    );
  }

  add(userId: string, storage: string, files: number): void {
    this.due.push({ storage, userId, files });
  }

  private claim(storage: string): LeasedFile[] {
    const store = this.due.find((one) => one.storage === storage)!;
    store.files -= 1;
    this.claims.push(storage);
    return Array.from({ length: this.batch }, (_, n) => ({
      id: `${storage}-${store.files}-${n}`,
      token: 'token',
      storage,
      storageKey: `${store.files}-${n}.eml`,
    }));
  }

  private store(storage: string): ArchiveStore {
    const store: Partial<ArchiveStore> = {
      delete: async () => {
        await this.behaviour(storage);
        this.deleted.push(storage);
      },
    };
    return store as ArchiveStore;
  }
}

describe('FileDeletionWorker', () => {
  let deletions: Deletions;

  beforeEach(() => void (deletions = new Deletions()));
  afterEach(() => void jest.restoreAllMocks());

  it('should delete the files of other users while all stores of one user hang', async () => {
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    for (let n = 0; n < 20; n += 1) deletions.add('attacker', `a-${n}`, 5);
    for (let n = 0; n < 20; n += 1) deletions.add(`victim-${n}`, `v-${n}`, 3);
    deletions.behaviour = (storage) => (storage.startsWith('a-') ? released : Promise.resolve());
    const done = deletions.sut.runDue();
    while (deletions.deleted.length < 60) await new Promise((resolve) => setTimeout(resolve, 5));
    expect(deletions.claims.filter((storage) => storage.startsWith('a-'))).toHaveLength(2);
    release();
    await done;
    expect(deletions.deleted).toHaveLength(160);
  });

  it('should let stores take turns', async () => {
    for (let n = 0; n < 20; n += 1) deletions.add(`user-${n}`, `s-${n}`, n < 8 ? 50 : 1);
    await deletions.sut.runDue();
    expect(new Set(deletions.claims.slice(0, 30)).size).toBe(20);
  });

  it('should try an unreachable store less and less often, and log it once', async () => {
    let clock = 0;
    jest.spyOn(performance, 'now').mockImplementation(() => clock);
    const warn = jest.spyOn(Logger.prototype, 'warn').mockReturnValue(undefined);
    deletions.add('user', 'gone', 1_000_000);
    deletions.behaviour = () => Promise.reject(new Error('connect ECONNREFUSED'));
    deletions.batch = 4;
    const minutes: number[] = [];
    for (let minute = 0; minute <= 7 * 24 * 60; minute += 1) {
      clock = minute * 60_000;
      const before = deletions.claims.length;
      await deletions.sut.runDue();
      if (deletions.claims.length > before) minutes.push(minute);
    }
    expect(minutes.slice(0, 6)).toEqual([0, 1, 3, 7, 15, 31]);
    expect(minutes.at(-1)! - minutes.at(-2)!).toBe(24 * 60);
    expect(warn).toHaveBeenCalledTimes(1);
  });
});
