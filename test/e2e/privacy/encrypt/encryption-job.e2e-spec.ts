import { randomBytes } from 'node:crypto';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ArchiveStoreFull } from '../../../../src/archive/files/archive-store.errors';
import { ArchiveStores } from '../../../../src/archive/files/archive-store.port';
import {
  PassphraseAttempts,
  PassphrasesService,
} from '../../../../src/archive/passphrases/passphrases.service';
import type { ProviderAccount } from '../../../../src/providers/port/mailbox-provider.port';
import { MessageIndexReader } from '../../../../src/mailbox/index/message-index-reader';
import { startTestApp, TestApp } from '../../../support/app';
import { sha256 } from '../../../support/archive/archive-fixture';
import { eml, emlWithAttachment } from '../../../support/archive/eml';
import { StoreDouble } from '../../../support/archive/store-double';
import {
  decryptByTheBook,
  EncryptedArchive,
  PASSPHRASE,
  saltOf,
} from '../../../support/encryption/encrypted-archive';
import type { TestUser } from '../../../support/test-user';
import { waitFor } from '../../../support/wait';
import { nightly } from '../../../support/nightly';

const MIB = 1024 * 1024;
const UNKNOWN = '01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d';

const mail = (subject: string, body: string, from = 'Alice Example <alice@example.com>'): Buffer =>
  eml(`From: ${from}`, 'To: bob@example.com', `Subject: ${subject}`, '', body, '');

const large = (bytes: number): Buffer =>
  Buffer.concat([Buffer.from('From: big@example.com\r\nSubject: large\r\n\r\n'), randomBytes(bytes)]);

