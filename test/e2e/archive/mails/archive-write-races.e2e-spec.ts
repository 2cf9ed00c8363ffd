import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ArchiveStoreUnavailable } from '../../../../src/archive/files/archive-store.errors';
import { ArchiveStores } from '../../../../src/archive/files/archive-store.port';
import { FileDeletionWorker } from '../../../../src/archive/files/file-deletion-worker';
import { FileDeletions } from '../../../../src/archive/files/file-deletions';
import type { FileToDelete } from '../../../../src/archive/files/file-deletions.repository';
import { parseForArchive } from '../../../../src/archive/mails/archiving/parse-message.task';
import {
  ArchiveWriter,
  WriteOptions,
  WrittenBatch,
} from '../../../../src/archive/mails/writing/archive-writer';
import { ArchiveLock } from '../../../../src/archive/mails/writing/archive-lock';
import type { MailToArchive } from '../../../../src/archive/mails/writing/mail-to-archive';
import { Transactions } from '../../../../src/platform/database/transactions';
import { startTestApp, TestApp } from '../../../support/app';
import { ArchiveFixture } from '../../../support/archive/archive-fixture';
import { eml } from '../../../support/archive/eml';
import { StoreDouble } from '../../../support/archive/store-double';
import type { TestUser } from '../../../support/test-user';
import { waitFor } from '../../../support/wait';

interface DeletedRow {
  readonly storage: string;
  readonly storage_key: string;
}

