import { startTestApp, TestApp } from '../../../support/app';
import { KeptMailbox, message } from '../../../support/archiving/kept-mailbox';
import { BackupFixture } from '../../../support/backup/backup-fixture';
import { EncryptedArchive, PASSPHRASE } from '../../../support/encryption/encrypted-archive';
import { importMbox, inMbox } from '../../../support/imports';
import { TestUser } from '../../../support/test-user';
import { waitFor } from '../../../support/wait';

const LONG_AGO = new Date('2020-01-01T10:00:00Z');

/** What continuous archiving and the rest of the service do to each other. */
describe('Beside continuous archiving', () => {
  let app: TestApp;
  let user: TestUser;
  let mailboxes = 0;

  beforeAll(async () => {
    app = await startTestApp({ sandbox: { messages: 1 } });
    user = await app.user();
    await app.dataSource.query('UPDATE users SET max_mailbox_accounts = 100');
  });
  afterAll(() => app?.close());
  beforeEach(() => app.sandbox.clearFaults());

  const newEmail = (messages: number): string =>
    `beside${(mailboxes += 1)}-${messages}@sandbox.mailroom.test`;

  async function kept(messages: number, owner = user): Promise<KeptMailbox> {
    const box = await KeptMailbox.connect(app, owner, newEmail(messages));
    await box.keep();
    await box.lookUntilDone();
    app.sandbox.stats.reset();
    return box;
  }

  it('retention should delete mail permanently: it is excluded as removed, and not fetched again', async () => {
    const owner = await app.user('retaining');
    const box = await kept(0, owner);
    const [old, young] = [box.arrive('old', ['INBOX'], LONG_AGO), box.arrive('young')];
    await box.look();
    const policy = { name: 'Old', maxAgeDays: 365, mailboxAccountId: box.accountId };
    expect((await owner.api.post('/api/retention', policy)).status).toBe(201);
    expect((await owner.api.post('/api/retention/run')).body.totalDeleted).toBe(1);
    expect(await box.classes()).toEqual({ [old]: 'excluded:removed', [young]: 'archived' });
    app.sandbox.stats.reset();
    await box.look();
    box.mailbox.changeLabels(old, { add: ['STARRED'] });
    await box.look();
    await box.choose({ exclusions: ['spam'] });
    await box.look();
    await box.reconcile();
    await box.look();
    expect(await box.classes()).toEqual({ [old]: 'excluded:removed', [young]: 'archived' });
    expect(box.calls('messages.get')).toBe(0);
    expect(await box.problems()).toEqual([]);
  });

  it('mail that is deleted from the archive by hand should not come back', async () => {
    const box = await kept(0);
    const ids = ['a', 'b', 'c'].map((name) => box.arrive(name));
    await box.look();
    const { id: mailId } = (await box.rows()).get(ids[0]!);
    const { body } = await user.api.post(`${box.path}/delete`, { mailIds: [mailId], confirmedCount: 1 });
    expect(await user.jobEnd(body.jobId as string)).toMatchObject({ result: { deleted: 1 } });
    await box.look();
    expect((await box.classes())[ids[0]!]).toBe('excluded:removed');
    expect(await box.problems()).toEqual([]);
  });

  it('a rule that trashes and archives should change the labels in the ledger, not the copies', async () => {
    const box = await kept(0);
    const ids = [0, 1, 2].map((n) => box.arrive(`ruled-${n}`));
    await box.look();
    const { body: rule } = await user.api.post(`/api/rules/${box.accountId}`, {
      name: 'Trash',
      conditions: [{ field: 'from', operator: 'contains', value: 'senders.test' }],
      action: { type: 'trash' },
    });
    const { body } = await user.api.post(`/api/rules/${box.accountId}/${rule.id}/run`);
    expect(await user.jobEnd(body.jobId as string)).toMatchObject({ status: 'completed' });
    await box.look();
    const ledger = await box.ledger();
    for (const id of ids) {
      expect(ledger.get(id)).toMatchObject({
        class: 'archived',
        label_ids: expect.arrayContaining(['TRASH']),
      });
      expect((await box.rows()).get(id).presence).toBe('trash');
    }
    expect(await box.problems()).toEqual([]);
  });

  it('encryption should encrypt mail as it is copied, and not affect other copies', async () => {
    const owner = await app.user('encrypting');
    const box = await kept(4, owner);
    const archive = new EncryptedArchive(app, owner, box.accountId, box.mailbox);
    await archive.setUp();
    expect(await archive.encrypt()).toMatchObject({ status: 'completed', failed: 0 });
    expect(await box.problems()).toEqual([]);
    // New mail is copied as it is: only its owner has the passphrase, who encrypts it with the next run.
    const id = box.arrive('after-encryption');
    await box.look();
    expect((await box.rows()).get(id)).toMatchObject({ is_encrypted: false });
    app.sandbox.stats.reset();
    expect(await archive.encrypt(PASSPHRASE)).toMatchObject({ status: 'completed' });
    await box.look();
    await box.reconcile();
    await box.look();
    expect(box.calls('messages.get')).toBe(0);
    expect(await box.problems()).toEqual([]);
    expect(await archive.inspect({ leftoversAllowed: true })).toMatchObject({ problems: [], plain: 0 });
  });

  it('an encrypted mail whose message is gone should be recognised by its content when it comes back', async () => {
    const owner = await app.user('returning');
    const box = await kept(0, owner);
    const first = box.arrive('returns');
    await box.look();
    const archive = new EncryptedArchive(app, owner, box.accountId, box.mailbox);
    await archive.setUp();
    await archive.encrypt();
    box.mailbox.remove(first);
    await box.look();
    const second = box.arrive('returns');
    await box.look();
    const rows = await box.rows();
    const [{ sealed }] = await box.query(
      `SELECT count(*)::int AS sealed FROM archived_mails
        WHERE account_id = $1 AND is_encrypted AND content_sha256 IS NOT NULL`,
    );
    // Known by its content where that was noted when it was encrypted; otherwise it is a mail of its own.
    expect([...rows.keys()].toSorted()).toEqual(sealed === 1 ? [second] : [first, second].toSorted());
    expect(await box.problems()).toEqual([]);
  });

  it('imports should add to the archive without changing the ledger', async () => {
    const box = await kept(2);
    const file = [0, 1, 2].map((n) => inMbox(message(`imported-${n}`).toString().replaceAll('\r\n', '\n')));
    expect(await importMbox(user, box.accountId, file.join(''))).toMatchObject({ result: { imported: 3 } });
    await box.look();
    expect((await box.rows()).size).toBe(5);
    expect((await box.ledger()).size).toBe(2);
    expect(await box.problems()).toEqual([]);
    expect(await box.status()).toMatchObject({ state: 'healthy' });
  });

  it('disconnecting should suspend archiving and drop the ledger; reconnecting should resume it', async () => {
    const owner = await app.user('leaving');
    const box = await kept(6, owner);
    const archived = (await box.rows()).size;
    expect((await owner.api.delete(`/api/auth/mailbox/${box.accountId}`)).status).toBe(204);
    await waitFor('the data of the mailbox to go', async () => (await box.ledger()).size === 0);
    const jobs = (await owner.api.get('/api/jobs')).body as { type: string; queue_id: string }[];
    await owner.jobEnd(jobs.find(({ type }) => type === 'delete_mailbox_data')!.queue_id);
    expect(await box.status()).toMatchObject({ mode: 'keep', state: 'paused', exact: false });
    expect((await box.rows()).size).toBe(archived);
    const arrived = box.arrive('while-away');
    await owner.connect(box.mailbox.email);
    app.sandbox.stats.reset();
    await box.look();
    await box.lookUntilDone();
    expect((await box.classes())[arrived]).toBe('archived');
    expect(box.calls('messages.get')).toBe(1);
    expect(await box.problems()).toEqual([]);
    expect(await box.status()).toMatchObject({ state: 'healthy', exact: true });
  });

  it('purging an account and deleting a user should leave nothing', async () => {
    const admin = user;
    const owner = await app.user('going');
    const [purged, deleted] = [await kept(3, owner), await kept(3, owner)];
    const left = async (accountId: string): Promise<number> => {
      const tables = [
        'archiving_settings',
        'ledger_messages',
        'ledger_totals',
        'archived_mails',
        'account_chores',
      ];
      let rows = 0;
      for (const table of tables) {
        const [{ count }] = await app.dataSource.query(
          `SELECT count(*)::int AS count FROM ${table} WHERE account_id = $1`,
          [accountId],
        );
        rows += Number(count);
      }
      return rows;
    };
    expect(await left(purged.accountId)).toBeGreaterThanOrEqual(8);
    expect((await owner.api.delete(`/api/auth/mailbox/${purged.accountId}?purge=true`)).status).toBe(204);
    await waitFor('the account to go', async () => (await left(purged.accountId)) === 0);
    const { body } = await admin.api.delete(`/api/admin/users/${owner.id}`);
    await admin.jobEnd(body.jobId as string);
    expect(await left(deleted.accountId)).toBe(0);
  });
});

