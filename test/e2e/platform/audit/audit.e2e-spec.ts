import { Command } from 'commander';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { LoginAttempts } from '../../../../src/identity/auth/sign-in.service';
import { AuditTrail } from '../../../../src/platform/access/audit-trail.port';
import { newId } from '../../../../src/platform/crypto/ids';
import { Transactions } from '../../../../src/platform/database/transactions';
import { JobCompletion } from '../../../../src/platform/jobs/job-completion';
import { addAuditCommands } from '../../../../src/operations/cli/audit-commands';
import { addUserCommands } from '../../../../src/operations/cli/user-commands';
import { loadConfig } from '../../../../src/platform/config/load-config';
import { ApiClient } from '../../../support/api-client';
import { startTestApp, TestApp } from '../../../support/app';
import { eml } from '../../../support/archive/eml';
import { EncryptedArchive } from '../../../support/encryption/encrypted-archive';
import type { TestUser } from '../../../support/test-user';

jest.setTimeout(120_000);

/** Where clients come from, as the proxy in front says. */
const ADDRESS = '203.0.113.7';
/** In everything that must not get into the log. */
const CANARY = 'kanarienvogel';
const PASSPHRASE = `${CANARY} passphrase`;

interface Entry {
  sequence: number;
  action: string;
  outcome: string;
  actor_kind: string;
  actor_id: string | null;
  user_id: string | null;
  account_id: string | null;
  target_type: string | null;
  target_id: string | null;
  address: string | null;
  request_id: string | null;
  job_id: string | null;
  details: Record<string, unknown>;
}

