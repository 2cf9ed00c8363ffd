import { access, mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ArchiveStores } from '../../../../src/archive/files/archive-store.port';
import { FileDeletionTimings } from '../../../../src/archive/files/file-deletion-timings';
import { FileDeletionWorker } from '../../../../src/archive/files/file-deletion-worker';
import { FileDeletions } from '../../../../src/archive/files/file-deletions';
import {
  FileDeletionsRepository,
  type FileToDelete,
} from '../../../../src/archive/files/file-deletions.repository';
import { newMailId, storageKey } from '../../../../src/archive/files/storage-key';
import { parseForArchive } from '../../../../src/archive/mails/archiving/parse-message.task';
import { ArchiveWriter } from '../../../../src/archive/mails/writing/archive-writer';
import { Transactions } from '../../../../src/platform/database/transactions';
import { startTestApp, TestApp } from '../../../support/app';
import { ArchiveFixture } from '../../../support/archive/archive-fixture';
import { eml } from '../../../support/archive/eml';
import { StoreDouble } from '../../../support/archive/store-double';
import type { TestUser } from '../../../support/test-user';

describe('File deletions', () => {
  let app: TestApp;
  let user: TestUser;
  let sut: FileDeletions;
  let worker: FileDeletionWorker;
  let stores: StoreDouble;
  let boxes = 0;

  beforeAll(async () => {
    // A process that runs no jobs deletes nothing by itself: the test decides when.
    app = await startTestApp({ sandbox: { messages: 1 }, env: { ROLE: 'api' } });
    user = await app.user();
    await app.dataSource.query('UPDATE users SET max_mailbox_accounts = 50');
    sut = app.app.get(FileDeletions);
    worker = app.app.get(FileDeletionWorker);
    stores = StoreDouble.over(app.app.get(ArchiveStores));
  });

  afterEach(async () => {
    stores.behave({});
    await app.dataSource.query('DELETE FROM file_deletions');
  });
  afterAll(() => app?.close());

  const archived = async (mails: number): Promise<{ box: ArchiveFixture; files: FileToDelete[] }> => {
    const box = await ArchiveFixture.connect(app, user, `deletions${(boxes += 1)}-1@sandbox.mailroom.test`);
    const owner = { userId: user.id, accountId: box.accountId };
    const batch = Array.from({ length: mails }, (_, n) => {
      const raw = eml(`Subject: ${n}`, `Message-ID: <${n}@example.com>`, '', 'text');
      const date = new Date('2024-02-29T12:00:00Z');
      const parsed = parseForArchive({ raw });
      return {
        messageId: `${n}`,
        threadId: `${n}`,
        date,
        receivedAt: date,
        dateSource: 'arrival' as const,
        labelIds: [],
        snippet: '',
        raw,
        parsed,
      };
    });
    await app.app.get(ArchiveWriter).write(owner, batch, { replace: false });
    const files = [...(await box.rows()).values()].map((row) => ({
      ...owner,
      storage: row.storage as string,
      storageKey: row.storage_key as string,
    }));
    return { box, files };
  };

  /** Deletes mails in the way of every deletion. */
  const deleteMails = (files: readonly FileToDelete[]): Promise<void> =>
    app.app.get(Transactions).run(async (transaction) => {
      await transaction.manager.query('DELETE FROM archived_mails WHERE storage_key = ANY ($1)', [
        files.map(({ storageKey: key }) => key),
      ]);
      await sut.enqueue(files, transaction);
    });

  const enqueued = async (box: ArchiveFixture): Promise<number> =>
    (await app.dataSource.query('SELECT 1 FROM file_deletions WHERE account_id = $1', [box.accountId]))
      .length;

  const keysOf = (files: readonly FileToDelete[]): string[] => files.map((file) => file.storageKey).sort();

  it('should have no rows for mails that were archived', async () => {
    const { box } = await archived(3);
    expect(await enqueued(box)).toBe(0);
  });

  it('should delete the files of deleted mails, and no others', async () => {
    const { box, files } = await archived(5);
    await deleteMails(files.slice(0, 3));
    expect(await box.files()).toHaveLength(5);
    expect(await sut.drain(box.accountId)).toBe(0);
    expect([await box.files(), await enqueued(box)]).toEqual([keysOf(files.slice(3)), 0]);
  });

  it('should keep, and forget, a file that a mail names', async () => {
    const { box, files } = await archived(3);
    await app.app.get(Transactions).run((transaction) => sut.enqueue(files, transaction));
    expect(await sut.drain(box.accountId)).toBe(0);
    expect([(await box.files()).length, await enqueued(box)]).toEqual([3, 0]);
  });

  it('should delete nothing when the transaction is rolled back', async () => {
    const { box, files } = await archived(2);
    const failing = app.app.get(Transactions).run(async (transaction) => {
      await transaction.manager.query('DELETE FROM archived_mails WHERE account_id = $1', [box.accountId]);
      await sut.enqueue(files, transaction);
      throw new Error('killed');
    });
    await expect(failing).rejects.toThrow('killed');
    await worker.runDue();
    expect([(await box.rows()).size, await enqueued(box), (await box.files()).length]).toEqual([2, 0, 2]);
  });

  it('should keep the files of an unavailable store, and delete them when it is back', async () => {
    const { box, files } = await archived(30);
    await deleteMails(files);
    const tried: string[] = [];
    stores.behave({
      beforeDelete: async (key) => {
        tried.push(key);
        throw new Error('connect ECONNREFUSED');
      },
    });
    await worker.runDue();
    expect(tried.length).toBeLessThanOrEqual(12);
    // It is left alone for a while.
    await worker.runDue();
    expect(tried.length).toBeLessThanOrEqual(12);
    expect(await sut.drain(box.accountId)).toBe(30);
    expect(await box.files()).toHaveLength(30);
    stores.behave({});
    expect(await sut.drain(box.accountId)).toBe(0);
    expect([await box.files(), await enqueued(box)]).toEqual([[], 0]);
  });

  it('should not let a file that cannot be deleted hold up the others', async () => {
    const { box, files } = await archived(20);
    await deleteMails(files);
    const stuck = files[0]!.storageKey;
    let tries = 0;
    stores.behave({
      beforeDelete: async (key) => {
        if (key !== stuck) return;
        tries += 1;
        throw new Error('EISDIR');
      },
    });
    // An earlier test may have found the local disk away.
    expect(await sut.drain(box.accountId)).toBe(1);
    await worker.runDue();
    expect([tries, await enqueued(box), await box.files()]).toEqual([1, 1, [stuck]]);
    await access(join(app.archiveDir, stuck));
  });

  it('should wait for files that another process is deleting', async () => {
    const { box, files } = await archived(4);
    await deleteMails(files);
    const gate = stores.gate('delete');
    const first = sut.drain(box.accountId);
    await gate.reached;
    let secondDone = false;
    const second = sut.drain(box.accountId).then((left) => {
      secondDone = true;
      return left;
    });
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(secondDone).toBe(false);
    gate.open();
    expect([await first, await second, await box.files()]).toEqual([0, 0, []]);
  });

  it('should hold no transaction while a store hangs', async () => {
    const { box, files } = await archived(12);
    await deleteMails(files);
    const gate = stores.gate('delete');
    const draining = sut.drain(box.accountId);
    await gate.reached;
    const [{ count }] = await app.dataSource.query(
      `SELECT count(*)::int AS count FROM pg_stat_activity
        WHERE datname = current_database() AND state = 'idle in transaction'`,
    );
    expect(count).toBe(0);
    gate.open();
    expect(await draining).toBe(0);
  });

  it('should share the work without deleting anything twice', async () => {
    const { box, files } = await archived(150);
    await deleteMails(files);
    const tried: string[] = [];
    stores.behave({
      beforeDelete: async (key) => {
        tried.push(key);
      },
    });
    await Promise.all([1, 2, 3].map(() => sut.drain(box.accountId)));
    expect([tried.length, new Set(tried).size, await box.files()]).toEqual([150, 150, []]);
  });

  describe('of a process that was killed', () => {
    const repository = (): FileDeletionsRepository => app.app.get(FileDeletionsRepository);

    const newFiles = (box: ArchiveFixture, count: number): FileToDelete[] =>
      Array.from({ length: count }, () => {
        const date = new Date('2024-02-29T12:00:00Z');
        return {
          storage: 'local',
          storageKey: storageKey(user.id, box.accountId, date, newMailId(date)),
          userId: user.id,
          accountId: box.accountId,
        };
      });

    const put = async ({ storageKey: key }: FileToDelete): Promise<void> => {
      await mkdir(dirname(join(app.archiveDir, key)), { recursive: true });
      await writeFile(join(app.archiveDir, key), 'text');
    };

    const endLeases = (box: ArchiveFixture): Promise<unknown> =>
      app.dataSource.query(
        'UPDATE file_deletions SET due_at = now(), lease_until = now() WHERE account_id = $1',
        [box.accountId],
      );

    it('should delete files that it wrote and did not commit, when its lease has expired', async () => {
      const { box } = await archived(0);
      const files = newFiles(box, 3);
      await repository().insertLeased(files, 60_000);
      await Promise.all(files.map(put));
      expect(await sut.drain(box.accountId)).toBe(0);
      expect(await box.files()).toEqual(keysOf(files));
      await endLeases(box);
      expect(await sut.drain(box.accountId)).toBe(0);
      expect([await box.files(), await enqueued(box)]).toEqual([[], 0]);
    });

    it('should forget files that it reserved and never wrote', async () => {
      const { box } = await archived(0);
      await repository().insertLeased(newFiles(box, 3), 60_000);
      await endLeases(box);
      expect([await sut.drain(box.accountId), await enqueued(box)]).toEqual([0, 0]);
    });

    it('should delete files that it had claimed, some of them deleted, when its lease has expired', async () => {
      const { box, files } = await archived(4);
      await deleteMails(files);
      const claimed = await worker.claimOf(box.accountId, '00000000-0000-0000-0000-000000000000', []);
      const store = await app.app.get(ArchiveStores).find('local');
      await store.delete(claimed[0]!.storageKey);
      await endLeases(box);
      expect(await sut.drain(box.accountId)).toBe(0);
      expect([await box.files(), await enqueued(box)]).toEqual([[], 0]);
    });

    it('should not delete the files of a living writer', async () => {
      const { box } = await archived(0);
      const timings = app.app.get(FileDeletionTimings) as { writerLeaseMs: number };
      const { writerLeaseMs } = timings;
      timings.writerLeaseMs = 600;
      const files = newFiles(box, 2);
      const reserved = await sut.reserve(files);
      timings.writerLeaseMs = writerLeaseMs;
      await Promise.all(files.map(put));
      await new Promise((resolve) => setTimeout(resolve, 1_500));
      await sut.drain(box.accountId);
      expect(await box.files()).toEqual(keysOf(files));
      await reserved.release();
      expect(await sut.drain(box.accountId)).toBe(0);
      expect(await box.files()).toEqual([]);
    });
  });
});
