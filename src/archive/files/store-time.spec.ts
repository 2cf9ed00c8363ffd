import { setTimeout as sleep } from 'node:timers/promises';
import { ArchiveStoreEndless } from './archive-store.errors';
import { StoreTime } from './store-time';

describe('StoreTime', () => {
  it('should be up for one store, but not for another or the local disk', async () => {
    const sut = new StoreTime({ perStoreMs: 1, perPassMs: 60_000 });
    await sut.of('one').spend(() => sleep(5));
    await sut.of('local').spend(() => sleep(5));
    await expect(sut.of('one').spend(() => sleep(0))).rejects.toThrow(ArchiveStoreEndless);
    expect([sut.of('other').leftMs, sut.of('local').leftMs]).toEqual([1, Infinity]);
  });

  it('should be up for all user-chosen stores after a whole pass', async () => {
    const sut = new StoreTime({ perStoreMs: 60_000, perPassMs: 1 });
    await sut.of('one').spend(() => sleep(5));
    expect([sut.of('other').leftMs, sut.of('local').leftMs]).toEqual([0, Infinity]);
  });
});
