import { createServer, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { SandboxMailbox } from '../../../../sandbox/src/sandbox-server';
import { startTestApp, TestApp } from '../../../support/app';
import { eml } from '../../../support/archive/eml';
import {
  CountedNewsletters,
  countNewsletters,
  shownMessages,
} from '../../../support/newsletters/count-newsletters';
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

const FIELDS = [
  'count',
  'email',
  'lastDate',
  'oneClick',
  'sender',
  'totalSizeBytes',
  'unsubscribeMailto',
  'unsubscribeUrl',
];
const LEAVE = 'List-Unsubscribe: <https://lists.example/u?k=1>';

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

  /** Inserts one message for each From header, with a List-Unsubscribe header unless `lines` says otherwise. */
  function insert(
    mailbox: SandboxMailbox,
    from: string,
    options: { lines?: readonly string[]; labelIds?: readonly string[]; daysAgo?: number } = {},
  ): string {
    const raw = eml(`From: ${from}`, 'Subject: Offers', ...(options.lines ?? [LEAVE]), '', 'Hello', '');
    const internalDate = new Date(Date.now() - (options.daysAgo ?? 1) * 86_400_000);
    return mailbox.insert(raw, { labelIds: options.labelIds ?? ['INBOX'], internalDate });
  }

  describe('a mailbox', () => {
    let path: string;
    let mailbox: SandboxMailbox;
    let expected: Map<string, CountedNewsletters>;

    beforeAll(async () => {
      ({ path, mailbox } = await connect(400));
      expected = countNewsletters(mailbox);
    });

    it('should have exactly the newsletters that an independent count finds', async () => {
      const found = await list(path);
      expect(expected.size).toBeGreaterThan(10);
      expect(
        new Map(
          found.map(({ email, count, totalSizeBytes, lastDate }) => [
            email,
            { count, totalSizeBytes, lastDate },
          ]),
        ),
      ).toEqual(
        new Map(
          [...expected].map(([email, { ids, bytes, lastDate }]) => [
            email,
            { count: ids.length, totalSizeBytes: bytes, lastDate },
          ]),
        ),
      );
      for (const newsletter of found) {
        expect(Object.keys(newsletter).sort()).toEqual(FIELDS);
        expect(newsletter.sender).toMatch(/^.+ <[^<>]+>$/);
        expect(newsletter.sender).toContain(`<${newsletter.email}>`);
      }
      const counts = found.map(({ count }) => count);
      expect(counts).toEqual([...counts].sort((a, b) => b - a));
    });

    it('should read every message once, and then make at most three calls to the provider', async () => {
      const shown = shownMessages(mailbox);
      expect(sut.sandbox.stats.calls['messages.get']).toBe(shown.length);
      const [first] = [...expected.keys()] as [string];
      for (const route of [`${path}/newsletters`, `${of(path, first)}/messages`]) {
        sut.sandbox.stats.reset();
        await Promise.all([1, 2, 3].map(() => user.api.get(route)));
        expect(sut.sandbox.stats.calls['messages.get']).toBeUndefined();
        sut.sandbox.stats.reset();
        await user.api.get(route);
        expect(sut.sandbox.stats.totalCalls).toBeLessThanOrEqual(3);
      }
    });

    it('should name the messages of each sender, newest first', async () => {
      for (const [email, { ids }] of expected) {
        const { messageIds, count, starredCount, importantCount } = await messages(path, email);
        expect({ email, messageIds }).toEqual({ email, messageIds: ids });
        const having = (label: string): number =>
          ids.filter((id) => mailbox.labels(id).includes(label)).length;
        expect([count, starredCount, importantCount]).toEqual([
          ids.length,
          having('STARRED'),
          having('IMPORTANT'),
        ]);
      }
    });

    it('should return no more senders than requested', async () => {
      const all = await list(path);
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

    it('should be matched exactly, in any case', async () => {
      const own = [
        insert(mailbox, 'News <news@x.test>', { daysAgo: 1 }),
        insert(mailbox, 'NEWS <News@X.Test>', { daysAgo: 2 }),
        insert(mailbox, 'news@x.test', { daysAgo: 3 }),
      ];
      insert(mailbox, 'xnews@x.test');
      insert(mailbox, 'news@x.test.evil');
      insert(mailbox, 'more.news@x.test');
      insert(mailbox, '"news@x.test" <other@y.test>');
      insert(mailbox, 'other@y.test (news@x.test)');
      for (const address of ['news@x.test', 'NEWS@x.TEST']) {
        expect((await messages(path, address)).messageIds).toEqual(own);
      }
      const found = await list(path);
      expect(found.find(({ email }) => email === 'news@x.test')).toMatchObject({
        sender: 'News <news@x.test>',
        count: 3,
      });
      expect(found.map(({ email }) => email).sort()).toEqual(
        ['more.news@x.test', 'news@x.test', 'news@x.test.evil', 'other@y.test', 'xnews@x.test'].sort(),
      );
    });

    it('should count only messages with a List-Unsubscribe header, and not spam, trash or one’s own', async () => {
      const newsletter = insert(mailbox, 'shop@x.test');
      const order = insert(mailbox, 'shop@x.test', { lines: ['X-Order: 1'] });
      insert(mailbox, 'shop@x.test', { labelIds: ['SPAM'] });
      insert(mailbox, 'shop@x.test', { labelIds: ['TRASH'] });
      insert(mailbox, mailbox.email, { labelIds: ['SENT'] });
      insert(mailbox, mailbox.email);
      expect((await messages(path, 'shop@x.test')).messageIds).toEqual([newsletter]);
      expect((await messages(path, mailbox.email)).messageIds).toEqual([]);
      expect((await list(path)).map(({ email, count }) => [email, count])).toEqual([['shop@x.test', 1]]);
      const { body } = await user.api.post(`${of(path, 'shop@x.test')}/delete`, { permanent: true });
      await user.jobEnd(body.jobId as string);
      expect(mailbox.ids()).toContain(order);
      expect(mailbox.ids()).not.toContain(newsletter);
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

    it('should return the unsubscribe address of the newest message, in every form', async () => {
      insert(mailbox, 'a@x.test', { daysAgo: 9 });
      insert(mailbox, 'a@x.test', {
        lines: [
          'List-Unsubscribe: (leave) <mailto:out@x.test?subject=bye&cc=y@z.test>,',
          '\t<https://x.test/u?a=1,2>',
          'list-unsubscribe-post: List-Unsubscribe=One-Click',
        ],
      });
      insert(mailbox, 'b@x.test', { lines: ['List-Unsubscribe: <javascript:alert(1)>'] });
      insert(mailbox, 'c@x.test', {
        lines: ['List-Unsubscribe: <mailto:out@x.test>', 'List-Unsubscribe: <https://x.test/two>'],
      });
      const found = await list(path);
      expect(found).toHaveLength(3);
      expect(found.find(({ email }) => email === 'c@x.test')).toMatchObject({
        unsubscribeUrl: 'https://x.test/two',
        unsubscribeMailto: 'mailto:out@x.test',
      });
      expect(found[0]).toMatchObject({
        email: 'a@x.test',
        unsubscribeUrl: 'https://x.test/u?a=1,2',
        unsubscribeMailto: 'mailto:out@x.test?subject=bye',
        oneClick: true,
      });
      expect(found.find(({ email }) => email === 'b@x.test')).toMatchObject({
        unsubscribeUrl: null,
        unsubscribeMailto: null,
        oneClick: false,
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
    let other: string;

    beforeEach(async () => {
      ({ path, mailbox } = await connect(0));
      ids = Array.from({ length: 12 }, (_, day) =>
        insert(mailbox, 'Shop <news@x.test>', { daysAgo: day + 1 }),
      );
      mailbox.changeLabels(ids.slice(0, 3), { add: ['STARRED'] });
      mailbox.changeLabels(ids.slice(2, 4), { add: ['IMPORTANT'] });
      other = insert(mailbox, 'xnews@x.test');
    });

    const counts = { starredCount: 3, importantCount: 2 };

    it('should move them to the trash, from where they can be restored', async () => {
      const { status, body } = await user.api.post(`${of(path, 'News@x.test')}/delete`, {});
      expect(status).toBe(202);
      expect(body).toEqual({ jobId: expect.stringMatching(/^bulk_operation-\d+$/), count: 12, ...counts });
      const job = await user.jobEnd(body.jobId as string);
      expect(job).toMatchObject({ status: 'completed', total: 12, processed: 12, failed: 0 });
      expect(job.result).toMatchObject({ action: 'trash', changed: 12, notFound: 0, refused: 0, ...counts });
      expect(ids.filter((id) => mailbox.labels(id).includes('TRASH'))).toEqual(ids);
      expect(mailbox.labels(other)).not.toContain('TRASH');
      expect((await messages(path, 'news@x.test')).count).toBe(0);
      expect((await list(path)).map(({ email }) => email)).toEqual(['xnews@x.test']);

      mailbox.changeLabels(ids, { remove: ['TRASH'] });
      // Changes made elsewhere are seen within seconds.
      await waitFor('them to be back', async () => (await messages(path, 'news@x.test')).count === 12);
      expect((await messages(path, 'news@x.test')).messageIds).toEqual(ids);
    });

    it('should leave out starred or important messages when asked to', async () => {
      expect(await messages(path, 'news@x.test')).toMatchObject({ count: 12, ...counts, unmarkedCount: 8 });
      const { status, body } = await user.api.post(`${of(path, 'news@x.test')}/delete`, {
        leaveOut: ['starred', 'important'],
      });
      expect({ status, ...body }).toMatchObject({
        status: 202,
        count: 8,
        starredCount: 0,
        importantCount: 0,
      });
      await user.jobEnd(body.jobId as string);
      const stayed = ids.filter((id) => !mailbox.labels(id).includes('TRASH'));
      expect(stayed).toEqual(ids.slice(0, 4));

      const { body: starred } = await user.api.post(`${of(path, 'news@x.test')}/delete`, {
        permanent: true,
        leaveOut: ['starred'],
      });
      expect(starred).toMatchObject({ count: 1, starredCount: 0, importantCount: 1 });
      await user.jobEnd(starred.jobId as string);
      expect(ids.filter((id) => mailbox.ids().includes(id) && !mailbox.labels(id).includes('TRASH'))).toEqual(
        ids.slice(0, 3),
      );
      const { status: refused } = await user.api.post(`${of(path, 'news@x.test')}/delete`, {
        leaveOut: ['unread'],
      });
      expect(refused).toBe(400);
      const unclear = await user.api.post(`${of(path, 'news@x.test')}/delete`, { leaveOut: null });
      expect([unclear.status, unclear.body.errors?.[0].field]).toEqual([400, 'leaveOut']);
    });

    it('should delete them permanently when asked to', async () => {
      const { body } = await user.api.post(`${of(path, 'news@x.test')}/delete`, { permanent: true });
      expect(body).toMatchObject({ count: 12, ...counts });
      const job = await user.jobEnd(body.jobId as string);
      expect(job.result).toMatchObject({ action: 'delete', changed: 12, ...counts });
      expect(mailbox.ids()).toEqual([other]);
      expect(sut.sandbox.stats.calls['messages.batchDelete']).toBe(1);
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

    it('should find nothing left the second time', async () => {
      const first = await user.api.post(`${of(path, 'news@x.test')}/delete`, {});
      await user.jobEnd(first.body.jobId as string);
      const again = await user.api.post(`${of(path, 'news@x.test')}/delete`, {});
      expect(again.body).toMatchObject({ jobId: null, count: 0 });
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