describe('Encrypting an archive', () => {
  let app: TestApp;
  let stores: StoreDouble;
  let user: TestUser;
  let box: EncryptedArchive;
  let boxes = 0;

  beforeAll(async () => {
    app = await startTestApp({ sandbox: { messages: 1 } });
    stores = StoreDouble.over(app.app.get(ArchiveStores));
    user = await app.user();
    await app.dataSource.query('UPDATE users SET max_mailbox_accounts = 50');
    await (await connect(0)).setUp();
  });

  beforeEach(async () => {
    box = await connect(0);
  });

  afterEach(() => stores.behave({}));
  afterAll(() => app?.close());

  const connect = (messages: number, owner = user): Promise<EncryptedArchive> =>
    EncryptedArchive.connect(app, owner, `encrypted${(boxes += 1)}-${messages}@sandbox.mailroom.test`);

  const row = async (id: string): Promise<any> =>
    (await app.dataSource.query('SELECT * FROM archived_mails WHERE id = $1', [id]))[0];

  const fileOf = async (id: string): Promise<string> =>
    join(app.archiveDir, (await row(id)).storage_key as string);

  const total = async (query: string): Promise<number> =>
    (await user.api.get(`${box.path}/mails?${query}`)).body.total as number;

  describe('POST /api/privacy/:accountId/encryption/encrypt', () => {
    const post = (path: string, body?: object) =>
      user.api.post(`/api/privacy/${path}/encryption/encrypt`, body);

    it('should check token, id, owner, body, set-up and passphrase in this order', async () => {
      const path = `${box.encryptionPath}/encrypt`;
      expect((await app.anonymous.post(path, {})).status).toBe(401);
      expect(await post('nonsense', {})).toMatchObject({ status: 400 });
      expect(await post(UNKNOWN, {})).toMatchObject({ status: 403, body: { code: 'account-not-owned' } });
      const other = await app.user();
      expect((await other.api.post(path, { passphrase: PASSPHRASE })).status).toBe(403);
      for (const body of [{}, { passphrase: 7 }, { passphrase: '' }, { passphrase: 'x'.repeat(1_025) }]) {
        expect(await post(box.accountId, body)).toMatchObject({
          status: 400,
          body: { errors: [{ field: 'passphrase' }] },
        });
      }
      const theirs = await connect(0, other);
      expect(
        await other.api.post(`${theirs.encryptionPath}/encrypt`, { passphrase: PASSPHRASE }),
      ).toMatchObject({ status: 409, body: { code: 'encryption-not-configured' } });
      expect(await post(box.accountId, { passphrase: 'wrong horse battery staple' })).toMatchObject({
        status: 403,
        body: { code: 'passphrase-invalid' },
      });
    });

    it('should limit guessing', async () => {
      const victim = await app.user();
      const sut = await connect(0, victim);
      await sut.setUp();
      const guess = async (passphrase: string): Promise<number> =>
        (await victim.api.post(`${sut.encryptionPath}/encrypt`, { passphrase })).status;
      for (let attempt = 0; attempt < 10; attempt += 1) {
        expect(await guess(`wrong guess ${attempt}`)).toBe(403);
      }
      expect(await guess(PASSPHRASE)).toBe(429);
    });

    it('should start one job for one Idempotency-Key, and another for another body', async () => {
      const send = (passphrase: string) =>
        user.api.fetch('POST', `${box.encryptionPath}/encrypt`, {
          body: JSON.stringify({ passphrase }),
          headers: { 'idempotency-key': 'once', 'content-type': 'application/json' },
        });
      const [first, second] = [await send(PASSPHRASE), await send(PASSPHRASE)];
      expect([first.status, second.status]).toEqual([202, 202]);
      const answers = [await first.json(), await second.json()] as { jobId: string; message: string }[];
      expect(answers[1]).toEqual(answers[0]);
      expect(answers[0]).toEqual({
        jobId: expect.stringMatching(/^encrypt_archives-\d+$/),
        message: expect.any(String),
      });
    });

    it('should encrypt the archive of a disconnected account', async () => {
      await box.insertAndArchive(mail('Kept', 'body'));
      expect((await user.api.delete(`/api/auth/mailbox/${box.accountId}`)).status).toBe(204);
      expect(await box.encrypt()).toMatchObject({ status: 'completed', processed: 1 });
      expect(await box.inspect()).toMatchObject({ problems: [], encrypted: 1 });
    });
  });

  it('should leave nothing of the bodies on disk, in search and in previews', async () => {
    const [invoice, photo, empty] = await box.insertAndArchive(
      mail('Invoice for April', 'The secret ingredient is cardamom.'),
      emlWithAttachment({
        subject: 'Holiday',
        text: 'paprika',
        disposition: 'attachment; filename="beach.txt"',
        content: Buffer.from('sand'),
      }),
      eml('From: x@example.com', 'Subject: nothing', '', ''),
    );
    // The index of the mailbox has previews of the same messages.
    const account: ProviderAccount = {
      id: box.accountId,
      userId: user.id,
      email: box.mailbox.email,
      provider: 'gmail',
    };
    await app.app
      .get(MessageIndexReader)
      .prepare(account, { priority: 'interactive', newest: 500, refresh: true });
    const previews = (): Promise<unknown[]> =>
      app.dataSource.query(
        `SELECT snippet FROM mailbox_messages WHERE account_id = $1 AND snippet ~ 'cardamom|paprika'`,
        [box.accountId],
      );
    expect(await previews()).toHaveLength(2);
    const bytes = (await user.api.get('/api/auth/me')).body.storageUsedBytes;
    const before = await box.totals();
    const { sha256: plainHash, storage_key: plainKey } = await row(invoice!);

    const job = await box.encrypt();
    expect(job).toMatchObject({
      status: 'completed',
      type: 'encrypt_archives',
      total: 3,
      processed: 3,
      failed: 0,
      progress: 100,
      error: null,
      payload: {},
      result: { encrypted: 3, skipped: 0, failed: 0, failures: [] },
    });
    expect(await box.inspect()).toMatchObject({ problems: [], encrypted: 3, plain: 0, salts: { size: 1 } });

    const { storage_key: key, sha256: hash, ...after } = await row(invoice!);
    expect(key).toMatch(new RegExp(`^${plainKey.replace(/[^/]*$/, '')}${invoice}\\.[0-9a-f]{16}\\.eml$`));
    expect(hash).not.toBe(plainHash);
    expect(after).toMatchObject({ is_encrypted: true, snippet: '' });
    const file = await readFile(join(app.archiveDir, key));
    expect([sha256(file), file.includes('cardamom'), file.length]).toEqual([
      hash,
      false,
      67 + Number(after.size_bytes),
    ]);

    for (const gone of ['cardamom', 'secret', 'paprika', '"secret ingredient"']) {
      expect([gone, await total(`q=${encodeURIComponent(gone)}`)]).toEqual([gone, 0]);
    }
    for (const kept of ['invoice april', 'alice', 'bob', 'beach', '"invoice for april"']) {
      expect(await total(`q=${encodeURIComponent(kept)}`)).toBeGreaterThan(0);
    }
    expect(await total('sender=alice@example.com')).toBe(2);
    const { body: threads } = await user.api.get(`${box.path}/threads`);
    expect(JSON.stringify(threads)).not.toMatch(/cardamom|paprika/);
    for (const id of [invoice, photo, empty]) {
      const { body } = await user.api.get(`${box.path}/mails/${id}`);
      expect(body).toMatchObject({ snippet: '', emlContent: null, is_encrypted: true });
    }
    const [{ found }] = await app.dataSource.query(
      `SELECT count(*)::int AS found FROM archived_mail_words WHERE words::text LIKE '%cardamom%' OR length(padding) < 2000`,
    );
    expect(found).toBe(0);
    expect(await previews()).toEqual([]);
    expect((await user.api.get('/api/auth/me')).body.storageUsedBytes).toBe(bytes);
    expect((await box.totals()).kept).toEqual({ ...before.kept, encrypted: 3 });
  });

  nightly(
    'should encrypt large mails in constant memory, and mails of every other size',
    async () => {
      const raws = [large(9 * MIB), large(8 * MIB), mail('small', 'text'), large(21 * MIB), large(3 * MIB)];
      await box.insertAndArchive(...raws);
      expect(await box.encrypt()).toMatchObject({ status: 'completed', processed: 5, failed: 0 });
      expect(await box.inspect()).toMatchObject({ problems: [], encrypted: 5, salts: { size: 1 } });
    },
    60_000,
  );

  nightly('should encrypt new mails later with a different salt, and keep the others', async () => {
    await box.insertAndArchive(mail('first', 'body'));
    await box.encrypt();
    const [before] = [...(await box.rows()).values()];
    await box.insertAndArchive(mail('second', 'body'), mail('third', 'body'));
    expect(await box.encrypt()).toMatchObject({ processed: 2, result: { encrypted: 2, skipped: 1 } });
    const inspection = await box.inspect();
    expect(inspection).toMatchObject({ problems: [], encrypted: 3 });
    expect(inspection.salts.size).toBe(2);
    expect(await row(before.id as string)).toEqual(before);
    expect(await box.encrypt()).toMatchObject({
      status: 'completed',
      total: 0,
      result: { encrypted: 0, skipped: 3 },
    });
  });

  nightly('should keep users separate', async () => {
    const other = await app.user();
    const theirs = await connect(0, other);
    await theirs.setUp('their passphrase');
    await theirs.insertAndArchive(mail('theirs', 'body'));
    await box.insertAndArchive(mail('mine', 'body'));
    await box.encrypt();
    expect((await theirs.inspect()).encrypted).toBe(0);
    await theirs.encrypt('their passphrase');
    const [their] = [...(await theirs.rows()).values()];
    const file = await readFile(join(app.archiveDir, their.storage_key as string));
    expect(decryptByTheBook(file, 'their passphrase').toString()).toContain('Subject: theirs');
    expect(() => decryptByTheBook(file, PASSPHRASE)).toThrow();
    expect(await box.inspect()).toMatchObject({ problems: [], encrypted: 1 });
  });

  nightly(
    'should skip mails whose files are missing or altered, and name them',
    async () => {
      const raws = [
        ...Array.from({ length: 6 }, (_, n) => mail(`number ${n}`, 'body')),
        large(8 * MIB),
        large(8 * MIB),
      ];
      const ids = await box.insertAndArchive(...raws);
      const [missing, altered, longer, shorter, folder, , lostLarge, alteredLarge] = ids;
      await rm(await fileOf(missing!));
      const content = await readFile(await fileOf(altered!));
      content[content.length - 3]! ^= 1;
      await writeFile(await fileOf(altered!), content);
      await writeFile(await fileOf(longer!), 'more', { flag: 'a' });
      await writeFile(await fileOf(shorter!), 'less');
      await rm(await fileOf(folder!));
      await mkdir(await fileOf(folder!));
      await rm(await fileOf(lostLarge!));
      await writeFile(await fileOf(alteredLarge!), 'x', { flag: 'r+' });
      const rows = await Promise.all(ids.map(row));

      const job = await box.encrypt();
      expect(job).toMatchObject({
        status: 'completed',
        total: 8,
        processed: 1,
        failed: 7,
        result: { encrypted: 1, failed: 7 },
      });
      const reasons = new Map(job.result.failures.map(({ item, reason }: any) => [item, reason]));
      expect(reasons).toEqual(
        new Map([
          [missing, 'archived-file-missing'],
          [altered, 'archived-file-altered'],
          [longer, 'archived-file-altered'],
          [shorter, 'archived-file-altered'],
          [folder, 'archived-file-altered'],
          [lostLarge, 'archived-file-missing'],
          [alteredLarge, 'archived-file-altered'],
        ]),
      );
      for (const [position, id] of ids.entries()) {
        if (reasons.has(id)) expect(await row(id)).toEqual(rows[position]);
      }
      expect((await readFile(await fileOf(altered!))).equals(content)).toBe(true);
    },
    60_000,
  );

  nightly('should encrypt mail that is archived while it runs', async () => {
    await box.insertAndArchive(mail('first', 'body'));
    const gate = stores.gate('put');
    const jobId = await box.startEncrypting();
    await gate.reached;
    stores.behave({});
    // Older than what the walk has passed already.
    const late = box.mailbox.insert(mail('late', 'body'), {
      labelIds: ['INBOX'],
      internalDate: new Date('2001-01-01T00:00:00Z'),
    });
    expect(await box.archive({ messageIds: [late] })).toMatchObject({ processed: 1 });
    gate.open();
    expect(await user.jobEnd(jobId)).toMatchObject({ status: 'completed', total: 2, processed: 2 });
    expect(await box.inspect()).toMatchObject({ problems: [], encrypted: 2 });
  });

  nightly(
    'should stop between batches when it is cancelled, and continue with another job',
    async () => {
      await fill(450);
      let puts = 0;
      let reach = (): void => undefined;
      const reached = new Promise<void>((resolve) => (reach = resolve));
      let open = (): void => undefined;
      const opened = new Promise<void>((resolve) => (open = resolve));
      stores.behave({
        beforePut: async () => {
          puts += 1;
          if (puts < 250) return;
          reach();
          await opened;
        },
      });
      const jobId = await box.startEncrypting();
      await reached;
      expect((await user.api.delete(`/api/jobs/${jobId}`)).status).toBe(204);
      open();
      const job = await user.jobEnd(jobId);
      expect(job.status).toBe('cancelled');
      expect(job.result.encrypted).toBe(job.processed);
      expect(job.processed).toBeGreaterThanOrEqual(200);
      expect(job.processed).toBeLessThan(450);
      stores.behave({});
      await box.catchUp();
      const cancelled = await box.inspect();
      expect(cancelled).toMatchObject({ problems: [], encrypted: job.processed });
      expect(await box.encrypt()).toMatchObject({
        status: 'completed',
        processed: 450 - job.processed,
        result: { skipped: job.processed },
      });
      const done = await box.inspect();
      expect(done).toMatchObject({ problems: [], encrypted: 450 });
      expect(done.salts.size).toBe(2);
    },
    90_000,
  );

  nightly('should fail clearly on a full disk, and leave no file behind', async () => {
    await fill(250);
    let puts = 0;
    stores.behave({
      beforePut: async () => {
        if ((puts += 1) > 220) throw new ArchiveStoreFull(new Error('ENOSPC'));
      },
    });
    const job = await box.encrypt();
    expect(job).toMatchObject({
      status: 'failed',
      error: 'There is no space left where the archive is stored.',
      processed: 200,
      result: { encrypted: 200 },
    });
    expect(await box.inspect()).toMatchObject({ problems: [], encrypted: 200, plain: 50 });
  });

  it('should fail clearly when the passphrase is no longer available, or no longer the right one', async () => {
    const forgetful = await app.user();
    await app.dataSource.query('UPDATE users SET max_mailbox_accounts = 50');
    const sut = await connect(0, forgetful);
    const busy = await connect(0, forgetful);
    const sealed = await connect(0, forgetful);
    await sut.setUp();
    await sut.insertAndArchive(mail('first', 'body'));
    await busy.insertAndArchive(mail('other', 'body'));
    // One job of the kind runs at a time for a user: the others wait behind this one.
    const gate = stores.gate('put');
    const first = await busy.startEncrypting();
    await gate.reached;
    const forgotten = await sut.startEncrypting();
    const wrong = await sealed.startEncrypting();
    const number = (jobId: string): string => jobId.split('-').at(-1)!;
    await app.dataSource.query('UPDATE jobs SET sealed_secrets = NULL WHERE number = $1', [
      number(forgotten),
    ]);
    await app.dataSource.query('DELETE FROM encryption_passphrases WHERE user_id = $1', [forgetful.id]);
    await app.app.get(PassphrasesService).setUp(forgetful.id, 'another passphrase');
    stores.behave({});
    gate.open();
    expect(await forgetful.jobEnd(first)).toMatchObject({ status: 'completed' });
    expect(await forgetful.jobEnd(forgotten)).toMatchObject({
      status: 'failed',
      error: expect.stringContaining('Start the encryption again'),
    });
    expect(await forgetful.jobEnd(wrong)).toMatchObject({
      status: 'failed',
      error: 'The passphrase is wrong.',
    });
    expect(await sut.inspect()).toMatchObject({ problems: [], encrypted: 0 });
  });

  it('should free the queue for others while guessing is blocked, and continue afterwards', async () => {
    const guessed = await app.user();
    await app.dataSource.query('UPDATE users SET max_mailbox_accounts = 50');
    const [first, sut] = [await connect(0, guessed), await connect(0, guessed)];
    await sut.setUp();
    await first.insertAndArchive(mail('first', 'body'));
    await sut.insertAndArchive(mail('second', 'body'));
    const gate = stores.gate('put');
    const running = await first.startEncrypting();
    await gate.reached;
    const waiting = await sut.startEncrypting();
    const verify = (passphrase: string): Promise<number> =>
      guessed.api.post('/api/privacy/encryption/verify', { passphrase }).then(({ status }) => status);
    for (let attempt = 0; attempt < 10; attempt += 1) await verify(`wrong guess ${attempt}`);
    expect(await verify(PASSPHRASE)).toBe(429);
    stores.behave({});
    gate.open();
    expect(await guessed.jobEnd(running)).toMatchObject({ status: 'completed' });
    const state = async (): Promise<string> =>
      (await guessed.api.get(`/api/jobs/${waiting}`)).body.queueState as string;
    await waitFor('the job to be put off', async () => (await state()) === 'delayed');

    await box.insertAndArchive(mail('of another', 'body'));
    expect(await box.encrypt()).toMatchObject({ status: 'completed', processed: 1 });
    expect(await state()).toBe('delayed');
    await app.app.get(PassphraseAttempts).succeed(guessed.id);
    await app.dataSource.query('UPDATE jobs SET due_at = now() WHERE user_id = $1 AND due_at IS NOT NULL', [
      guessed.id,
    ]);
    expect(await guessed.jobEnd(waiting)).toMatchObject({ status: 'completed', processed: 1 });
  });

  it('should store the passphrase only sealed, and only until it ends', async () => {
    const secret = 'unmistakable-wombat-1234';
    const other = await app.user();
    const theirs = await connect(0, other);
    await theirs.setUp(secret);
    await theirs.insertAndArchive(mail('first', 'body'));
    const gate = stores.gate('put');
    const jobId = await theirs.startEncrypting(secret);
    await gate.reached;
    const seen = async (): Promise<string> =>
      JSON.stringify(await app.dataSource.query('SELECT j::text, checkpoint::text FROM jobs j'));
    expect(await seen()).not.toContain(secret);
    const [{ sealed }] = await app.dataSource.query(
      `SELECT sealed_secrets IS NOT NULL AS sealed FROM jobs WHERE number = $1`,
      [jobId.split('-').at(-1)],
    );
    expect(sealed).toBe(true);
    gate.open();
    const job = await other.jobEnd(jobId);
    expect(JSON.stringify(job)).not.toContain(secret);
    expect(await seen()).not.toContain(secret);
    const [after] = await app.dataSource.query(`SELECT sealed_secrets FROM jobs WHERE number = $1`, [
      jobId.split('-').at(-1),
    ]);
    expect(after.sealed_secrets).toBeNull();
    const file = await readFile(
      join(app.archiveDir, [...(await theirs.rows()).values()][0].storage_key as string),
    );
    expect(saltOf(file)).toHaveLength(64);
  });

  async function fill(count: number): Promise<void> {
    const ids = Array.from({ length: count }, (_, n) => box.mailbox.insert(mail(`number ${n}`, `body ${n}`)));
    const job = await box.archive({ messageIds: ids });
    expect(job).toMatchObject({ processed: count });
    await waitFor('the rows', async () => (await box.rows()).size === count);
  }
});
