import { readFile, utimes, writeFile } from 'node:fs/promises';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { AppConfig } from '../../../../src/platform/config/app-config';
import { startTestApp, TestApp } from '../../../support/app';
import { ArchiveFixture } from '../../../support/archive/archive-fixture';
import { eml, emlWithAttachment } from '../../../support/archive/eml';
import { EncryptedArchive, PASSPHRASE } from '../../../support/encryption/encrypted-archive';
import {
  nameEncryptedFile,
  PASSPHRASE_HEADER,
  writeEncryptedFiles,
} from '../../../support/encryption/encrypted-mail';
import { importMbox } from '../../../support/imports';
import { alerts, checkEverything, checkTonight, hurry } from '../../../support/integrity/integrity-fixture';
import { TestObjectStore } from '../../../support/object-store/object-store';
import type { TestUser } from '../../../support/test-user';
import { waitFor } from '../../../support/wait';

jest.setTimeout(120_000);

const HOUR = 3_600_000;

describe('Other features with encrypted mails', () => {
  let app: TestApp;
  let admin: TestUser;
  let user: TestUser;
  let box: EncryptedArchive;
  let boxes = 0;

  const connect = (of: TestUser): Promise<EncryptedArchive> =>
    EncryptedArchive.connect(app, of, `house-${(boxes += 1)}-0@sandbox.mailroom.test`);
  const rowsById = async (own: ArchiveFixture = box): Promise<Map<string, any>> =>
    new Map([...(await own.rows()).values()].map((row) => [row.id as string, row]));
  const encryptAll = async (own = box): Promise<void> => {
    expect((await own.encrypt()).status).toBe('completed');
    await own.catchUp();
  };
  const withGrace = async (hours: number, work: () => Promise<void>): Promise<void> => {
    const { storage } = app.app.get(AppConfig);
    const before = storage.orphanGraceHours;
    Object.assign(storage, { orphanGraceHours: hours });
    try {
      await work();
    } finally {
      Object.assign(storage, { orphanGraceHours: before });
    }
  };

  const RAWS = [
    eml('Subject: first', 'Message-ID: <1@example.com>', 'From: a@example.com', '', 'Rhinoceros.'),
    eml('Subject: Re: first', 'Message-ID: <2@example.com>', 'In-Reply-To: <1@example.com>', '', 'Answer.'),
    emlWithAttachment({
      subject: 'attached',
      disposition: 'filename="a.bin"',
      content: Buffer.alloc(5_000, 7),
    }),
  ];

  beforeAll(async () => {
    app = await startTestApp({ own: true, sandbox: { messages: 1 } });
    hurry(app);
    admin = await app.user('admin');
  });

  beforeEach(async () => {
    user = await app.user();
    box = await connect(user);
    await box.setUp();
  });

  afterAll(() => app?.close());

  it('should keep and count them when mail is archived again, all of it or only new mail', async () => {
    const ids = await box.insertAndArchive(...RAWS);
    const messageIds = [...(await box.rows()).keys()];
    await encryptAll();
    const before = await rowsById();
    const files = await box.files();
    for (const differential of [true, false]) {
      const job = await box.archive({ messageIds, differential });
      expect(job).toMatchObject({ status: 'completed', result: { archived: 0, skipped: 3, failed: 0 } });
    }
    expect(await rowsById()).toEqual(before);
    expect(await box.files()).toEqual(files);
    expect([...before.keys()].sort()).toEqual([...ids].sort());
    expect(await box.inspect()).toMatchObject({ problems: [], encrypted: 3, plain: 0 });
  });

  it('should recognise them when an mbox with the same mails is imported', async () => {
    await box.insertAndArchive(...RAWS.slice(0, 2));
    await encryptAll();
    const { bytes } = await user.api.post(
      `/api/import/${box.accountId}/export-mbox`,
      {},
      { headers: { [PASSPHRASE_HEADER]: PASSPHRASE } },
    );
    const job = await importMbox(user, box.accountId, bytes);
    expect(job).toMatchObject({ status: 'completed', result: { imported: 0, duplicates: 2, failed: 0 } });
    expect(await box.inspect()).toMatchObject({ problems: [], encrypted: 2, plain: 0 });
  });

  it('should show the same lists, threads, attachments and figures as before', async () => {
    await box.insertAndArchive(...RAWS);
    const look = async (): Promise<any> => {
      const get = async (path: string): Promise<any> => (await user.api.get(path)).body;
      const mails = await get(`${box.path}/mails`);
      const { total, threads } = await get(`${box.path}/threads`);
      return {
        mails: mails.mails.map(({ id, subject, sender, size_bytes: size }: any) => ({
          id,
          subject,
          sender,
          size,
        })),
        threads: { total, threads },
        attachments: await get(`/api/attachments/${box.accountId}/archived`),
        stats: await get(`/api/dashboard/${box.accountId}/archive-stats`),
        used: (await get('/api/auth/me')).storageUsedBytes,
      };
    };
    const without = (text: any): any =>
      JSON.parse(
        JSON.stringify(text, (key, value) =>
          [
            'snippet',
            'is_encrypted',
            'isEncrypted',
            'encrypted',
            'encryptedMails',
            'sha256',
            'file_path',
          ].includes(key)
            ? undefined
            : value,
        ),
      );
    const before = await look();
    expect(before.mails).toHaveLength(3);
    expect(before.used).toBe(RAWS.reduce((sum, raw) => sum + raw.length, 0));
    await encryptAll();
    expect(without(await look())).toEqual(without(before));
  });

  it('should leave nothing of them when the account is disconnected with its archive', async () => {
    await box.insertAndArchive(...RAWS);
    await encryptAll();
    // A killed job has left a file behind that no row names.
    await box.insertAndArchive(eml('Subject: left behind', '', 'x'));
    await writeEncryptedFiles(box);
    expect(await box.files()).toHaveLength(5);
    expect((await user.api.delete(`/api/auth/mailbox/${box.accountId}?purge=true`)).status).toBe(204);
    await waitFor('the archive to be gone', async () => (await box.files()).length === 0, 30_000);
    await waitFor('the account to be gone', async () => {
      const rows = await app.dataSource.query('SELECT 1 FROM mailbox_accounts WHERE id = $1', [
        box.accountId,
      ]);
      return rows.length === 0;
    });
    expect((await user.api.get('/api/auth/me')).body.storageUsedBytes).toBe(0);
    const [hash] = await app.dataSource.query('SELECT 1 FROM encryption_passphrases WHERE user_id = $1', [
      user.id,
    ]);
    expect(hash).toBeDefined();
  });

  it('should keep them readable when the account is disconnected without it', async () => {
    const [id] = await box.insertAndArchive(...RAWS);
    await encryptAll();
    expect((await user.api.delete(`/api/auth/mailbox/${box.accountId}`)).status).toBe(204);
    expect(await box.files()).toHaveLength(3);
    const { status, bytes } = await user.api.get(`${box.path}/mails/${id}/eml`, {
      headers: { [PASSPHRASE_HEADER]: PASSPHRASE },
    });
    expect([status, bytes.equals(RAWS[0]!)]).toEqual([200, true]);
  });

  it('should delete them by a retention policy, rows and files', async () => {
    const old = box.mailbox.insert(RAWS[0]!, { internalDate: new Date(Date.now() - 90 * 24 * HOUR) });
    const young = box.mailbox.insert(RAWS[1]!, { internalDate: new Date() });
    await box.archive({ messageIds: [old, young] });
    await encryptAll();
    const { body: policy } = await user.api.post('/api/retention', { name: 'Old', maxAgeDays: 30 });
    const preview = await user.api.get(`/api/retention/${policy.id}/preview`);
    expect(JSON.stringify(preview.body)).toContain(`${RAWS[0]!.length}`);
    expect((await user.api.post('/api/retention/run')).status).toBe(200);
    await waitFor('the old mail to be gone', async () => (await box.rows()).size === 1);
    await box.catchUp();
    expect([...(await box.rows()).keys()]).toEqual([young]);
    expect(await box.inspect()).toMatchObject({ problems: [], encrypted: 1, plain: 0 });
    expect((await user.api.get('/api/auth/me')).body.storageUsedBytes).toBe(RAWS[1]!.length);
  });

  describe('the integrity check', () => {
    const findings = (): Promise<any[]> =>
      app.dataSource.query('SELECT mail_id, problem FROM integrity_findings WHERE account_id = $1', [
        box.accountId,
      ]);

    it('should detect altered ones, even those that are no longer encrypted', async () => {
      const ids = await box.insertAndArchive(...RAWS);
      await encryptAll();
      expect((await checkEverything(admin)).result).toMatchObject({ missing: 0, altered: 0 });
      const rows = await rowsById();
      const path = (id: string): string => join(app.archiveDir, rows.get(id).storage_key as string);
      const originals = await Promise.all(ids.map((id) => readFile(path(id))));
      // Not even its hash tells that this one lies there for all to read.
      const plain = Buffer.concat([RAWS[0]!, Buffer.alloc(67, '\n')]);
      await writeFile(path(ids[0]!), plain);
      await app.dataSource.query('UPDATE archived_mails SET sha256 = $2 WHERE id = $1', [
        ids[0],
        createHash('sha256').update(plain).digest('hex'),
      ]);
      await writeFile(path(ids[1]!), Buffer.concat([originals[1]!, Buffer.from('x')]));
      expect((await checkEverything(admin)).result).toMatchObject({ missing: 0, altered: 2 });
      expect((await findings()).map(({ mail_id: id }) => id as string).sort()).toEqual(
        ids.slice(0, 2).sort(),
      );
    });

    it('should raise no false alarm while they are being encrypted', async () => {
      // Slow second looks, so that rows change between the two.
      hurry(app, { recheckAfterMs: 30 });
      await box.insertAndArchive(
        ...Array.from({ length: 40 }, (_, index) => eml(`Subject: number ${index}`, '', `Text ${index}.`)),
      );
      let isEncrypting = true;
      const encrypting = (async () => {
        for (const file of await writeEncryptedFiles(box)) await nameEncryptedFile(box, file);
        isEncrypting = false;
      })();
      const problems = async (): Promise<any[]> => {
        const { status, result } = await checkEverything(admin);
        expect(status).toBe('completed');
        return result.problems.filter(({ accountId }: { accountId: string }) => accountId === box.accountId);
      };
      do expect(await problems()).toEqual([]);
      while (isEncrypting);
      await encrypting;
      expect(await problems()).toEqual([]);
      expect(await findings()).toEqual([]);
      expect(await alerts(app, user)).toEqual([]);
      hurry(app);
    });
  });

  describe('the orphan sweeper', () => {
    const age = async (key: string, hours: number): Promise<void> => {
      const then = new Date(Date.now() - hours * HOUR);
      await utimes(join(app.archiveDir, key), then, then);
    };

    it('should delete encrypted files that no row names after the grace period, and no other', async () => {
      await box.insertAndArchive(...RAWS);
      await encryptAll();
      await box.insertAndArchive(eml('Subject: still plain', '', 'x'));
      const whole = await box.files();
      const [leftBehind] = await writeEncryptedFiles(box);
      for (const key of await box.files()) await age(key, 1_000);
      await age(leftBehind!.key, 1);
      expect((await checkTonight(app, user)).result).toMatchObject({ orphansRemoved: 0, unknownFiles: 0 });
      expect(await box.files()).toContain(leftBehind!.key);
      await age(leftBehind!.key, 1_000);
      expect((await checkTonight(app, user)).result).toMatchObject({
        orphansRemoved: 1,
        orphanBytes: leftBehind!.file.length,
        unknownFiles: 0,
      });
      expect(await box.files()).toEqual(whole);
    });

    it('should do so in an object store as well', async () => {
      const store = await TestObjectStore.start();
      expect((await user.api.put('/api/storage/config', store.configuration('swept'))).status).toBe(200);
      await box.insertAndArchive(...RAWS);
      await encryptAll();
      await box.insertAndArchive(eml('Subject: still plain', '', 'x'));
      const objects = async (): Promise<string[]> =>
        (await store.objects('swept')).map(({ key }) => key).sort();
      const named = await objects();
      expect(named).toEqual([...(await box.rows()).values()].map((row) => row.storage_key as string).sort());
      const [leftBehind] = await writeEncryptedFiles(box);
      expect((await checkTonight(app, user)).result).toMatchObject({ orphansRemoved: 0 });
      expect(await objects()).toContain(leftBehind!.key);
      await withGrace(0, async () => {
        await waitFor('the object to be older than its second', async () => {
          const { lastModified } = await store.client.statObject('swept', leftBehind!.key);
          return Date.now() - lastModified.getTime() > 1_100;
        });
        expect((await checkTonight(app, user)).result).toMatchObject({ orphansRemoved: 1 });
      });
      expect(await objects()).toEqual(named);
    });
  });
});
