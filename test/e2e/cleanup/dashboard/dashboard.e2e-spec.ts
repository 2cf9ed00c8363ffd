import type { SandboxMailbox } from '../../../../sandbox/src/sandbox-server';
import { startTestApp, TestApp } from '../../../support/app';
import { ArchiveFixture } from '../../../support/archive/archive-fixture';
import type { TestUser } from '../../../support/test-user';
import { waitFor } from '../../../support/wait';

/** Address in a From header: good enough for what the sandbox writes. */
function addressIn(from: string): string {
  const angle = /<([^<>\s]+@[^<>\s]+)>/.exec(from)?.[1];
  return (angle ?? /[^\s<>"(),;:]+@[^\s<>"(),;:]+/.exec(from)?.[0] ?? '').toLowerCase();
}

describe('Dashboard', () => {
  let app: TestApp;
  let user: TestUser;
  let stranger: TestUser;
  let boxes = 0;

  beforeAll(async () => {
    app = await startTestApp({ sandbox: { messages: 1 } });
    user = await app.user();
    stranger = await app.user('stranger');
    await app.dataSource.query('UPDATE users SET max_mailbox_accounts = 50');
  });

  afterAll(() => app?.close());

  async function connect(messages: number): Promise<{ path: string; id: string; mailbox: SandboxMailbox }> {
    const email = `dash${(boxes += 1)}-${messages}@sandbox.mailroom.test`;
    const id = await user.connect(email);
    app.sandbox.stats.reset();
    return { path: `/api/dashboard/${id}`, id, mailbox: app.sandbox.mailbox(email) };
  }

  describe('GET stats', () => {
    it('should refuse another scope', async () => {
      const { path } = await connect(1);
      const { status, body } = await user.api.get(`${path}/stats?scope=some`);
      expect([status, JSON.stringify(body)]).toEqual([400, expect.stringContaining('scope')]);
    });

    it('should fetch the metadata of each message once, however many requests there are', async () => {
      const { path } = await connect(60);
      const answers = await Promise.all([1, 2, 3].map(() => user.api.get(`${path}/stats`)));
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
      const visible = answers[0]!.body.totalMessages as number;
      expect(app.sandbox.stats.calls['messages.get']).toBeLessThanOrEqual(60);
      expect(app.sandbox.stats.calls['messages.get']).toBeGreaterThanOrEqual(visible);
    });

    it.each(['limit=0', 'limit=x', 'limit=1.5', 'tz=Mars/Olympus', 'tz='])(
      'should answer 400 to %s',
      async (query) => {
        const { path } = await connect(0);
        const { status, body } = await user.api.get(`${path}/stats?${query}`);
        expect(status).toBe(400);
        expect(body).toMatchObject({ code: 'validation-failed', errors: [{ field: query.split('=')[0] }] });
        expect(app.sandbox.stats.totalCalls).toBe(0);
      },
    );

    it('should answer 409 while the account is inactive, 403 to other users, 401 without a session', async () => {
      const { path, id } = await connect(0);
      await user.api.patch(`/api/auth/mailbox/${id}/toggle`);
      expect(await user.api.get(`${path}/stats`)).toMatchObject({
        status: 409,
        body: { code: 'mailbox-disconnected' },
      });
      for (const route of ['stats', 'archive-stats']) {
        expect((await stranger.api.get(`${path}/${route}`)).status).toBe(403);
        expect((await app.anonymous.get(`${path}/${route}`)).status).toBe(401);
        expect((await user.api.get(`/api/dashboard/nonsense/${route}`)).status).toBe(400);
      }
    });
  });

  describe('GET archive-stats', () => {
    const archived = async (messages: number): Promise<ArchiveFixture> =>
      ArchiveFixture.connect(app, user, `stats${(boxes += 1)}-${messages}@sandbox.mailroom.test`);
    const statsOf = (sut: ArchiveFixture): Promise<any> =>
      user.api.get(`/api/dashboard/${sut.accountId}/archive-stats`).then(({ status, body }) => {
        expect(status).toBe(200);
        return body;
      });

    /** The counters by sender, and the same counted from the rows. */
    async function senders(sut: ArchiveFixture): Promise<{ kept: unknown; counted: unknown }> {
      const kept: unknown = await app.dataSource.query(
        `SELECT address, mails, bytes::int FROM archived_senders WHERE account_id = $1 ORDER BY address`,
        [sut.accountId],
      );
      const counted: unknown = await app.dataSource.query(
        `SELECT lower(coalesce(substring(sender from '<([^<>]+)>'), sender)) AS address, count(*)::int AS mails,
                sum(size_bytes)::int AS bytes
           FROM archived_mails WHERE account_id = $1 GROUP BY 1 ORDER BY 1`,
        [sut.accountId],
      );
      return { kept, counted };
    }

    async function expectExact(sut: ArchiveFixture): Promise<any> {
      const { kept, counted } = await senders(sut);
      expect(kept).toEqual(counted);
      const rows = [...(await sut.rows()).values()];
      const body = await statsOf(sut);
      const last = rows.map((row) => row.archived_at as Date).sort((a, b) => b.getTime() - a.getTime())[0];
      expect(body).toMatchObject({
        total_mails: rows.length,
        total_size: rows.reduce((sum, row) => sum + Number(row.size_bytes), 0),
        last_archived_at: last?.toISOString() ?? null,
      });
      const own = sut.mailbox.email;
      const top = (counted as { address: string; mails: number; bytes: number }[])
        .filter(({ address }) => address !== own)
        .sort((a, b) => b.mails - a.mails || b.bytes - a.bytes || (a.address < b.address ? -1 : 1))
        .slice(0, 20);
      expect(body.bySender.map(({ count, total_size }: any) => [count, total_size])).toEqual(
        top.map(({ mails, bytes }) => [String(mails), String(bytes)]),
      );
      expect(body.bySender.map(({ sender }: any) => addressIn(sender as string) || sender)).toEqual(
        top.map(({ address }) => address),
      );
      return body;
    }

    it('should match a count over the archive after any change', async () => {
      const sut = await archived(300);
      const ids = sut.mailbox.ids();
      await sut.archive({ messageIds: ids.slice(0, 200) });
      const first = await expectExact(sut);
      expect(first.total_mails).toBe(200);
      expect(first.bySender).toHaveLength(20);

      // Refreshed, replaced and new ones in one job.
      await app.dataSource.query(
        `UPDATE archived_mails SET sha256 = repeat('0', 64), size_bytes = size_bytes + 7 WHERE account_id = $1
           AND mailbox_message_id = ANY ($2)`,
        [sut.accountId, ids.slice(0, 50)],
      );
      await expectExact(sut);
      await sut.archive({ messageIds: ids, differential: false });
      const second = await expectExact(sut);
      expect(second.total_mails).toBe(300);
      expect(second.last_archived_at > first.last_archived_at).toBe(true);

      await app.dataSource.query(
        `DELETE FROM archived_mails WHERE account_id = $1 AND mailbox_message_id = ANY ($2)`,
        [sut.accountId, ids.slice(0, 120)],
      );
      await expectExact(sut);
      await app.dataSource.query(`DELETE FROM archived_mails WHERE account_id = $1`, [sut.accountId]);
      expect(await expectExact(sut)).toEqual({
        total_mails: 0,
        total_size: 0,
        last_archived_at: null,
        bySender: [],
      });
    });

    it('should outlive the connection and be gone after a purge', async () => {
      const sut = await archived(10);
      await sut.archive({ messageIds: sut.mailbox.ids() });
      const before = await statsOf(sut);
      expect((await user.api.delete(`/api/auth/mailbox/${sut.accountId}`)).status).toBe(204);
      expect(await statsOf(sut)).toEqual(before);

      const purged = await archived(10);
      await purged.archive({ messageIds: purged.mailbox.ids() });
      await user.api.delete(`/api/auth/mailbox/${purged.accountId}?purge=true`);
      await waitFor('the purge', async () => {
        const accounts = await app.dataSource.query<unknown[]>(
          'SELECT 1 FROM mailbox_accounts WHERE id = $1',
          [purged.accountId],
        );
        return accounts.length === 0;
      });
      expect(await senders(purged)).toEqual({ kept: [], counted: [] });
      const [{ others }] = await app.dataSource.query(
        'SELECT count(*)::int AS others FROM archived_senders WHERE account_id = $1',
        [sut.accountId],
      );
      expect(others).toBeGreaterThan(0);
    });
  });
});
