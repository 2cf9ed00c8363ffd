import { JobsService } from '../../../../src/platform/jobs/jobs.service';
import { AccountPurgesCron } from '../../../../src/operations/account-deletion/account-purges.cron';
import {
  OAuthCredentials,
  ProviderCredentials,
} from '../../../../src/providers/port/provider-credentials.port';
import { ApiClient } from '../../../support/api-client';
import { startTestApp, TestApp } from '../../../support/app';
import type { TestUser } from '../../../support/test-user';
import { waitFor } from '../../../support/wait';

interface Account {
  id: string;
  email: string;
  is_active: boolean;
  status: string;
}

describe('disconnecting a mailbox', () => {
  let test: TestApp;

  beforeAll(async () => {
    test = await startTestApp({ sandbox: { messages: 20 } });
    await test.user('administrator');
  });
  afterAll(() => test.close());

  const accountsOf = async (user: TestUser): Promise<Account[]> =>
    (await user.api.get('/api/auth/me')).body.mailboxAccounts;
  const stored = async (id: string): Promise<{ sealed_credentials: string | null } | undefined> =>
    (await test.dataSource.query('SELECT sealed_credentials FROM mailbox_accounts WHERE id = $1', [id]))[0];
  const revocations = (): number => test.sandbox.stats.calls['oauth.revoke'] ?? 0;

  it('should revoke and delete the credentials, and resume the account when it is reconnected', async () => {
    const user = await test.user();
    const id = await user.connect('leaving@sandbox.test');
    const credentials = (await test.app.get(ProviderCredentials).load(id)) as OAuthCredentials;
    const revokedBefore = revocations();
    expect((await user.api.delete(`/api/auth/mailbox/${id}`)).status).toBe(204);
    expect(revocations()).toBe(revokedBefore + 1);
    expect(await stored(id)).toEqual({ sealed_credentials: null });
    const refused = await user.api.get(`/api/mailbox/${id}/profile`);
    expect([refused.status, refused.body.code]).toEqual([409, 'mailbox-disconnected']);
    expect((await accountsOf(user))[0]).toMatchObject({ id, status: 'disconnected', is_active: false });
    // Tokens refreshed by a request that was under way must not come back.
    await test.app.get(ProviderCredentials).save(id, credentials);
    expect(await stored(id)).toEqual({ sealed_credentials: null });
    expect((await user.api.patch(`/api/auth/mailbox/${id}/toggle`)).body.code).toBe('mailbox-disconnected');
    expect((await user.api.delete(`/api/auth/mailbox/${id}`)).status).toBe(204);

    expect(await user.connect('leaving@sandbox.test')).toBe(id);
    expect((await accountsOf(user))[0]).toMatchObject({ id, status: 'connected', is_active: true });
    expect((await user.api.get(`/api/mailbox/${id}/profile`)).status).toBe(200);
  });

  it('should keep the grant while another user uses the same mailbox', async () => {
    const [one, two] = [await test.user(), await test.user()];
    const [first, second] = [
      await one.connect('shared@sandbox.test'),
      await two.connect('shared@sandbox.test'),
    ];
    const revokedBefore = revocations();
    expect((await one.api.delete(`/api/auth/mailbox/${first}`)).status).toBe(204);
    expect(revocations()).toBe(revokedBefore);
    expect((await two.api.get(`/api/mailbox/${second}/profile`)).status).toBe(200);
    expect((await two.api.delete(`/api/auth/mailbox/${second}`)).status).toBe(204);
    expect(revocations()).toBe(revokedBefore + 1);
  });

  it('should work while the provider is down', async () => {
    const down = await startTestApp({
      sandbox: { messages: 5 },
      env: { GOOGLE_REVOKE_URL: 'http://127.0.0.1:9/revoke' },
    });
    try {
      const user = await down.user();
      const id = await user.connect('down@sandbox.test');
      expect((await user.api.delete(`/api/auth/mailbox/${id}`)).status).toBe(204);
      const { body } = await user.api.get('/api/auth/me');
      expect(body.mailboxAccounts[0].status).toBe('disconnected');
    } finally {
      await down.close();
    }
  });

  it('should remove the account as a job with purge', async () => {
    const user = await test.user();
    const id = await user.connect('purged@sandbox.test');
    const bad = await user.api.delete(`/api/auth/mailbox/${id}?purge=maybe`);
    expect([bad.status, bad.body.errors[0].field]).toEqual([400, 'purge']);
    expect((await user.api.delete(`/api/auth/mailbox/${id}?purge=true`)).status).toBe(204);
    const { body: jobs } = await user.api.get('/api/jobs');
    expect(jobs[0].type).toBe('purge_account');
    const job = await user.jobEnd(jobs[0].queue_id);
    expect(job).toMatchObject({ status: 'completed', result: { mails: 0, accountRemoved: true } });
    expect(await stored(id)).toBeUndefined();
    expect(await accountsOf(user)).toEqual([]);
    expect(await user.connect('purged@sandbox.test')).not.toBe(id);
  });

  it('should close the account in another process at once with purge', async () => {
    const { app: sibling, url } = await test.another();
    try {
      const user = await test.user();
      const id = await user.connect('elsewhere@sandbox.test');
      const there = new ApiClient(url, user.api.token);
      const status = async (): Promise<number> => (await there.get(`/api/archive/${id}/mails`)).status;
      expect((await user.api.delete(`/api/auth/mailbox/${id}?purge=true`)).status).toBe(204);
      // Asked all the time, it knows the owner when the account is deleted.
      let deletedAt: number | undefined;
      await waitFor('the other process to know', async () => {
        const isClosed = (await status()) === 403;
        if (!(await stored(id))) deletedAt ??= Date.now();
        return isClosed;
      });
      // Its own copy would have been good for two seconds.
      expect(Date.now() - (deletedAt ?? Date.now())).toBeLessThan(1_500);
      expect(await stored(id)).toBeUndefined();
    } finally {
      await sibling.close();
    }
  });

  it('should cancel the open jobs of the account and no others', async () => {
    const user = await test.user();
    const [leaving, staying] = [
      await user.connect('busy-2000@sandbox.test'),
      await user.connect('staying-2000@sandbox.test'),
    ];
    const archive = async (account: string): Promise<string> => {
      const { status, body } = await user.api.post(`/api/archive/${account}/archive`, {
        query: 'in:anywhere',
      });
      expect(status).toBe(202);
      return body.jobId as string;
    };
    const jobs = [await archive(leaving), await archive(leaving), await archive(leaving)];
    const other = await archive(staying);
    await waitFor('the first job to run', async () => {
      const { body } = await user.api.get(`/api/jobs/${jobs[0]}`);
      return body.status === 'active' && body.processed > 0;
    });
    expect((await user.api.delete(`/api/auth/mailbox/${leaving}`)).status).toBe(204);
    for (const job of jobs) expect((await user.jobEnd(job)).status).toBe('cancelled');
    expect((await user.api.get(`/api/jobs/${other}`)).body.status).toMatch(/^(pending|active)$/);
    expect((await user.api.delete(`/api/jobs/${other}`)).status).toBe(204);
  });

  describe('with purge', () => {
    const purgesOf = async (user: TestUser): Promise<any[]> =>
      (await user.api.get('/api/jobs')).body.filter((job: { type: string }) => job.type === 'purge_account');

    it('should change nothing when the job cannot be started', async () => {
      const user = await test.user();
      const id = await user.connect('unlucky@sandbox.test');
      const start = jest.spyOn(test.app.get(JobsService), 'start').mockRejectedValueOnce(new Error('crash'));
      try {
        expect((await user.api.delete(`/api/auth/mailbox/${id}?purge=true`)).status).toBe(500);
        expect(start).toHaveBeenCalledTimes(1);
      } finally {
        start.mockRestore();
      }
      expect((await accountsOf(user))[0]).toMatchObject({ id, status: 'connected', is_active: true });
      expect((await user.api.get(`/api/mailbox/${id}/profile`)).status).toBe(200);
    });

    it('should start one job, however often it is requested', async () => {
      const user = await test.user();
      const id = await user.connect('impatient@sandbox.test');
      const answers = await Promise.all(
        [1, 2, 3].map(() => user.api.delete(`/api/auth/mailbox/${id}?purge=true`)),
      );
      // Who comes after the account is gone is told so.
      for (const { status } of answers) expect([204, 403]).toContain(status);
      expect(answers.map(({ status }) => status)).toContain(204);
      expect(await purgesOf(user)).toHaveLength(1);
    });

    it.each(['failed', 'cancelled'])('should be started again after a purge that %s', async (status) => {
      const user = await test.user();
      const id = await user.connect(`${status}@sandbox.test`);
      await test.dataSource.query(`UPDATE mailbox_accounts SET status = 'purging' WHERE id = $1`, [id]);
      await test.dataSource.query(
        `INSERT INTO jobs (id, type, lane, user_id, mailbox_account_id, payload, status, completed_at)
         VALUES (gen_random_uuid(), 'purge_account', 'maintenance', $1, $2, $3, $4, now())`,
        [user.id, id, { accountId: id }, status],
      );
      const cron = test.app.get(AccountPurgesCron);
      await Promise.all([cron.onApplicationBootstrap(), cron.resumePurges(), cron.resumePurges()]);
      const [again, ...earlier] = await purgesOf(user);
      expect(earlier).toHaveLength(1);
      expect(await user.jobEnd(again.queue_id)).toMatchObject({
        status: 'completed',
        result: { accountRemoved: true },
      });
      expect(await accountsOf(user)).toEqual([]);
    });

    it('should not affect a running purge', async () => {
      const user = await test.user();
      const id = await user.connect('under-way@sandbox.test');
      await test.dataSource.query(`UPDATE mailbox_accounts SET status = 'purging' WHERE id = $1`, [id]);
      // In a queue without workers it stays pending.
      await test.dataSource.query(
        `INSERT INTO jobs (id, type, lane, user_id, mailbox_account_id, payload)
         VALUES (gen_random_uuid(), 'purge_account', 'nowhere', $1, $2, $3)`,
        [user.id, id, { accountId: id }],
      );
      await test.app.get(AccountPurgesCron).resumePurges();
      expect(await purgesOf(user)).toHaveLength(1);
    });
  });

  describe('and connecting again', () => {
    it('should keep the new grant when a process still uses the old one', async () => {
      const user = await test.user();
      const credentials = test.app.get(ProviderCredentials);
      const id = await user.connect('race@sandbox.test');
      const old = (await credentials.load(id)) as OAuthCredentials;
      await user.connect('race@sandbox.test');
      const anew = (await credentials.load(id)) as OAuthCredentials;
      expect(anew.refreshToken).not.toBe(old.refreshToken);
      expect(await credentials.save(id, { ...old, accessToken: 'of the old grant' }, old)).toBe(false);
      expect(await credentials.load(id)).toEqual(anew);
      expect(await credentials.markReauthRequired(id, old)).toBe(false);
      expect((await accountsOf(user))[0]?.status).toBe('connected');

      const renewed = { ...anew, accessToken: 'renewed' };
      expect(await credentials.save(id, renewed, anew)).toBe(true);
      expect(await credentials.load(id)).toEqual(renewed);
      expect(await credentials.markReauthRequired(id, renewed)).toBe(true);
      expect((await accountsOf(user))[0]?.status).toBe('needs_reauth');
    });
  });
});