describe('the audit log', () => {
  let test: TestApp;
  let admin: TestUser;
  let user: TestUser;
  let archive: EncryptedArchive;
  let mails: string[];

  beforeAll(async () => {
    test = await startTestApp({ sandbox: { messages: 30 }, env: { TRUST_PROXY: 'true' } });
    admin = await test.user('admin');
    user = await test.user(CANARY);
    archive = await EncryptedArchive.connect(test, user, `${CANARY}-30@sandbox.mailroom.test`);
    mails = await archive.insertAndArchive(
      ...[1, 2, 3].map((n) => eml(`Subject: ${CANARY} ${n}`, 'From: a@example.com', '', CANARY)),
    );
  });
  afterAll(() => test.close());

  const proxied = { 'x-forwarded-for': ADDRESS };
  const entries = (after = 0): Promise<Entry[]> =>
    test.dataSource.query(
      'SELECT *, sequence::int AS sequence FROM audit_entries WHERE audit_entries.sequence > $1 ORDER BY audit_entries.sequence',
      [after],
    );
  const length = async (): Promise<number> => (await entries()).length;
  /** What was recorded while `work` ran. */
  const during = async (work: () => Promise<unknown>): Promise<Entry[]> => {
    const before = await length();
    await work();
    return entries(before);
  };
  const answered = async (status: number, answer: Promise<{ status: number; body: any; bytes: Buffer }>) => {
    const { status: got, body, bytes } = await answer;
    if (got !== status) throw new Error(`answered ${got}: ${bytes.toString().slice(0, 500)}`);
    return body;
  };
  const login = (password: string, email = user.email) =>
    test.anonymous.post('/api/auth/login', { email, password }, { headers: proxied });
  const cli = async (args: string[], env: Record<string, string> = {}): Promise<string> => {
    const lines: string[] = [];
    const output = new PassThrough();
    const written = text(output);
    const program = new Command().exitOverride().configureOutput({ writeErr: () => undefined });
    const config = () => loadConfig({ ...test.env, ...env });
    addAuditCommands(program, config, { print: (line) => lines.push(line), output });
    addUserCommands(program, config, {
      print: (line) => lines.push(line),
      choosePassword: async () => ({ password: user.password, generated: false }),
    });
    await program.parseAsync(args, { from: 'user' });
    output.end();
    return [...lines, await written].filter(Boolean).join('\n');
  };
  const verdict = (args: string[] = [], env: Record<string, string> = {}): Promise<string> =>
    cli(['audit:verify', ...args], env).catch((error: unknown) => (error as Error).message);

  describe('of acts', () => {
    const rule = {
      name: CANARY,
      description: CANARY,
      conditions: [{ field: 'subject', operator: 'contains', value: CANARY }],
      action: { type: 'archive' },
    };
    const policy = { name: CANARY, label: CANARY, maxAgeDays: 10_000 };
    const account = () => archive.accountId;
    const mailbox = () => `/api/mailbox/${account()}`;
    const createRule = async (): Promise<string> =>
      (await answered(201, user.api.post(`/api/rules/${account()}`, rule))).id as string;
    const createPolicy = async (): Promise<string> =>
      (await answered(201, user.api.post('/api/retention', policy))).id as string;
    let id: string;
    const own = { outcome: 'success', actor_kind: 'user', address: ADDRESS };
    const send = (method: string, path: string, body?: unknown, by: ApiClient = user.api) => {
      const request = { headers: proxied };
      if (method === 'DELETE') return by.delete(path, request);
      if (method === 'PATCH') return by.patch(path, body, request);
      if (method === 'PUT') return by.put(path, body, request);
      return by.post(path, body, request);
    };
    const job = async (path: string, body: unknown): Promise<void> => {
      const { jobId } = await answered(202, send('POST', path, body));
      await user.jobEnd(jobId as string);
    };

    const acts: [name: string, act: () => Promise<unknown>, recorded: () => object[]][] = [
      [
        'signing in',
        () => answered(200, login(user.password)),
        () => [
          {
            ...own,
            action: 'session.opened',
            user_id: user.id,
            actor_id: user.id,
            details: { method: 'password' },
          },
        ],
      ],
      [
        'a wrong password',
        () => answered(401, login(`${CANARY} wrong`)),
        () => [
          {
            action: 'session.refused',
            outcome: 'failure',
            actor_kind: 'anonymous',
            actor_id: null,
            user_id: user.id,
            address: ADDRESS,
            request_id: expect.stringMatching(/.{8}/),
          },
        ],
      ],
      [
        'an unknown address',
        () => answered(401, login('anything at all', `${CANARY}-nobody@users.test`)),
        () => [{ action: 'session.refused', outcome: 'failure', user_id: null, actor_kind: 'anonymous' }],
      ],
      [
        'signing out',
        async () => {
          const { body } = await login(user.password);
          await answered(
            204,
            send('POST', '/api/auth/logout', undefined, new ApiClient(test.url, body.access_token)),
          );
        },
        () => [
          { action: 'session.opened' },
          { ...own, action: 'session.ended', target_type: 'session', actor_id: user.id },
        ],
      ],
      [
        'a refresh token used twice',
        async () => {
          const { body } = await login(user.password);
          const again = () => test.anonymous.post('/api/auth/refresh', { refresh_token: body.refresh_token });
          await answered(200, again());
          await answered(401, again());
          await answered(401, again());
        },
        () => [
          { action: 'session.opened' },
          { action: 'refresh-token.reused', outcome: 'failure', user_id: user.id },
        ],
      ],
      [
        'registration',
        () => test.user(CANARY),
        () => [
          { action: 'user.created', actor_kind: 'user', details: { role: 'user' } },
          { action: 'session.opened', details: { method: 'registration' } },
        ],
      ],
      [
        'the operator’s commands',
        async () => {
          await cli(['user:create', '--email', `${CANARY}-cli@users.test`]);
          await cli(['user:reset-password', `${CANARY}-cli@users.test`]);
        },
        () => [
          { action: 'user.created', actor_kind: 'operator', actor_id: null, address: null },
          { action: 'password.changed', actor_kind: 'operator', actor_id: null },
        ],
      ],
      [
        'connecting a mailbox, and switching it off',
        async () => {
          id = await user.connect(`${CANARY}-two@sandbox.mailroom.test`);
          await answered(200, send('PATCH', `/api/auth/mailbox/${id}/toggle`));
          await answered(200, send('PATCH', `/api/auth/mailbox/${id}/toggle`));
          await user.connect(`${CANARY}-two@sandbox.mailroom.test`);
        },
        () => [
          {
            action: 'account.connected',
            account_id: id,
            user_id: user.id,
            actor_id: user.id,
            details: { provider: 'gmail' },
          },
          { ...own, action: 'account.switched-off', account_id: id },
          { action: 'account.switched-on', account_id: id },
          { action: 'account.reconnected', account_id: id },
        ],
      ],
      [
        'disconnecting and purging',
        async () => {
          await answered(204, send('DELETE', `/api/auth/mailbox/${id}?purge=true`));
          const [latest] = (await user.api.get('/api/jobs?limit=1')).body as { id: string }[];
          await user.jobEnd(latest!.id);
        },
        () => [
          { ...own, action: 'account.disconnected', account_id: id, details: { purge: true } },
          {
            ...own,
            action: 'account.purge-started',
            account_id: id,
            job_id: expect.stringMatching(/^purge_account-\d+$/),
          },
          {
            action: 'account.purge-completed',
            actor_kind: 'user',
            actor_id: user.id,
            address: null,
            job_id: expect.stringMatching(/^purge_account-\d+$/),
            details: expect.objectContaining({ mails: 0, accountRemoved: true }),
          },
        ],
      ],
      [
        'a consent refused',
        async () => {
          const { body } = await user.api.get('/api/auth/mailbox/connect?provider=gmail');
          const state = new URL(body.url as string).searchParams.get('state')!;
          const refused = await user.api.fetch(
            'GET',
            `/api/auth/mailbox/callback?state=${state}&error=access_denied`,
          );
          expect(refused.headers.get('location')).toContain('consent-denied');
        },
        () => [
          {
            action: 'account.refused',
            outcome: 'failure',
            user_id: user.id,
            details: { provider: 'gmail', code: 'consent-denied' },
          },
        ],
      ],
      [
        'a bulk operation',
        () =>
          job(`${mailbox()}/messages/bulk`, {
            action: 'mark_read',
            messageIds: [...archive.mailbox.ids()].slice(0, 3),
          }),
        () => [
          {
            ...own,
            action: 'messages.bulk-started',
            account_id: account(),
            details: { action: 'mark_read', count: 3, ofNewsletter: false },
          },
          {
            action: 'messages.bulk-completed',
            actor_id: user.id,
            details: expect.objectContaining({ action: 'mark_read', processed: 3 }),
          },
        ],
      ],
      [
        'labels',
        async () => {
          const label = await answered(201, send('POST', `${mailbox()}/labels`, { name: CANARY }));
          id = label.id as string;
          await answered(204, send('DELETE', `${mailbox()}/labels/${id}`));
        },
        () => [
          { ...own, action: 'label.created', target_type: 'label', target_id: id },
          { action: 'label.deleted', target_id: id },
        ],
      ],
      [
        'rules',
        async () => {
          id = await createRule();
          await answered(200, send('PUT', `/api/rules/${account()}/${id}`, { name: `${CANARY} 2` }));
          await answered(200, send('PATCH', `/api/rules/${account()}/${id}/toggle`));
          await job(`/api/rules/${account()}/${id}/run`, undefined);
          await answered(204, send('DELETE', `/api/rules/${account()}/${id}`));
        },
        () => [
          {
            action: 'rule.created',
            target_type: 'rule',
            target_id: id,
            details: { action: 'archive', schedule: null },
          },
          { ...own, action: 'rule.changed', target_id: id, details: { changed: ['name'] } },
          { action: 'rule.switched-off', target_id: id },
          { action: 'rule.run-started', target_id: id, job_id: expect.stringMatching(/^run_rule-/) },
          {
            action: 'rule.run-completed',
            details: expect.objectContaining({ action: 'archive', changed: 3 }),
          },
          { action: 'rule.deleted', target_id: id },
        ],
      ],
      [
        'retention',
        async () => {
          id = await createPolicy();
          await answered(200, send('PUT', `/api/retention/${id}`, { maxAgeDays: 20_000 }));
          await answered(200, send('POST', '/api/retention/run'));
          await answered(204, send('DELETE', `/api/retention/${id}`));
        },
        () => [
          {
            action: 'retention-policy.created',
            target_id: id,
            details: { maxAgeDays: 10_000, isActive: true },
          },
          {
            ...own,
            action: 'retention-policy.changed',
            details: { changed: ['maxAgeDays'], maxAgeDays: 20_000, isActive: true },
          },
          { action: 'retention.run-started' },
          { action: 'retention.run-completed', details: { policiesRun: 1, totalDeleted: 0 } },
          { action: 'retention-policy.deleted', target_id: id },
        ],
      ],
      [
        'exports',
        async () => {
          await answered(200, send('POST', `${archive.path}/export-zip`, { mailIds: mails }));
          await answered(200, send('POST', `/api/import/${account()}/export-mbox`, {}));
        },
        () => [
          { ...own, action: 'mails.exported', account_id: account(), details: { format: 'zip', count: 3 } },
          { action: 'mails.exported', details: { format: 'mbox', all: true } },
        ],
      ],
      [
        'an import',
        async () => {
          const form = new FormData();
          form.set(
            'file',
            new Blob([`From a@b Mon Jan  1 00:00:00 2024\nSubject: ${CANARY}\n\n${CANARY}\n`]),
            `${CANARY}.mbox`,
          );
          const { status, body } = await fetch(new URL(`/api/import/${account()}/mbox`, test.url), {
            method: 'POST',
            body: form,
            headers: { authorization: `Bearer ${user.api.token}` },
          }).then(async (answer) => ({
            status: answer.status,
            body: (await answer.json()) as { jobId: string },
          }));
          expect(status).toBe(202);
          await user.jobEnd(body.jobId);
        },
        () => [
          {
            action: 'mails.import-started',
            account_id: account(),
            details: { source: 'mbox', sizeBytes: expect.any(Number) },
          },
          {
            action: 'mails.import-completed',
            details: expect.objectContaining({ source: 'mbox', imported: 1 }),
          },
        ],
      ],
      [
        'encryption',
        async () => {
          await answered(200, send('POST', '/api/privacy/encryption/setup', { passphrase: PASSPHRASE }));
          await answered(
            200,
            send('POST', '/api/privacy/encryption/verify', { passphrase: `${CANARY} wrong` }),
          );
          await job(`${archive.encryptionPath}/encrypt`, { passphrase: PASSPHRASE });
          const body = { mailId: mails[0], passphrase: PASSPHRASE };
          await answered(200, send('POST', `${archive.encryptionPath}/decrypt-mail`, body));
        },
        () => [
          { ...own, action: 'encryption.set-up', user_id: user.id },
          { action: 'passphrase.refused', outcome: 'failure', actor_id: user.id },
          { action: 'archive.encryption-started', account_id: account() },
          { action: 'archive.encryption-completed', details: expect.objectContaining({ encrypted: 4 }) },
          { action: 'mail.decrypted', target_type: 'mail', target_id: mails[0] },
        ],
      ],
      [
        'the choice of a storage',
        () => answered(200, send('PUT', '/api/storage/config', { type: 'local' })),
        () => [
          {
            ...own,
            action: 'storage.changed',
            target_type: 'storage',
            details: { place: 'local', known: false },
          },
        ],
      ],
      [
        'administrators',
        async () => {
          await answered(202, send('POST', '/api/admin/integrity/check', undefined, admin.api));
        },
        () => [
          {
            ...own,
            action: 'integrity.check-started',
            actor_id: admin.id,
            job_id: expect.stringMatching(/^check_integrity-/),
          },
        ],
      ],
    ];

    it.each(acts)('should hold %s', async (_name, act, recorded) => {
      expect(await during(act)).toMatchObject(recorded());
    });

    it('should hold one entry for many sign-ins refused by the rate limit', async () => {
      const attempts = test.app.get(LoginAttempts);
      for (let failed = 0; failed < 10; failed += 1) await attempts.begin(admin.email);
      const found = await during(async () => {
        for (let again = 0; again < 3; again += 1)
          await answered(429, login('a wrong password', admin.email));
      });
      expect(found).toMatchObject([
        {
          action: 'session.refused',
          user_id: admin.id,
          details: { method: 'password', code: 'too-many-requests' },
        },
      ]);
    });

    it('should hold no content, e-mail address or secret', async () => {
      const all = JSON.stringify(await entries());
      expect(all.length).toBeGreaterThan(10_000);
      expect(all).not.toContain(CANARY);
      expect(all).not.toContain('@');
      expect(all).not.toContain(user.password);
      expect(await verdict()).toMatch(/^\d+ entries fit/);
    });
  });

  describe('read through the API', () => {
    it('should show your own entries, newest first, with pages and filters', async () => {
      const all = await user.api.get('/api/audit?limit=1000');
      expect([all.status, all.body.limit, all.body.page]).toEqual([200, 100, 1]);
      const listed: any[] = all.body.entries;
      expect(all.body.total).toBe(listed.length);
      expect(listed.every((entry) => entry.user_id === user.id)).toBe(true);
      expect(listed.map(({ id }) => id)).toEqual(
        listed
          .map(({ id }) => id as string)
          .sort()
          .reverse(),
      );
      expect(listed[0]).not.toHaveProperty('sequence');
      const second = await user.api.get('/api/audit?limit=3&page=2');
      expect(second.body).toMatchObject({ total: listed.length, page: 2, limit: 3 });
      expect(second.body.entries).toEqual(listed.slice(3, 6));

      const sessions = (await user.api.get('/api/audit?action=session.')).body;
      expect(sessions.total).toBe(listed.filter(({ action }) => action.startsWith('session.')).length);
      const refused = (await user.api.get('/api/audit?action=session.refused&outcome=failure')).body;
      expect(refused.entries).toMatchObject([
        { action: 'session.refused', address: ADDRESS, actor_kind: 'anonymous' },
      ]);
      const today = listed[0].occurred_at.slice(0, 10) as string;
      expect((await user.api.get(`/api/audit?from=2020-01-01&to=${today}`)).body.total).toBe(listed.length);
      expect((await user.api.get('/api/audit?to=2020-01-01')).body).toMatchObject({ total: 0, entries: [] });
    });

    it('should not show the id and the address of administrators', async () => {
      const target = await test.user('target');
      const path = `/api/admin/users/${target.id}`;
      await answered(200, admin.api.patch(path, { max_mailbox_accounts: 3 }, { headers: proxied }));
      const [entry] = (await target.api.get('/api/audit?action=user.changed')).body.entries;
      expect(entry).toMatchObject({
        actor_kind: 'administrator',
        actor_id: null,
        address: null,
        request_id: null,
      });
      const all = (await admin.api.get(`/api/admin/audit?userId=${target.id}&action=user.changed`)).body;
      expect(all).toMatchObject({
        total: 1,
        entries: [{ actor_kind: 'user', actor_email: admin.email, user_email: target.email }],
      });
      expect((await admin.api.get('/api/audit?action=user.changed')).body.entries).toContainEqual(
        expect.objectContaining({ user_id: target.id, actor_id: admin.id }),
      );
    });

    it('should show administrators the entries of all users', async () => {
      const { body } = await admin.api.get('/api/admin/audit?limit=2');
      expect(body).toMatchObject({ total: await length(), page: 1, limit: 2 });
      expect(body.entries[0]).toMatchObject({
        sequence: body.total,
        hash: expect.stringMatching(/^[0-9a-f]{64}$/),
      });
      const of = async (query: string): Promise<any> =>
        (await admin.api.get(`/api/admin/audit?${query}`)).body;
      const rows = await entries();
      const count = (matches: (entry: Entry) => boolean): number => rows.filter(matches).length;
      expect((await of(`userId=${user.id}`)).total).toBe(count((entry) => entry.user_id === user.id));
      expect((await of(`actorId=${admin.id}`)).total).toBe(count((entry) => entry.actor_id === admin.id));
      expect((await of(`accountId=${archive.accountId}`)).total).toBe(
        count((entry) => entry.account_id === archive.accountId),
      );
      expect((await of('action=mails.&outcome=success')).total).toBe(
        count(({ action }) => action.startsWith('mails.')),
      );
    });

    it.each([
      ['page=0', 'page'],
      ['limit=0', 'limit'],
      ['action=session', 'action'],
      ['action=SESSION.%25', 'action'],
      ['outcome=maybe', 'outcome'],
      ['group=everything', 'group'],
      ['from=yesterday', 'from'],
      ['to=2024-02-30', 'to'],
    ])('should refuse %s', async (query, field) => {
      for (const [path, client] of [
        ['/api/audit', user.api],
        ['/api/admin/audit', admin.api],
      ] as const) {
        // An export has no pages.
        for (const list of /page|limit/.test(field) ? [path] : [path, `${path}/export`]) {
          const { status, body } = await client.get(`${list}?${query}`);
          expect([status, body.errors.map((error: { field: string }) => error.field)]).toEqual([
            400,
            [field],
          ]);
        }
      }
    });

    it('should say who deleted what, by mailbox', async () => {
      const query = `group=deletions&accountId=${archive.accountId}`;
      const { body } = await user.api.get(`/api/audit?${query}&limit=100`);
      const actions = body.entries.map(({ action }: Entry) => action) as string[];
      expect(new Set(actions)).toEqual(new Set(['rule.deleted', 'label.deleted']));
      expect((await admin.api.get(`/api/admin/audit?${query}&actorId=${user.id}`)).body.total).toBe(
        body.total,
      );
      expect((await user.api.get(`/api/audit?group=deletions&accountId=${admin.id}`)).body.total).toBe(0);
      const signIns = (await user.api.get('/api/audit?group=sign-in&limit=100')).body.entries as Entry[];
      expect(signIns.map(({ action }) => action)).toContain('session.refused');
      expect(signIns.map(({ action }) => action)).not.toContain('rule.deleted');
    });

    it('should be exported as CSV with the filters of the list, each user’s own alone', async () => {
      const query = 'group=deletions&from=2020-01-01';
      const answer = await user.api.get(`/api/audit/export?${query}`);
      expect(answer.status).toBe(200);
      expect(answer.headers.get('content-type')).toBe('text/csv');
      expect(answer.headers.get('content-disposition')).toContain('audit-log.csv');
      const [head, ...records] = answer.bytes.toString().split('\r\n');
      expect(head).toBe(
        'occurred_at,action,outcome,actor_kind,actor_id,user_id,mailbox_account_id,target_type,target_id,address,request_id,api_key_id,job_id,details',
      );
      expect(records.pop()).toBe('');
      const listed = (await user.api.get(`/api/audit?${query}&limit=100`)).body;
      expect(records).toHaveLength(listed.total);
      expect(records.map((record) => record.split(',').slice(0, 2))).toEqual(
        listed.entries.map(({ occurred_at, action }: any) => [occurred_at, action]),
      );
      const [other] = (await admin.api.get('/api/audit/export?group=messages')).bytes
        .toString()
        .split('\r\n')
        .slice(1);
      expect(other).toBe('');
      const all = (await admin.api.get(`/api/admin/audit/export?${query}&actorId=${user.id}`)).bytes;
      expect(all.toString()).toMatch(/^sequence,occurred_at,.*,actor_email,user_email,hash\r\n/);
      expect(all.toString()).toContain(user.email);
      expect(all.toString()).not.toContain(admin.email);
    });

    it('should be exported whole when it is longer than what is read at a time', async () => {
      const many = await test.user('many');
      const trail = test.app.get(AuditTrail);
      for (let n = 0; n < 1_100; n += 1)
        await trail.record({ action: 'test.counted', userId: many.id, details: { n } });
      const { bytes } = await many.api.get('/api/audit/export?action=test.counted');
      const numbers = [...bytes.toString().matchAll(/""n"":(\d+)/g)].map(([, n]) => Number(n));
      expect(numbers).toEqual(Array.from({ length: 1_100 }, (_, index) => 1_099 - index));
    });

    it('should require a sign-in', async () => {
      expect((await test.anonymous.get('/api/audit')).status).toBe(401);
      expect((await test.anonymous.get('/api/audit/export')).status).toBe(401);
      expect((await user.api.get('/api/admin/audit/export')).status).toBe(403);
      expect((await test.anonymous.get('/api/admin/audit')).status).toBe(401);
      expect((await user.api.get('/api/admin/audit')).status).toBe(403);
      for (const field of ['userId', 'actorId', 'accountId']) {
        expect((await admin.api.get(`/api/admin/audit?${field}=x`)).status).toBe(400);
      }
    });
  });

  describe('while it is written', () => {
    const record = (action: string, details: Record<string, any> = {}): Promise<void> =>
      test.app.get(AuditTrail).record({ action, userId: user.id, details });

    it('should have no gaps after 50 acts at the same time', async () => {
      const found = await during(() =>
        Promise.all(Array.from({ length: 50 }, () => user.api.put('/api/storage/config', { type: 'local' }))),
      );
      expect(found.map(({ action }) => action)).toEqual(Array(50).fill('storage.changed'));
      expect((await entries()).map(({ sequence }) => sequence)).toEqual(
        Array.from({ length: await length() }, (_, index) => index + 1),
      );
      expect(await verdict()).toContain(' entries fit');
    });

    it('should be rolled back with the act it records, and keep entries of refused acts', async () => {
      const trail = test.app.get(AuditTrail);
      const transactions = test.app.get(Transactions);
      const act = (action: string) => ({ action, userId: user.id });
      const found = await during(async () => {
        await expect(
          transactions.run(async (transaction) => {
            await trail.record(act('test.undone'), transaction);
            await trail.recordRefusal(act('test.refused'));
            throw new Error('undone');
          }),
        ).rejects.toThrow('undone');
        await transactions.run(async (transaction) => {
          await trail.record(act('test.first'), transaction);
          const attempt = transaction.runInSavepoint(async () => {
            await trail.record(act('test.savepoint-undone'), transaction);
            throw new Error('undone');
          });
          await expect(attempt).rejects.toThrow('undone');
          await transaction.runInSavepoint(() => trail.record(act('test.savepoint-kept'), transaction));
        });
      });
      expect(found.map(({ action, outcome }) => [action, outcome])).toEqual([
        ['test.refused', 'failure'],
        ['test.first', 'success'],
        ['test.savepoint-kept', 'success'],
      ]);
    });

    it('should verify with any details', async () => {
      const random = (n: number): string =>
        String.fromCharCode(
          ...Array.from({ length: n }, (_, index) => (n * 7_919 + index * 104_729) % 0x1_0000),
        );
      const hostile: Record<string, any>[] = [
        { zebra: 1, alpha: 2, Alpha: 3, ä: 4, aa: 5, '10': 6, '9': 7 },
        { nul: 'a\0b', lone: '\uD83D', pair: '😀', both: '\uDE00\uD83D', quote: '"\\\u2028' },
        {
          huge: 1e308,
          tiny: 5e-324,
          e21: 1e21,
          e20: 1e20,
          precise: 0.1 + 0.2,
          max: Number.MAX_SAFE_INTEGER,
          minus: -0,
        },
        { nothing: null, yes: true, no: false, list: ['b', 'a', '\0', '\uD800'], empty: '' },
        {},
        ...Array.from({ length: 40 }, (_, index) => ({
          text: random(index),
          [`key${40 - index}`]: index / 7,
        })),
      ];
      for (const details of hostile) await record('test.hostile', details);
      await test.app.get(AuditTrail).record({
        action: 'test.hostile',
        userId: null,
        target: { type: 'label', id: `${'😀'.repeat(90)}\uD83D` },
      });
      expect(await verdict()).toContain(' entries fit');
    });

    describe('while it cannot be written', () => {
      const sessions = async (): Promise<unknown> =>
        test.dataSource.query(
          `SELECT (SELECT count(*)::int FROM sessions WHERE user_id = $1) AS sessions,
                  (SELECT last_login_at FROM users WHERE id = $1) AS at`,
          [user.id],
        );

      beforeEach(async () => {
        await test.dataSource.query(
          `CREATE FUNCTION keep_out() RETURNS trigger LANGUAGE plpgsql AS $$
           BEGIN RAISE EXCEPTION 'canceling statement due to lock timeout' USING ERRCODE = '55P03'; END $$`,
        );
        await test.dataSource.query(
          `CREATE TRIGGER a_keep_out BEFORE INSERT ON audit_entries
           FOR EACH STATEMENT EXECUTE FUNCTION keep_out()`,
        );
      });
      const letIn = (): Promise<unknown> =>
        test.dataSource.query('DROP FUNCTION IF EXISTS keep_out() CASCADE');
      afterEach(letIn);

      it('should refuse sign-ins without a trace, and other refusals as before', async () => {
        const before = await sessions();
        const { status, body } = await login(user.password);
        expect([status, body.code]).toEqual([503, 'service-unavailable']);
        expect(await sessions()).toEqual(before);
        expect((await login('something else')).status).toBe(401);
        await letIn();
        expect((await login(user.password)).status).toBe(200);
      });
    });

    it('should record the end of a cancelled job whose process died', async () => {
      const [job] = await test.dataSource.query(
        `INSERT INTO jobs (id, user_id, mailbox_account_id, type, lane, status, payload, lease_token, lease_until)
         VALUES ($1, $2, $3, 'bulk_operation', 'interactive-bulk', 'cancelled', '{}', $1, now() - interval '1 s')
         RETURNING number`,
        [newId(), user.id, archive.accountId],
      );
      const found = await during(() => test.app.get(JobCompletion).recoverLost());
      expect(found).toMatchObject([
        {
          action: 'messages.bulk-cancelled',
          actor_kind: 'service',
          user_id: user.id,
          job_id: `bulk_operation-${job.number}`,
        },
      ]);
    });

    it.each([
      'UPDATE audit_entries SET action = action',
      'DELETE FROM audit_entries',
      'TRUNCATE audit_entries',
    ])('should refuse changes: %s', async (sql) => {
      await expect(test.dataSource.query(sql)).rejects.toThrow('append-only');
    });

    it('should be exported completely', async () => {
      const lines = (await cli(['audit:export']))
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line));
      const rows: any[] = await entries();
      expect(lines.map(({ sequence, hash }) => [sequence, hash])).toEqual(
        rows.map(({ sequence, hash }) => [sequence, hash.toString('hex')]),
      );
    });
  });

  describe('tampered with', () => {
    let size: number;

    beforeAll(async () => {
      await test.dataSource.query('CREATE TABLE kept_entries AS TABLE audit_entries');
      await test.dataSource.query('CREATE TABLE kept_head AS TABLE audit_head');
      size = await length();
    });
    /** By somebody who may do anything in the database. */
    const tamper = async (...statements: string[]): Promise<void> => {
      await test.dataSource.transaction(async (manager) => {
        await manager.query('ALTER TABLE audit_entries DISABLE TRIGGER USER');
        for (const sql of statements) await manager.query(sql);
        await manager.query('ALTER TABLE audit_entries ENABLE TRIGGER USER');
      });
    };
    const untouched = [
      'DELETE FROM audit_entries',
      'INSERT INTO audit_entries TABLE kept_entries',
      'DELETE FROM audit_head',
      'INSERT INTO audit_head TABLE kept_head',
    ];
    afterEach(() => tamper(...untouched));

    const COPY = `INSERT INTO audit_entries SELECT (jsonb_populate_record(e, '{"sequence": %s, "id": "01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d"}')).* FROM audit_entries e WHERE sequence = %s`;
    const copy = (from: number, to: number): string =>
      COPY.replace('%s', String(to)).replace('%s', String(from));
    const cases: [name: string, statements: () => string[], says: () => RegExp][] = [
      [
        'an altered action',
        () => [`UPDATE audit_entries SET action = 'x.y' WHERE sequence = 5`],
        () => /^Entry 5 was altered\.$/,
      ],
      [
        'altered details',
        () => [`UPDATE audit_entries SET details = '{"a": 1}' WHERE sequence = 7`],
        () => /^Entry 7 was altered/,
      ],
      [
        'an altered time',
        () => [
          `UPDATE audit_entries SET occurred_at = occurred_at + interval '1 microsecond' WHERE sequence = 6`,
        ],
        () => /^Entry 6 was altered/,
      ],
      [
        'a forgotten actor',
        () => [`UPDATE audit_entries SET actor_id = NULL WHERE sequence = 2`],
        () => /^Entry 2 was altered/,
      ],
      [
        'an altered last entry',
        () => [`UPDATE audit_entries SET outcome = 'failure' WHERE sequence = ${size}`],
        () => new RegExp(`^Entry ${size} was altered`),
      ],
      [
        'a missing entry',
        () => ['DELETE FROM audit_entries WHERE sequence = 4'],
        () => /^Entry 4 is missing\.$/,
      ],
      [
        'missing entries',
        () => ['DELETE FROM audit_entries WHERE sequence BETWEEN 4 AND 9'],
        () => /^Entries 4 to 9 are missing\.$/,
      ],
      [
        'missing entries, and others renumbered',
        () => [
          'DELETE FROM audit_entries WHERE sequence BETWEEN 4 AND 5',
          'UPDATE audit_entries SET sequence = -sequence + 2 WHERE sequence > 5',
          'UPDATE audit_entries SET sequence = -sequence WHERE sequence < 0',
          `UPDATE audit_head SET sequence = sequence - 2`,
        ],
        () => /^Entry 4 .*missing before it/,
      ],
      [
        'a reordered pair',
        () => [
          'UPDATE audit_entries SET sequence = -4 WHERE sequence = 4',
          'UPDATE audit_entries SET sequence = 4 WHERE sequence = 5',
          'UPDATE audit_entries SET sequence = 5 WHERE sequence = -4',
        ],
        () => /^Entry 4 is not in its place/,
      ],
      [
        'an inserted entry',
        () => [
          'UPDATE audit_entries SET sequence = -sequence - 1 WHERE sequence >= 6',
          'UPDATE audit_entries SET sequence = -sequence WHERE sequence < 0',
          copy(2, 6),
        ],
        () => /^Entry 6 was inserted/,
      ],
      [
        'one more entry',
        () => [copy(3, size + 1)],
        () => new RegExp(`^Entry ${size + 1} was inserted: the log ends with entry ${size}`),
      ],
      [
        'a cut end',
        () => [`DELETE FROM audit_entries WHERE sequence > ${size - 2}`],
        () => new RegExp(`^Entries ${size - 1} to ${size} are missing at the end`),
      ],
      [
        'a cut end, and the head rewritten',
        () => [
          `DELETE FROM audit_entries WHERE sequence > ${size - 2}`,
          `UPDATE audit_head SET sequence = ${size - 2}, hash = (SELECT hash FROM audit_entries WHERE sequence = ${size - 2})`,
        ],
        () => /^The end of the log was altered/,
      ],
      [
        'everything removed',
        () => ['DELETE FROM audit_entries'],
        () => new RegExp(`^Entries 1 to ${size} are missing at the end`),
      ],
      ['the head removed', () => ['DELETE FROM audit_head'], () => /^The end of the log was altered/],
    ];

    it.each(cases)('should show %s', async (_name, statements, says) => {
      await tamper(...statements());
      expect(await verdict()).toMatch(says());
    });

    it('should show that its end was cut, even after later entries', async () => {
      await tamper(
        `DELETE FROM audit_entries WHERE sequence > ${size - 2}`,
        `UPDATE audit_head SET sequence = ${size - 2}, hash = (SELECT hash FROM audit_entries WHERE sequence = ${size - 2})`,
      );
      await answered(200, user.api.put('/api/storage/config', { type: 'local' }));
      expect(await verdict()).toMatch(new RegExp(`^Entry ${size - 1} says so itself`));
      const head = (await entries()).at(-1)! as Entry & { hash: Buffer };
      expect(await verdict(['--from-head', `${head.sequence}:${head.hash.toString('hex')}`])).toContain(
        '0 entries fit',
      );
    });

    it('should show another key, and show a rewrite with the right key against a noted head', async () => {
      const rows = (await entries()) as (Entry & { hash: Buffer })[];
      const noted = (sequence: number): string => `${sequence}:${rows[sequence - 1]!.hash.toString('hex')}`;
      expect(await verdict([], { ENCRYPTION_KEY: Buffer.alloc(32, 9).toString('base64') })).toMatch(
        /ENCRYPTION_KEY is not the one/,
      );
      const whole = await verdict(['--from-head', noted(10)]);
      expect(whole).toContain(`${size - 10} entries fit`);
      expect(whole).toContain(`Head: ${noted(size)}`);
      expect(await verdict(['--from-head', `10:${'ab'.repeat(32)}`])).toMatch(
        /^Entry 10 is not the one that was noted/,
      );
      expect(await verdict(['--from-head', `${size + 1}:${'ab'.repeat(32)}`])).toMatch(
        /is missing, though it was noted/,
      );
      await expect(cli(['audit:verify', '--from-head', '10'])).rejects.toMatchObject({
        code: 'commander.invalidArgument',
      });
    });

    it('should not lock users out when its head is missing', async () => {
      await tamper('DELETE FROM audit_head');
      await answered(200, user.api.put('/api/storage/config', { type: 'local' }));
      expect((await entries(size)).map(({ action }) => action)).toEqual([
        'audit.end-refused',
        'storage.changed',
      ]);
      expect(await verdict()).toMatch(new RegExp(`^Entry ${size + 1} says so itself`));
    });
  });
});