describe('A restored installation', () => {
  it('should rebuild its ledger, and copy mail that arrived after the backup', async () => {
    const fixture = await BackupFixture.start();
    const source = await fixture.installation();
    const before = await fixture.serve(source);
    const owner = await before.user();
    const box = await KeptMailbox.connect(before, owner, 'restored-12@sandbox.mailroom.test');
    try {
      await box.keep({ exclusions: ['spam', 'trash', 'sender:@nowhere.test'] });
      await box.lookUntilDone();
      const folder = fixture.folder('backup');
      await fixture.succeed(source, 'backup', folder);
      box.arrive('after-the-backup');
      await box.look();
      await before.close();

      const target = await fixture.installation({
        ENCRYPTION_KEY: source.ENCRYPTION_KEY!,
        JWT_SECRET: source.JWT_SECRET!,
      });
      await fixture.succeed(target, 'restore', folder);
      const after = await fixture.serve(target);
      try {
        const { body } = await after.anonymous.post('/api/auth/login', {
          email: owner.email,
          password: owner.password,
        });
        owner.api.baseUrl = after.url;
        owner.api.token = body.access_token as string;
        const restored = new KeptMailbox(after, owner, box.accountId, box.mailbox);
        expect(await restored.ledger()).toEqual(new Map());
        // Credentials are not in a backup of another installation's key; here they are.
        expect(await restored.status()).toMatchObject({
          mode: 'keep',
          exact: false,
          exclusions: ['spam', 'trash', 'sender:@nowhere.test'],
        });
        await after.dataSource.query(`UPDATE mailbox_accounts SET status = 'connected'`);
        fixture.sandbox.stats.reset();
        await restored.look();
        await restored.lookUntilDone();
        expect(await restored.problems()).toEqual([]);
        expect(restored.calls('messages.get')).toBe(1);
        expect(await restored.status()).toMatchObject({ state: 'healthy', exact: true });
      } finally {
        await after.close();
      }
    } finally {
      await fixture.close();
    }
  }, 120_000);
});
