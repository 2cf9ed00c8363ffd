import { createHash } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseForArchive } from '../../../../src/archive/mails/archiving/parse-message.task';
import { FileDeletions } from '../../../../src/archive/files/file-deletions';
import { ArchiveStores } from '../../../../src/archive/files/archive-store.port';
import {
  ArchiveWriter,
  WriteOptions,
  WrittenBatch,
} from '../../../../src/archive/mails/writing/archive-writer';
import { ArchiveLock } from '../../../../src/archive/mails/writing/archive-lock';
import type { MailToArchive } from '../../../../src/archive/mails/writing/mail-to-archive';
import { Transactions } from '../../../../src/platform/database/transactions';
import { startTestApp, TestApp } from '../../../support/app';
import { eml } from '../../../support/archive/eml';
import { StoreDouble } from '../../../support/archive/store-double';
import { EncryptedArchive } from '../../../support/encryption/encrypted-archive';
import type { TestUser } from '../../../support/test-user';
import { waitFor } from '../../../support/wait';

/** Processes encrypt, archive, replace or remove the same mail at the same time, step by step. */
describe('Encrypting mails that others write and delete', () => {
  let app: TestApp;
  let user: TestUser;
  let writer: ArchiveWriter;
  let stores: StoreDouble;
  let box: EncryptedArchive;
  let boxes = 0;

  const DATE = new Date('2024-02-29T12:00:00Z');

  beforeAll(async () => {
    app = await startTestApp({ sandbox: { messages: 1 } });
    user = await app.user();
    await app.dataSource.query('UPDATE users SET max_mailbox_accounts = 50');
    writer = app.app.get(ArchiveWriter);
    stores = StoreDouble.over(app.app.get(ArchiveStores));
    await (await connect()).setUp();
  });

  beforeEach(async () => {
    box = await connect();
  });

  afterEach(() => stores.behave({}));
  afterAll(() => app?.close());

  const connect = (): Promise<EncryptedArchive> =>
    EncryptedArchive.connect(app, user, `encraces${(boxes += 1)}-1@sandbox.mailroom.test`);

  /** Ids of messages in the mailbox, by name. */
  const ids = new Map<string, string>();

  const aMail = (name: string, text = 'text'): MailToArchive => {
    const raw = eml(`Subject: ${name}`, `Message-ID: <${name}@example.com>`, '', text);
    const key = `${box.accountId} ${name} ${text}`;
    const messageId = ids.get(key) ?? box.mailbox.insert(raw, { labelIds: ['INBOX'] });
    ids.set(key, messageId);
    return {
      messageId,
      threadId: messageId,
      date: DATE,
      receivedAt: DATE,
      dateSource: 'arrival' as const,
      labelIds: [],
      snippet: 'a preview',
      raw,
      parsed: parseForArchive({ raw }),
    };
  };

  const owner = (): { userId: string; accountId: string } => ({ userId: user.id, accountId: box.accountId });

  const write = (mails: MailToArchive[], options: Partial<WriteOptions> = {}): Promise<WrittenBatch> =>
    writer.write(owner(), mails, { replace: false, ...options });

  const deleteRows = async (): Promise<void> => {
    await app.app.get(Transactions).run(async (transaction) => {
      await app.app.get(ArchiveLock).acquire(owner(), transaction);
      const [rows] = await transaction.manager.query(
        'DELETE FROM archived_mails WHERE account_id = $1 RETURNING storage, storage_key',
        [box.accountId],
      );
      const doomed = (rows as any[]).map((row) => ({
        ...owner(),
        storage: row.storage as string,
        storageKey: row.storage_key as string,
      }));
      await app.app.get(FileDeletions).enqueue(doomed, transaction);
    });
    await app.app.get(FileDeletions).drain(box.accountId);
  };

  const expectOnlyEncrypted = async (count: number): Promise<void> => {
    await box.catchUp();
    expect(await box.inspect()).toMatchObject({ problems: [], encrypted: count, plain: 0 });
  };

  it('should delete the plain file that another archiver writes again', async () => {
    const mails = [aMail('a'), aMail('b')];
    const gate = stores.gate('putDone');
    const second = write(mails);
    await gate.reached;
    stores.behave({});
    // The first archiver is quicker; the second one has written its files, and has no rows.
    await write(mails);
    expect(await box.encrypt()).toMatchObject({ processed: 2 });
    gate.open();
    expect((await second).archived).toEqual([]);
    await expectOnlyEncrypted(2);
  });

  it('should delete it when it is written after the plain file was deleted', async () => {
    const mails = [aMail('a')];
    const gate = stores.gate('put');
    const second = write(mails);
    await gate.reached;
    stores.behave({});
    await write(mails);
    await box.encrypt();
    gate.open();
    expect((await second).archived).toEqual([]);
    await expectOnlyEncrypted(1);
  });

  it('should delete its own file when the mail was deleted in the meantime', async () => {
    await write([aMail('a'), aMail('b')]);
    const gate = stores.gate('putDone');
    const jobId = await box.startEncrypting();
    await gate.reached;
    stores.behave({});
    await deleteRows();
    gate.open();
    expect(await user.jobEnd(jobId)).toMatchObject({ status: 'completed', processed: 0, failed: 0 });
    expect(await box.files()).toEqual([]);
  });

  it('should not report a mail as damaged that is deleted while it is read', async () => {
    await write([aMail('a')]);
    const reading = stores.gate('read');
    const jobId = await box.startEncrypting();
    await reading.reached;
    stores.behave({});
    await deleteRows();
    reading.open();
    expect(await user.jobEnd(jobId)).toMatchObject({ status: 'completed', processed: 0, failed: 0 });
    expect(await box.files()).toEqual([]);
  });

  it('should encrypt a mail that was deleted and archived again in the meantime', async () => {
    await write([aMail('a')]);
    const gate = stores.gate('putDone');
    const jobId = await box.startEncrypting();
    await gate.reached;
    stores.behave({});
    await deleteRows();
    await write([aMail('a')]);
    gate.open();
    expect(await user.jobEnd(jobId)).toMatchObject({ status: 'completed', processed: 1, failed: 0 });
    await expectOnlyEncrypted(1);
  });

  it('should not replace a file that the row has named since', async () => {
    await write([aMail('a')]);
    const gate = stores.gate('putDone');
    const jobId = await box.startEncrypting();
    await gate.reached;
    stores.behave({});
    // The service itself gives a message that is archived again a separate row.
    const { messageId } = aMail('a');
    const raw = box.mailbox.raw(messageId);
    raw[raw.length - 1] = raw[raw.length - 1]! ^ 1;
    const key = (await box.rows()).get(messageId).storage_key as string;
    const other = key.replace('.eml', '.0000000000000000.eml');
    await writeFile(join(app.archiveDir, other), raw);
    await app.dataSource.query(
      'UPDATE archived_mails SET storage_key = $3, sha256 = $4 WHERE account_id = $1 AND storage_key = $2',
      [box.accountId, key, other, createHash('sha256').update(raw).digest('hex')],
    );
    await rm(join(app.archiveDir, key));
    gate.open();
    expect(await user.jobEnd(jobId)).toMatchObject({ status: 'completed', processed: 1, failed: 0 });
    await expectOnlyEncrypted(1);
  });

  it('should keep encrypted mail when it is archived again with replacement', async () => {
    await write([aMail('a'), aMail('b')]);
    const gate = stores.gate('put');
    // It finds the mails plain and unchanged, and stands still at the file of a third one.
    const replacing = write([aMail('a'), aMail('b'), aMail('c')], { replace: true });
    await gate.reached;
    stores.behave({});
    await box.encrypt();
    gate.open();
    const { archived, kept } = await replacing;
    expect([archived, [...kept].sort()]).toEqual([
      [aMail('c').messageId],
      [aMail('a'), aMail('b')].map((mail) => mail.messageId).sort(),
    ]);
    await box.encrypt();
    await expectOnlyEncrypted(3);
  });

  it('should keep mail that was encrypted between the reads of its row and its file', async () => {
    await write([aMail('a')]);
    const gate = stores.gate('hash');
    const replacing = write([aMail('a')], { replace: true });
    await gate.reached;
    stores.behave({});
    await box.encrypt();
    gate.open();
    expect(await replacing).toMatchObject({ archived: [], kept: [aMail('a').messageId] });
    await expectOnlyEncrypted(1);
  });

  it('should end clearly, and leave nothing, when the account is purged', async () => {
    await write(Array.from({ length: 5 }, (_, n) => aMail(`m${n}`)));
    const gate = stores.gate('putDone');
    const jobId = await box.startEncrypting();
    await gate.reached;
    stores.behave({});
    expect((await user.api.delete(`/api/auth/mailbox/${box.accountId}?purge=true`)).status).toBe(204);
    await waitFor('the rows to be gone', async () => (await box.rows()).size === 0);
    gate.open();
    expect(['cancelled', 'failed', 'completed']).toContain((await user.jobEnd(jobId)).status);
    await waitFor('the account to be gone', async () => {
      const left = await app.dataSource.query('SELECT 1 FROM mailbox_accounts WHERE id = $1', [
        box.accountId,
      ]);
      return left.length === 0;
    });
    await box.catchUp();
    await waitFor('the files to be gone', async () => (await box.files()).length === 0);
  });

  /** Ends the leases of writers, and deletes the files. */
  const expireWriters = async (): Promise<void> => {
    await app.dataSource.query(
      'UPDATE file_deletions SET due_at = now(), lease_until = now() WHERE account_id = $1',
      [box.accountId],
    );
    await box.catchUp();
  };

  it('should encrypt again the files that were deleted before they were committed', async () => {
    await write([aMail('a'), aMail('b')]);
    const gate = stores.gate('putDone');
    const jobId = await box.startEncrypting();
    await gate.reached;
    await waitFor('both files', async () => (await box.files()).length === 4);
    stores.behave({});
    await expireWriters();
    expect(await box.files()).toHaveLength(2);
    gate.open();
    expect(await user.jobEnd(jobId)).toMatchObject({ status: 'completed', processed: 2, failed: 0 });
    await expectOnlyEncrypted(2);
  });

  it('should fail clearly, and leave the mail plain, when its files are deleted again and again', async () => {
    await write([aMail('a'), aMail('b')]);
    stores.behave({ afterPut: expireWriters });
    expect(await box.encrypt()).toMatchObject({ status: 'failed', processed: 0 });
    stores.behave({});
    await box.catchUp();
    expect(await box.inspect()).toMatchObject({ problems: [], encrypted: 0, plain: 2 });
  });

  it('should survive many concurrent changes', async () => {
    const mails = Array.from({ length: 30 }, (_, n) => aMail(`m${n}`));
    await write(mails);
    const storm = [
      box.encrypt(),
      ...Array.from({ length: 12 }, async (_, n) => {
        if (n % 6 === 5) await deleteRows();
        else await write(mails, { replace: n % 2 === 0 });
      }),
    ];
    const outcomes = await Promise.allSettled(storm);
    const reasons = outcomes.flatMap((outcome) =>
      outcome.status === 'rejected' ? [(outcome.reason as { code?: string }).code] : [],
    );
    expect(reasons.filter((code) => code !== 'archive-busy')).toEqual([]);
    await write(mails);
    await box.encrypt();
    await expectOnlyEncrypted(30);
  }, 90_000);
});
