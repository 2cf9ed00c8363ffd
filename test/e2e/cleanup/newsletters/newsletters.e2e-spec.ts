import { createServer, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { SandboxMailbox } from '../../../../sandbox/src/sandbox-server';
import { startTestApp, TestApp } from '../../../support/app';
import { countNewsletters, shownMessages } from '../../../support/newsletters/count-newsletters';
import { insertNewsletter as insert } from '../../../support/newsletters/insert-newsletter';
import type { TestUser } from '../../../support/test-user';
import { waitFor } from '../../../support/wait';

interface Newsletter {
  readonly sender: string;
  readonly email: string;
  readonly count: number;
  readonly totalSizeBytes: number;
  readonly unsubscribeUrl: string | null;
  readonly unsubscribeMailto: string | null;
  readonly oneClick: boolean;
  readonly lastDate: string;
}

describe('Newsletters', () => {
  let sut: TestApp;
  let user: TestUser;
  let boxes = 0;

  beforeAll(async () => {
    sut = await startTestApp({ sandbox: { messages: 1 } });
    user = await sut.user();
    await sut.dataSource.query('UPDATE users SET max_mailbox_accounts = 50');
  });

  afterAll(() => sut?.close());

  beforeEach(() => sut.sandbox.clearFaults());

  async function connect(messages: number): Promise<{ path: string; mailbox: SandboxMailbox }> {
    const email = `letters${(boxes += 1)}-${messages}@sandbox.mailroom.test`;
    const id = await user.connect(email);
    sut.sandbox.stats.reset();
    return { path: `/api/unsubscribe/${id}`, mailbox: sut.sandbox.mailbox(email) };
  }

  async function list(path: string, query = ''): Promise<Newsletter[]> {
    const { status, body } = await user.api.get<Newsletter[]>(`${path}/newsletters${query}`);
    expect(status).toBe(200);
    return body;
  }

  const of = (path: string, address: string): string => `${path}/newsletters/${encodeURIComponent(address)}`;

  async function messages(path: string, address: string): Promise<any> {
    const { status, body } = await user.api.get(`${of(path, address)}/messages`);
    expect(status).toBe(200);
    return body;
  }

  describe('a mailbox', () => {
    let path: string;
    let mailbox: SandboxMailbox;

    beforeAll(async () => {
      ({ path, mailbox } = await connect(400));
    });

    it('should return no more senders than requested', async () => {
      const all = await list(path);
      expect(all).toHaveLength(countNewsletters(mailbox).size);
      expect(await list(path, '?limit=3')).toEqual(all.slice(0, 3));
      expect(await list(path, '?limit=99999')).toEqual(all);
      for (const limit of ['0', '-1', 'x', '1.5']) {
        const { status, body } = await user.api.get(`${path}/newsletters?limit=${limit}`);
        expect([status, body.errors[0].field]).toEqual([400, 'limit']);
      }
    });

    it('should be neither visible to other users nor changeable by them', async () => {
      const stranger = (await sut.user('stranger')).api;
      const answers = await Promise.all([
        stranger.get(`${path}/newsletters`),
        stranger.get(`${of(path, 'a@b.test')}/messages`),
        stranger.get(`${of(path, 'malformed')}/messages`),
        stranger.post(`${of(path, 'a@b.test')}/delete`, {}),
      ]);
      for (const { status, body } of answers) expect([status, body.code]).toEqual([403, 'account-not-owned']);
      expect((await user.api.get('/api/unsubscribe/nonsense/newsletters')).status).toBe(400);
      expect((await sut.anonymous.get(`${path}/newsletters`)).status).toBe(401);
    });
  });

  it('should be inaccessible while the account is switched off', async () => {
    const { path } = await connect(1);
    await user.api.patch(`/api/auth/mailbox/${path.split('/').at(-1)}/toggle`);
    const answers = await Promise.all([
      user.api.get(`${path}/newsletters`),
      user.api.get(`${of(path, 'a@b.test')}/messages`),
      user.api.post(`${of(path, 'a@b.test')}/delete`, {}),
      user.api.post(`${path}/scan`),
    ]);
    for (const { status, body } of answers)
      expect([status, body.code]).toEqual([409, 'mailbox-disconnected']);
  });

  it('should miss no message of a sender while the mailbox is still being read, nor read one twice', async () => {
    const { path, mailbox } = await connect(2_600);
    const shown = shownMessages(mailbox);
    const [email, { ids }] = [...countNewsletters(mailbox)].find(
      ([, counted]) => shown.indexOf(counted.ids.at(-1)!) > 2_000,
    )!;
    expect((await messages(path, email)).messageIds).toEqual(ids);
    const indexing = await waitFor('the rest to be read', async () => {
      const { body } = await user.api.get<any[]>('/api/jobs?limit=10');
      const job = body.find(({ type, completed_at }) => type === 'index_mailbox' && completed_at !== null);
      return job?.mailbox_account_id === path.split('/').at(-1) ? job : undefined;
    });
    expect(indexing).toMatchObject({ status: 'completed' });
    expect(sut.sandbox.stats.calls['messages.get']).toBe(shown.length);
    expect((await messages(path, email)).messageIds).toEqual(ids);
  });

  describe('one address', () => {
    let path: string;
    let mailbox: SandboxMailbox;

    beforeEach(async () => {
      ({ path, mailbox } = await connect(0));
    });

    it.each([
      'news+tag@x.test',
      'a%b@x.test',
      'a/b?c@x.test',
      'été@x.test',
      "o'neil&co=1@x.test",
      '{x|y}@x.test',
    ])('should be found when it is %s', async (address) => {
      const id = insert(mailbox, `Sender <${address}>`);
      expect(await messages(path, address)).toEqual({
        messageIds: [id],
        count: 1,
        starredCount: 0,
        importantCount: 0,
        unmarkedCount: 1,
      });
      expect((await list(path))[0]).toMatchObject({
        email: address,
        sender: `Sender <${address}>`,
        count: 1,
      });
    });

    it.each([
      'news',
      '@x.test',
      'a b@x.test',
      'a@x.test,b@x.test',
      'a) OR in:anywhere (b@x.test',
      'a@x.test\0',
      '""@x.test',
    ])('should be an address, not %j', async (address) => {
      for (const answer of [
        await user.api.get(`${of(path, address)}/messages`),
        await user.api.post(`${of(path, address)}/delete`, {}),
      ]) {
        expect(answer.status).toBe(400);
        expect(answer.body.errors).toEqual([expect.objectContaining({ field: 'senderEmail' })]);
      }
      expect(sut.sandbox.stats.totalCalls).toBe(0);
    });

    it('should return nothing when it has sent nothing', async () => {
      const nothing = { count: 0, starredCount: 0, importantCount: 0 };
      expect(await messages(path, 'nobody@x.test')).toEqual({
        messageIds: [],
        unmarkedCount: 0,
        ...nothing,
      });
      const { status, body } = await user.api.post(`${of(path, 'nobody@x.test')}/delete`);
      expect([status, body]).toEqual([202, { jobId: null, ...nothing }]);
    });
  });

  describe('deleting', () => {
    let path: string;
    let mailbox: SandboxMailbox;
    let ids: string[];

    beforeEach(async () => {
      ({ path, mailbox } = await connect(0));
      ids = Array.from({ length: 12 }, (_, day) =>
        insert(mailbox, 'Shop <news@x.test>', { daysAgo: day + 1 }),
      );
    });

    it.each([[['unread']], [null]])('should refuse to leave out %j', async (leaveOut) => {
      const { status, body } = await user.api.post(`${of(path, 'news@x.test')}/delete`, { leaveOut });
      expect([status, body.errors?.[0].field]).toEqual([400, 'leaveOut']);
      expect(ids.some((id) => mailbox.labels(id).includes('TRASH'))).toBe(false);
    });

    it.each([['yes'], ['true'], [1], [0], [null], [[]], [{}]])(
      'should refuse the ambiguous permanent: %j',
      async (permanent) => {
        const { status, body } = await user.api.post(`${of(path, 'news@x.test')}/delete`, { permanent });
        expect([status, body.errors[0].field]).toEqual([400, 'permanent']);
        expect(ids.some((id) => mailbox.labels(id).includes('TRASH'))).toBe(false);
      },
    );

    it('should run a request once that is repeated with the same key', async () => {
      const headers = { 'idempotency-key': `letters-${boxes}` };
      const route = `${of(path, 'news@x.test')}/delete`;
      const first = await user.api.post(route, {}, { headers });
      const atOnce = await user.api.post(route, {}, { headers });
      await user.jobEnd(first.body.jobId as string);
      insert(mailbox, 'news@x.test');
      const later = await user.api.post(route, {}, { headers });
      expect([atOnce.body, later.body]).toEqual([first.body, first.body]);
      expect([atOnce.status, later.status]).toEqual([202, 202]);
      await waitFor('the new one', async () => (await messages(path, 'news@x.test')).count === 1);
      const changed = await user.api.post(route, { permanent: true }, { headers });
      expect([changed.status, changed.body.code]).toEqual([409, 'idempotency-key-reused']);
    });
  });

  describe('the unsubscribe addresses', () => {
    let server: Server;
    let visits = 0;

    beforeAll(async () => {
      server = createServer((_request, response) => response.end());
      server.on('connection', () => (visits += 1));
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    });

    afterAll(() => new Promise((resolve) => server.close(resolve)));

    it('should be shown and never followed', async () => {
      const { path, mailbox } = await connect(0);
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/leave`;
      insert(mailbox, 'news@x.test', {
        lines: [`List-Unsubscribe: <${url}>`, 'List-Unsubscribe-Post: List-Unsubscribe=One-Click'],
      });
      expect((await list(path))[0]).toMatchObject({ unsubscribeUrl: url, oneClick: false });
      await messages(path, 'news@x.test');
      const { body } = await user.api.post(`${of(path, 'news@x.test')}/delete`, { permanent: true });
      await user.jobEnd(body.jobId as string);
      expect(visits).toBe(0);
    });
  });
});
