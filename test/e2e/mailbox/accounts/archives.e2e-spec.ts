import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ArchiveFixture } from '../../../support/archive/archive-fixture';
import { startTestApp, TestApp } from '../../../support/app';
import { importMbox, inMbox } from '../../../support/imports';
import type { TestUser } from '../../../support/test-user';
import { waitFor } from '../../../support/wait';
import { WebhookReceiver } from '../../../support/webhooks/receiver';
import { exchange } from '../../../support/world/exchange';
import { OPERATIONS } from '../../../support/world/operations';
import { fill, toWire } from '../../../support/world/requests';
import { World } from '../../../support/world/world';

const NO_MAILBOX = 'archive-without-mailbox';
const URL = '/api/auth/mailbox/archives';
const PASSPHRASE = 'a passphrase of an archive';

const mail = (subject: string): string =>
  [
    'From: Ada <ada@example.com>',
    'To: reader@example.com',
    `Subject: ${subject}`,
    `Message-ID: <${subject}@example.com>`,
    'Date: Tue, 19 Mar 2019 09:13:51 +0000',
    '',
    `Card 4111 1111 1111 1111 of ${subject}`,
    '',
  ].join('\n');

describe('archives without a mailbox', () => {
  let app: TestApp;
  let receiver: WebhookReceiver;
  let names = 0;

  beforeAll(async () => {
    app = await startTestApp({ sandbox: { messages: 1 } });
    receiver = await WebhookReceiver.start();
    await app.user('administrator');
  });
  afterAll(async () => {
    await app?.close();
    await receiver?.close();
  });

  const create = async (user: TestUser, name = `Archive ${(names += 1)}`): Promise<string> => {
    const { status, body } = await user.api.post(URL, { name });
    expect(status).toBe(201);
    return body.id as string;
  };
  const accountsOf = async (user: TestUser): Promise<any[]> =>
    (await user.api.get('/api/auth/me')).body.mailboxAccounts;
  const auditOf = async (user: TestUser): Promise<string[]> =>
    (
      await app.dataSource.query('SELECT action FROM audit_entries WHERE user_id = $1 ORDER BY sequence', [
        user.id,
      ])
    ).map(({ action }: { action: string }) => action);

  describe('creating one', () => {
    it('should store it with its name as it is, and record it', async () => {
      const user = await app.user();
      const { status, body } = await user.api.post(URL, { name: '  Courrier d’Été  ' });
      expect(status).toBe(201);
      expect(body).toEqual({
        id: expect.any(String),
        email: 'Courrier d’Été',
        provider: 'archive',
        is_active: false,
        status: 'disconnected',
        last_synced_at: null,
        created_at: expect.stringMatching(/Z$/),
      });
      expect(await accountsOf(user)).toEqual([body]);
      expect(await auditOf(user)).toContain('archive.created');
    });

    it.each<[string, object]>([
      ['no name', {}],
      ['an empty name', { name: '   ' }],
      ['a name that is no text', { name: 7 }],
      ['a name with a line end', { name: 'a\nb' }],
      ['a name that is too long', { name: 'x'.repeat(101) }],
    ])('should refuse %s', async (_what, body) => {
      const answer = await (await app.user()).api.post(URL, body);
      expect([answer.status, answer.body.code, answer.body.errors[0].field]).toEqual([
        400,
        'validation-failed',
        'name',
      ]);
    });

    it('should refuse a second one of the same name, in any case, but not another user’s', async () => {
      const [user, other] = [await app.user(), await app.user()];
      await create(user, 'Old Mail');
      await create(other, 'Old Mail');
      const { status, body } = await user.api.post(URL, { name: 'old mail' });
      expect([status, body.code]).toEqual([409, 'archive-exists']);
      const twice = await Promise.all([1, 2].map(() => user.api.post(URL, { name: 'At once' })));
      expect(twice.map((answer) => answer.status).sort()).toEqual([201, 409]);
    });

    it('should need a session', async () => {
      expect((await app.anonymous.post(URL, { name: 'x' })).status).toBe(401);
    });

    it('should count apart from mailboxes, and have a limit', async () => {
      const user = await app.user();
      await app.dataSource.query('UPDATE users SET max_mailbox_accounts = 1 WHERE id = $1', [user.id]);
      await create(user);
      await user.connect(`archives${names}-1@sandbox.mailroom.test`);
      await create(user);
      await app.dataSource.query(
        `INSERT INTO mailbox_accounts (id, user_id, provider, email, status, is_active)
         SELECT gen_random_uuid(), $1, 'archive', 'Number ' || number, 'disconnected', false
         FROM generate_series(3, 50) number`,
        [user.id],
      );
      const { status, body } = await user.api.post(URL, { name: 'One more' });
      expect([status, body.code]).toEqual([403, 'archive-limit']);
    });
  });

  describe('renaming one', () => {
    it('should change the name, also its case only, and record it', async () => {
      const user = await app.user();
      const id = await create(user, 'before');
      for (const name of ['Before', 'after']) {
        const { status, body } = await user.api.patch(`/api/auth/mailbox/${id}`, { name });
        expect([status, body.id, body.email]).toEqual([200, id, name]);
      }
      expect((await accountsOf(user)).map(({ email }) => email)).toEqual(['after']);
      expect((await auditOf(user)).filter((action) => action === 'archive.renamed')).toHaveLength(2);
    });

    it('should refuse names that are taken or wrong, mailboxes, and others’ archives', async () => {
      const [user, other] = [await app.user(), await app.user()];
      const [id, foreign] = [await create(user), await create(other)];
      await create(user, 'taken');
      const mailbox = await user.connect(`archives${names}-2@sandbox.mailroom.test`);
      const rename = async (account: string, name: string): Promise<unknown[]> => {
        const { status, body } = await user.api.patch(`/api/auth/mailbox/${account}`, { name });
        return [status, body.code];
      };
      expect(await rename(id, 'TAKEN')).toEqual([409, 'archive-exists']);
      expect(await rename(id, ' ')).toEqual([400, 'validation-failed']);
      expect(await rename(mailbox, 'x')).toEqual([409, 'mailbox-not-renamable']);
      expect(await rename(foreign, 'x')).toEqual([403, 'account-not-owned']);
      expect((await app.anonymous.patch(`/api/auth/mailbox/${id}`, { name: 'x' })).status).toBe(401);
    });
  });

  describe('using one', () => {
    it('should take imports, and list, search, export, scan and encrypt them', async () => {
      const user = await app.user();
      const id = await create(user);
      const job = await importMbox(user, id, inMbox(mail('first')) + inMbox(mail('second')));
      expect([job.status, job.result.imported]).toEqual(['completed', 2]);
      const again = await importMbox(user, id, inMbox(mail('first')) + inMbox(mail('second')));
      expect([again.result.imported, again.result.duplicates]).toEqual([0, 2]);

      const found = await user.api.get(`/api/archive/${id}/mails?q=first`);
      expect(found.body.mails.map(({ subject }: { subject: string }) => subject)).toEqual(['first']);
      expect((await user.api.get(`/api/archive/${id}/threads`)).body.total).toBe(2);
      const exported = await user.api.post(`/api/import/${id}/export-mbox`, {});
      expect(exported.bytes.toString().match(/^From /gm)).toHaveLength(2);

      const scan = await user.api.post(`/api/privacy/${id}/pii/scan`, {});
      expect((await user.jobEnd(scan.body.jobId)).status).toBe('completed');
      expect((await user.api.get(`/api/privacy/${id}/pii/stats`)).body.affectedMails).toBe(2);

      await user.api.post('/api/privacy/encryption/setup', { passphrase: PASSPHRASE });
      const encryption = await user.api.post(`/api/privacy/${id}/encryption/encrypt`, {
        passphrase: PASSPHRASE,
      });
      expect((await user.jobEnd(encryption.body.jobId)).status).toBe('completed');
      const { body } = await user.api.get(`/api/archive/${id}/mails`);
      expect(body.mails.map((one: { is_encrypted: boolean }) => one.is_encrypted)).toEqual([true, true]);
    });

    it('should let retention delete from it', async () => {
      const user = await app.user();
      const id = await create(user);
      await importMbox(user, id, inMbox(mail('aged')));
      await app.dataSource.query(
        `UPDATE archived_mails SET date = '2010-03-19', received_at = '2010-03-19'
         WHERE account_id = $1`,
        [id],
      );
      const policy = await user.api.post('/api/retention', {
        name: 'Old',
        mailboxAccountId: id,
        maxAgeDays: 365,
      });
      expect(policy.status).toBe(201);
      expect((await user.api.post('/api/retention/run', {})).status).toBe(200);
      expect((await user.api.get(`/api/archive/${id}/mails`)).body.total).toBe(0);
    });

    it('should be left alone by what follows mailboxes', async () => {
      const user = await app.user();
      const id = await create(user);
      const archiving = await user.api.get(`/api/archiving/${id}`);
      expect([archiving.status, archiving.body.state]).toEqual([200, 'off']);
      await importMbox(user, id, inMbox(mail('quiet')));
      const jobs = await user.api.get<{ type: string }[]>(`/api/jobs?accountId=${id}`);
      expect(jobs.body.map(({ type }) => type)).toEqual(['import_mbox']);
    });
  });

  describe('deleting one', () => {
    it('should refuse to disconnect it, and delete it with its files when asked to purge', async () => {
      const user = await app.user();
      const id = await create(user);
      await importMbox(user, id, inMbox(mail('gone')));
      const directory = join(app.archiveDir, user.id, id);
      expect(readdirSync(directory)).not.toEqual([]);
      const refused = await user.api.delete(`/api/auth/mailbox/${id}`);
      expect([refused.status, refused.body.code]).toEqual([409, NO_MAILBOX]);
      expect((await user.api.delete(`/api/auth/mailbox/${id}?purge=true`)).status).toBe(204);
      await waitFor('the archive to be deleted', async () => (await accountsOf(user)).length === 0);
      await waitFor('its files to be deleted', () => Promise.resolve(!existsSync(directory)));
    });
  });

  describe('routes of a mailbox', () => {
    /** Resources that an archive cannot have: their routes answer 404 before they look for a mailbox. */
    const MISSING: Readonly<Record<string, string>> = {
      'PUT /api/rules/{accountId}/{ruleId}': 'rule-not-found',
      'POST /api/restore/{accountId}/{restoreId}/start': 'restore-not-found',
      'POST /api/restore/{accountId}': 'mail-not-found',
    };
    /** Routes that serve an archive for what needs no mailbox: here a schedule that is off. */
    const SERVED: Readonly<Record<string, number>> = {
      'PUT /api/offload/{accountId}/schedule': 200,
    };
    const OF_ACCOUNTS = OPERATIONS.filter(({ pathParameters }) => pathParameters.includes('accountId'));
    let world: World;
    let archiveId: string;

    beforeAll(async () => {
      const admin = await app.user('helper');
      world = await World.create(app, { name: 'keeper', serial: 0, admin, receiver });
      archiveId = await create(world.user, 'without a mailbox');
      world.parameters['accountId'] = archiveId;
    });

    const ask = async (key: string): Promise<{ status: number; code: string | undefined }> => {
      const operation = OPERATIONS.find((one) => one.key === key)!;
      const { status, body } = await exchange(app.url, toWire(fill(operation, world), world.token));
      return { status, code: body?.code as string | undefined };
    };

    it('should say that there is none', async () => {
      const live = OF_ACCOUNTS.filter(({ problems }) => problems(409).includes(NO_MAILBOX));
      expect(live.length).toBeGreaterThan(40);
      const odd: string[] = [];
      for (const { key } of live) {
        const { status, code } = await ask(key);
        const isExpected =
          key in MISSING
            ? status === 404 && code === MISSING[key]
            : key in SERVED
              ? status === SERVED[key]
              : status === 409 && code === NO_MAILBOX;
        if (!isExpected) odd.push(`${key}: ${status} ${code}`);
      }
      expect(odd).toEqual([]);
    });

    it('should fail nowhere else', async () => {
      const others = OF_ACCOUNTS.filter(({ problems }) => !problems(409).includes(NO_MAILBOX));
      const odd: string[] = [];
      for (const { key } of others) {
        const { status, code } = await ask(key);
        if (status >= 500 || code === NO_MAILBOX || code === 'mailbox-disconnected')
          odd.push(`${key}: ${status} ${code}`);
      }
      expect(odd).toEqual([]);
    });

    it('should connect no mailbox in its place', async () => {
      const { user } = world;
      const answers = [
        await user.api.get(`/api/auth/mailbox/connect?provider=gmail&accountId=${archiveId}`),
        await user.api.post('/api/auth/mailbox/imap', { ...world.imapServer, accountId: archiveId }),
        await user.api.post('/api/auth/mailbox/imap/test', { ...world.imapServer, accountId: archiveId }),
        await user.api.post('/api/auth/mailbox/device', { provider: 'microsoft', accountId: archiveId }),
      ];
      expect(answers.map(({ status, body }) => [status, body.code])).toEqual(
        answers.map(() => [409, NO_MAILBOX]),
      );
    });
  });

  it('should be a destination of no restore', async () => {
    const user = await app.user();
    const source = await ArchiveFixture.connect(app, user, `archives${names}-3@sandbox.mailroom.test`);
    const id = await create(user);
    await importMbox(user, source.accountId, inMbox(mail('elsewhere')));
    const { body: list } = await user.api.get(`/api/archive/${source.accountId}/mails`);
    const { status, body } = await user.api.post(`/api/restore/${source.accountId}`, {
      select: { mailIds: [list.mails[0].id] },
      target: { accountId: id },
    });
    expect([status, body.code]).toEqual([409, NO_MAILBOX]);
  });
});