/** The same mail is deleted and archived at the same time, step by step. */
describe('Writers of the archive, and processes that delete from it', () => {
  let app: TestApp;
  let user: TestUser;
  let sut: ArchiveWriter;
  let fileDeletions: FileDeletions;
  let stores: StoreDouble;
  let box: ArchiveFixture;
  let boxes = 0;

  const DATE = new Date('2024-02-29T12:00:00Z');

  beforeAll(async () => {
    app = await startTestApp({ sandbox: { messages: 1 } });
    user = await app.user();
    await app.dataSource.query('UPDATE users SET max_mailbox_accounts = 50');
    sut = app.app.get(ArchiveWriter);
    fileDeletions = app.app.get(FileDeletions);
    stores = StoreDouble.over(app.app.get(ArchiveStores));
  });

  beforeEach(async () => {
    box = await ArchiveFixture.connect(app, user, `races${(boxes += 1)}-1@sandbox.mailroom.test`);
  });

  afterEach(async () => {
    stores.behave({});
    await everyRowHasItsFile();
  });
  afterAll(() => app?.close());

  const aMail = (messageId: string, text = 'text'): MailToArchive => {
    const raw = eml(`Subject: ${messageId}`, `Message-ID: <${messageId}@example.com>`, '', text);
    const parsed = parseForArchive({ raw });
    return {
      messageId,
      threadId: messageId,
      date: DATE,
      receivedAt: DATE,
      dateSource: 'arrival' as const,
      labelIds: [],
      snippet: '',
      raw,
      parsed,
    };
  };

  const owner = (): { userId: string; accountId: string } => ({
    userId: user.id,
    accountId: box.accountId,
  });

  const write = (mails: MailToArchive[], options: Partial<WriteOptions> = {}): Promise<WrittenBatch> =>
    sut.write(owner(), mails, { replace: false, ...options });

  /** Deletes rows in the way of retention and purges. */
  const deleteRows = (): Promise<FileToDelete[]> =>
    app.app.get(Transactions).run(async (transaction) => {
      await app.app.get(ArchiveLock).acquire(owner(), transaction);
      const [rows] = await transaction.manager.query<[DeletedRow[], number]>(
        'DELETE FROM archived_mails WHERE account_id = $1 RETURNING storage, storage_key',
        [box.accountId],
      );
      const files = rows.map(({ storage, storage_key: storageKey }) => ({ ...owner(), storage, storageKey }));
      await fileDeletions.enqueue(files, transaction);
      return files;
    });

  /** The leases of everybody who is writing to the account run out, and their files are deleted. */
  const expireWriters = async (): Promise<void> => {
    await app.dataSource.query(
      'UPDATE file_deletions SET due_at = now(), lease_until = now() WHERE account_id = $1',
      [box.accountId],
    );
    await fileDeletions.drain(box.accountId);
  };

  const enqueued = async (): Promise<number> =>
    (await app.dataSource.query('SELECT 1 FROM file_deletions WHERE account_id = $1', [box.accountId]))
      .length;

  const everyRowHasItsFile = async (): Promise<void> => {
    const keys = [...(await box.rows()).values()].map(({ storage_key }) => storage_key as string);
    expect(keys.filter((key) => !existsSync(join(app.archiveDir, key)))).toEqual([]);
  };

  /** Expects that only named files are left once all enqueued files have been deleted. */
  const onlyNamedFiles = async (): Promise<void> => {
    expect([await fileDeletions.drain(box.accountId), await enqueued()]).toEqual([0, 0]);
    const keys = [...(await box.rows()).values()].map(({ storage_key }) => storage_key as string);
    expect(await box.files()).toEqual(keys.sort());
  };

  it('should keep a mail archived again between the deletion of its row and of its file', async () => {
    const gate = stores.gate('delete');
    await write([aMail('a')]);
    const [file] = await deleteRows();
    await gate.reached;
    expect((await write([aMail('a')])).archived).toEqual(['a']);
    stores.behave({});
    gate.open();
    await onlyNamedFiles();
    expect((await box.files())[0]).not.toBe(file!.storageKey);
  });

  it('should start again with new keys when files were deleted before their rows were committed', async () => {
    const gate = stores.gate('putDone');
    const writing = write([aMail('a'), aMail('b')]);
    await gate.reached;
    await waitFor('both files', async () => (await box.files()).length === 2);
    const first = await box.files();
    stores.behave({});
    await expireWriters();
    expect(await box.files()).toEqual([]);
    gate.open();
    expect((await writing).archived).toEqual(['a', 'b']);
    await onlyNamedFiles();
    expect(await box.files()).not.toEqual(first);
  });

  it('should leave none of the files that were written after they had been deleted', async () => {
    const gate = stores.gate('put');
    const writing = write([aMail('a'), aMail('b')]);
    await gate.reached;
    stores.behave({});
    await expireWriters();
    expect(await enqueued()).toBe(0);
    gate.open();
    expect((await writing).archived).toEqual(['a', 'b']);
    await onlyNamedFiles();
  });

  it('should give up with a clear error when its files are deleted again and again', async () => {
    stores.behave({ afterPut: expireWriters });
    await expect(write([aMail('a')])).rejects.toMatchObject({ code: 'archive-busy' });
    stores.behave({});
    expect((await box.rows()).size).toBe(0);
    await onlyNamedFiles();
  });

  it('should keep rows and files when the response to the commit is lost', async () => {
    const transactions = app.app.get(Transactions);
    const run = transactions.run.bind(transactions);
    const lost = jest.spyOn(transactions, 'run').mockImplementation(async (work) => {
      await run(work);
      throw new Error('the connection was lost');
    });
    await expect(write([aMail('a'), aMail('b')])).rejects.toThrow('the connection was lost');
    lost.mockRestore();
    expect([(await box.rows()).size, await enqueued()]).toEqual([2, 0]);
    await onlyNamedFiles();
    expect((await write([aMail('a'), aMail('b')])).kept).toEqual(['a', 'b']);
  });

  it('should delete the files of a batch that is not committed', async () => {
    await app.dataSource.query(
      `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
         $$ BEGIN RAISE EXCEPTION 'refused' USING ERRCODE = '58000'; END $$;
       CREATE TRIGGER refuse BEFORE INSERT ON archived_mails FOR EACH STATEMENT EXECUTE FUNCTION refuse()`,
    );
    await expect(write([aMail('a'), aMail('b')])).rejects.toThrow('refused');
    await app.dataSource.query('DROP TRIGGER refuse ON archived_mails; DROP FUNCTION refuse()');
    // No drain: the worker finds them.
    await app.app.get(FileDeletionWorker).runDue();
    await waitFor('the files to be gone', async () => (await box.files()).length === 0);
    expect(await enqueued()).toBe(0);
  });

  it('should keep the file of another writer of the same mail when a writer fails', async () => {
    const failing = stores.gate('putDone');
    const first = write([aMail('a'), aMail('b')]);
    await failing.reached;
    stores.behave({});
    // The second writer has files and rows when the first one is refused.
    expect((await write([aMail('a')])).archived).toEqual(['a']);
    await app.dataSource.query(
      `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
         $$ BEGIN RAISE EXCEPTION 'refused' USING ERRCODE = '58000'; END $$;
       CREATE TRIGGER refuse BEFORE INSERT ON archived_mails FOR EACH STATEMENT EXECUTE FUNCTION refuse()`,
    );
    failing.open();
    await expect(first).rejects.toThrow('refused');
    await app.dataSource.query('DROP TRIGGER refuse ON archived_mails; DROP FUNCTION refuse()');
    expect([...(await box.rows()).keys()]).toEqual(['a']);
    await onlyNamedFiles();
  });

  it('should keep the file of another writer without a row yet when a writer fails', async () => {
    let puts = 0;
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    let failed = (): void => undefined;
    const firstFailed = new Promise<void>((resolve) => (failed = resolve));
    stores.behave({
      // Both have written; then the first fails and discards; then the second goes on.
      afterPut: async () => {
        puts += 1;
        if (puts === 1) {
          await released;
          throw new Error('the connection was lost');
        }
        if (puts === 2) {
          release();
          await firstFailed;
        }
      },
    });
    const first = write([aMail('a')]).catch(async (error: Error) => {
      failed();
      return error.message;
    });
    await waitFor('the first file', () => puts === 1);
    const second = write([aMail('a')]);
    expect(await first).toBe('the connection was lost');
    expect((await second).archived).toEqual(['a']);
    await onlyNamedFiles();
  });

  it('should leave one row and one file when several archive the same mails at once', async () => {
    const batch = (): MailToArchive[] => Array.from({ length: 20 }, (_, number) => aMail(`m${number}`));
    const results = await Promise.all(Array.from({ length: 6 }, () => write(batch())));
    expect(results.flatMap(({ archived }) => archived)).toHaveLength(20);
    expect((await box.rows()).size).toBe(20);
    await onlyNamedFiles();
  });

  it('should survive many concurrent removals and writers', async () => {
    const batch = (): MailToArchive[] => Array.from({ length: 10 }, (_, number) => aMail(`m${number}`));
    const storm = Array.from({ length: 24 }, async (_, number) => {
      if (number % 3 === 0) await deleteRows();
      else await write(batch(), { replace: number % 2 === 0 });
    });
    const outcomes = await Promise.allSettled(storm);
    const reasons = outcomes.flatMap((outcome) =>
      outcome.status === 'rejected' ? [(outcome.reason as { code?: string }).code] : [],
    );
    expect(reasons.filter((code) => code !== 'archive-busy')).toEqual([]);
    await everyRowHasItsFile();
    await onlyNamedFiles();
  });

  describe('replacing', () => {
    it('should delete the file of the mail that was replaced', async () => {
      await write([aMail('a', 'old')]);
      const [before] = await box.files();
      expect((await write([aMail('a', 'new')], { replace: true })).archived).toEqual(['a']);
      await onlyNamedFiles();
      expect(await box.files()).not.toContain(before);
    });

    it('should archive a mail again that was removed while it was found unchanged', async () => {
      await write([aMail('a'), aMail('b')]);
      // The rows go between the look at them and the transaction: the writer stands still at another mail's file.
      const gate = stores.gate('put');
      const writing = write([aMail('a'), aMail('b'), aMail('c')], { replace: true });
      await gate.reached;
      await deleteRows();
      stores.behave({});
      gate.open();
      const { archived, kept } = await writing;
      expect([[...archived].sort(), kept]).toEqual([['a', 'b', 'c'], []]);
      expect((await box.rows()).size).toBe(3);
      await onlyNamedFiles();
    });
  });

  describe('a purge', () => {
    const purged = async (): Promise<boolean> => {
      const accounts = await app.dataSource.query('SELECT 1 FROM mailbox_accounts WHERE id = $1', [
        box.accountId,
      ]);
      return accounts.length === 0;
    };

    it('should finish while the store is unavailable, and delete its files when it is back', async () => {
      await write(Array.from({ length: 30 }, (_, number) => aMail(`m${number}`)));
      let isAway = true;
      stores.behave({
        beforeDelete: async () => {
          if (isAway) throw new ArchiveStoreUnavailable('it refuses connections');
        },
      });
      expect((await user.api.delete(`/api/auth/mailbox/${box.accountId}?purge=true`)).status).toBe(204);
      await waitFor('the account to be gone', purged);
      expect(await box.files()).not.toEqual([]);
      isAway = false;
      // The job may still be trying, and put off what it tries.
      await waitFor('the files to be gone', async () => {
        await fileDeletions.drain(box.accountId);
        return (await box.files()).length === 0;
      });
    });

    it('should leave no file behind when it is interrupted between rows and files', async () => {
      await write(Array.from({ length: 5 }, (_, number) => aMail(`m${number}`)));
      stores.behave({ beforeDelete: () => Promise.reject(new Error('The process is gone.')) });
      // This is the state that a process leaves which is killed right after its commit.
      await deleteRows();
      expect([(await box.rows()).size, (await box.files()).length]).toEqual([0, 5]);
      stores.behave({});
      expect((await user.api.delete(`/api/auth/mailbox/${box.accountId}?purge=true`)).status).toBe(204);
      await waitFor('the account to be gone', purged);
      await waitFor('the files to be gone', async () => (await box.files()).length === 0);
    });
  });
});
