import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { ArchiveStores } from '../../src/archive-storage/archive-store.port';
import { DatabaseFileDeletions, FileDeletions, FileToDelete } from '../../src/archive-storage/file-deletions';
import { ArchiveWritesRepository } from '../../src/archive/writing/archive-writes.repository';
import { Transactions } from '../../src/common/database/transactions';
import { startTestApp, TestApp } from '../support/app';
import { ArchiveFixture } from '../support/archive/archive-fixture';
import { StoreDouble } from '../support/archive/store-double';
import type { TestUser } from '../support/test-user';

describe('Archive removals', () => {
  let app: TestApp;
  let user: TestUser;
  let sut: DatabaseFileDeletions;
  let stores: StoreDouble;
  let boxes = 0;

  beforeAll(async () => {
    app = await startTestApp({ sandbox: { messages: 1 } });
    user = await app.user();
    await app.dataSource.query('UPDATE users SET max_mailbox_accounts = 50');
    sut = app.app.get(DatabaseFileDeletions);
    stores = StoreDouble.over(app.app.get(ArchiveStores));
  });

  afterEach(() => stores.behave({}));
  afterAll(() => app?.close());

  const archived = async (messages: number): Promise<{ box: ArchiveFixture; files: FileToDelete[] }> => {
    const email = `removals${(boxes += 1)}-${messages}@sandbox.mailroom.test`;
    const box = await ArchiveFixture.connect(app, user, email);
    await box.archive({ query: 'in:anywhere' });
    const files = [...(await box.rows()).values()].map((row) => ({
      storage: row.storage as string,
      storageKey: row.storage_key as string,
      userId: user.id,
      accountId: box.accountId,
    }));
    return { box, files };
  };

  const register = (box: ArchiveFixture, files: readonly FileToDelete[], deleteRows = true): Promise<void> =>
    app.app.get(Transactions).run(async (transaction) => {
      const owner = { userId: user.id, accountId: box.accountId };
      await app.app.get(ArchiveWritesRepository).lockArchive(owner, transaction);
      if (deleteRows) {
        await transaction.manager.query('DELETE FROM archived_mails WHERE storage_key = ANY ($1)', [
          files.map(({ storageKey }) => storageKey),
        ]);
      }
      await app.app.get(FileDeletions).register(files, transaction);
    });

  const pending = async (box: ArchiveFixture): Promise<number> => {
    const [{ count }] = await app.dataSource.query(
      'SELECT count(*)::int AS count FROM archive_removals WHERE account_id = $1 AND removed_at IS NULL',
      [box.accountId],
    );
    return count as number;
  };

  const makeDue = (box: ArchiveFixture): Promise<unknown> =>
    app.dataSource.query('UPDATE archive_removals SET due_at = now() WHERE account_id = $1', [box.accountId]);

  it('should delete the files that are registered, and no others', async () => {
    const { box, files } = await archived(5);
    await register(box, files.slice(0, 3));
    expect(await sut.carryOut(files)).toBe(3);
    expect(await box.files()).toEqual(
      files
        .slice(3)
        .map(({ storageKey }) => storageKey)
        .sort(),
    );
    expect([await pending(box), await sut.carryOut(files)]).toEqual([0, 0]);
  });

  it('should never register a file that a row names', async () => {
    const { box, files } = await archived(3);
    await register(box, files, false);
    expect([await pending(box), await sut.carryOut(files)]).toEqual([0, 0]);
    expect(await box.files()).toHaveLength(3);
  });

  it('should leave nothing registered when the transaction is rolled back', async () => {
    const { box, files } = await archived(2);
    const failing = app.app.get(Transactions).run(async (transaction) => {
      await transaction.manager.query('DELETE FROM archived_mails WHERE account_id = $1', [box.accountId]);
      await sut.register(files, transaction);
      throw new Error('killed');
    });
    await expect(failing).rejects.toThrow('killed');
    expect([(await box.rows()).size, await pending(box), await sut.carryOut(files)]).toEqual([2, 0, 0]);
    expect(await box.files()).toHaveLength(2);
  });

  it('should make pending again what is registered again', async () => {
    const { box, files } = await archived(1);
    await register(box, files);
    await sut.carryOut(files);
    await box.archive({ query: 'in:anywhere' });
    expect(await box.files()).toEqual([files[0]!.storageKey]);
    await register(box, files);
    expect([await sut.carryOut(files), await box.files()]).toEqual([1, []]);
  });

  it('should delete later what a crash left behind', async () => {
    const { box, files } = await archived(3);
    await register(box, files);
    await sut.carryOutDue();
    expect(await pending(box)).toBe(3);
    await makeDue(box);
    await sut.carryOutDue();
    expect([await pending(box), await box.files()]).toEqual([0, []]);
  });

  it('should keep what a store that is away holds, and delete it when the store is back', async () => {
    const { box, files } = await archived(30);
    await register(box, files);
    const tried: string[] = [];
    stores.behave({
      beforeDelete: async (key) => {
        tried.push(key);
        throw new Error('connect ECONNREFUSED');
      },
    });
    expect(await sut.carryOut(files)).toBe(0);
    expect(tried.length).toBeLessThanOrEqual(12);
    await makeDue(box);
    expect(await sut.carryOutDue()).toBe(0);
    expect(await sut.carryOutFor(box.accountId, new AbortController().signal)).toBe(30);
    expect(await box.files()).toHaveLength(30);
    stores.behave({});
    expect(await sut.carryOutFor(box.accountId, new AbortController().signal)).toBe(0);
    expect(await box.files()).toEqual([]);
  });

  it('should not let a file that cannot be deleted hold up the others', async () => {
    const { box, files } = await archived(20);
    await register(box, files);
    const [stuck] = files;
    stores.behave({
      beforeDelete: async (key) => {
        if (key === stuck!.storageKey) throw new Error('EISDIR');
      },
    });
    await makeDue(box);
    expect([await sut.carryOutDue(), await pending(box)]).toEqual([19, 1]);
    // Not due again at once.
    expect(await sut.carryOutDue()).toBe(0);
    await access(join(app.archiveDir, stuck!.storageKey));
  });

  it('should make a second caller wait until the files are gone, and the schedule pass them by', async () => {
    const { box, files } = await archived(4);
    await register(box, files);
    await makeDue(box);
    const gate = stores.gate('delete');
    const first = sut.carryOut(files);
    await gate.reached;
    expect(await sut.carryOutDue()).toBe(0);
    let secondDone = false;
    const second = sut.carryOut(files).then((count) => {
      secondDone = true;
      return count;
    });
    await stores.waitForLock(app.dataSource, 'FROM archive_removals');
    expect(secondDone).toBe(false);
    gate.open();
    expect(await Promise.all([first, second])).toEqual([4, 0]);
    expect(await box.files()).toEqual([]);
  });

  it('should leave connections to everybody else while a store hangs', async () => {
    const { box, files } = await archived(12);
    await register(box, files);
    const gate = stores.gate('delete');
    // More callers than the pool of the test has connections, each with files of its own.
    const calls = files.map((file) => sut.carryOut([file]));
    await gate.reached;
    expect((await user.api.get('/api/auth/me')).status).toBe(200);
    const [{ count }] = await app.dataSource.query(
      `SELECT count(*)::int AS count FROM pg_stat_activity
        WHERE datname = current_database() AND state = 'idle in transaction'`,
    );
    expect(count).toBeLessThanOrEqual(2);
    gate.open();
    expect(await Promise.all(calls)).toEqual(files.map(() => 1));
    expect(await box.files()).toEqual([]);
  });

  it('should share the work between schedules without deleting anything twice', async () => {
    const { box, files } = await archived(150);
    await register(box, files);
    await makeDue(box);
    const tried: string[] = [];
    stores.behave({
      beforeDelete: async (key) => {
        tried.push(key);
      },
    });
    const counts = await Promise.all([sut.carryOutDue(), sut.carryOutDue(), sut.carryOutDue()]);
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(150);
    expect([tried.length, new Set(tried).size, await box.files()]).toEqual([150, 150, []]);
  });

  it('should forget removals after a day', async () => {
    const { box, files } = await archived(2);
    await register(box, files);
    await sut.carryOut(files);
    const remembered = async (): Promise<number> =>
      (await app.dataSource.query('SELECT 1 FROM archive_removals WHERE account_id = $1', [box.accountId]))
        .length;
    await sut.forgetOld();
    expect(await remembered()).toBe(2);
    await app.dataSource.query(
      `UPDATE archive_removals SET removed_at = removed_at - interval '25 hours' WHERE storage_key = $1`,
      [files[0]!.storageKey],
    );
    await sut.forgetOld();
    expect(await remembered()).toBe(1);
  });
});
