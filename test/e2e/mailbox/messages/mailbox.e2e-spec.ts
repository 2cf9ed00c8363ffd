import { RedisService } from '../../../../src/platform/redis/redis.service';
import { RedisLock } from '../../../../src/platform/redis/redis-lock';
import { INDEX_LOCK, indexLockKey } from '../../../../src/mailbox/index/index-locks';
import type { SandboxMailbox } from '../../../../sandbox/src/sandbox-server';
import { startTestApp, TestApp } from '../../../support/app';
import type { TestUser } from '../../../support/test-user';
import { waitFor } from '../../../support/wait';
import { nightly } from '../../../support/nightly';

interface Labelled {
  readonly labelIds: string[];
}

const UNKNOWN = 'ffffffffffffffff';

describe('Mailbox', () => {
  let sut: TestApp;
  let user: TestUser;
  let mailboxes = 0;

  beforeAll(async () => {
    sut = await startTestApp({ sandbox: { messages: 1 } });
    user = await sut.user();
    const raised = await sut.dataSource.query<unknown>('UPDATE users SET max_mailbox_accounts = 50');
    expect(raised).toBeDefined();
  });

  afterAll(() => sut?.close());

  beforeEach(() => sut.sandbox.clearFaults());

  /** A fresh mailbox of so many messages, connected by `user`. */
  async function connect(messages: number): Promise<{ path: string; mailbox: SandboxMailbox; id: string }> {
    const email = `box${(mailboxes += 1)}-${messages}@sandbox.mailroom.test`;
    const id = await user.connect(email);
    const mailbox = sut.sandbox.mailbox(email);
    sut.sandbox.stats.reset();
    return { path: `/api/mailbox/${id}`, mailbox, id };
  }

  /** Lets the index take changes made elsewhere for possible again, as two seconds would. */
  const age = (accountId: string): Promise<unknown> =>
    sut.dataSource.query(
      `UPDATE mailbox_index_states SET synced_at = synced_at - interval '1 minute' WHERE account_id = $1`,
      [accountId],
    );

  /** Calls per endpoint; a batch is counted by its parts. */
  const calls = (): Record<string, number> => {
    const { batch: _wholes, ...parts } = sut.sandbox.stats.calls;
    return parts;
  };

  describe('GET profile', () => {
    it('should return exactly the four fields, with one call', async () => {
      const { path, mailbox } = await connect(30);
      const { status, body } = await user.api.get(`${path}/profile`);
      expect(status).toBe(200);
      expect(body).toEqual({
        emailAddress: mailbox.email,
        messagesTotal: 30,
        threadsTotal: new Set(mailbox.ids().map((id) => mailbox.threadId(id))).size,
        historyId: mailbox.historyId,
      });
      expect(sut.sandbox.stats).toMatchObject({ totalCalls: 1, totalUnits: 1 });
    });
  });

  describe('GET messages', () => {
    it('should page through the ids, 50 at a time by default', async () => {
      const { path, mailbox } = await connect(120);
      const first = await user.api.get(`${path}/messages`);
      expect(first.status).toBe(200);
      expect(Object.keys(first.body).sort()).toEqual(['messages', 'nextPageToken', 'resultSizeEstimate']);
      expect(first.body.messages).toHaveLength(50);
      expect(first.body.messages[0]).toEqual({
        id: expect.any(String),
        threadId: mailbox.threadId(first.body.messages[0].id as string),
      });
      const seen: string[] = first.body.messages.map(({ id }: { id: string }) => id);
      for (let token = first.body.nextPageToken; token;) {
        const { body } = await user.api.get(`${path}/messages?pageToken=${token}&maxResults=50`);
        seen.push(...body.messages.map(({ id }: { id: string }) => id));
        token = body.nextPageToken;
      }
      const hidden = ['SPAM', 'TRASH'];
      const visible = mailbox
        .ids()
        .filter((id) => !mailbox.labels(id).some((label) => hidden.includes(label)));
      expect(seen).toEqual(visible);
      expect(calls()).toEqual({ 'messages.list': Math.ceil(visible.length / 50) });
    });

    it('should lower maxResults to 500', async () => {
      const { path } = await connect(700);
      const { body } = await user.api.get(`${path}/messages?maxResults=5000`);
      expect(body.messages).toHaveLength(500);
      expect(body.nextPageToken).toEqual(expect.any(String));
      expect(sut.sandbox.stats.totalCalls).toBe(1);
    });

    it('should pass the query to the provider unchanged', async () => {
      const { path, mailbox } = await connect(20);
      const id = mailbox.insert('From: Z <z@zebra.test>\r\nSubject: xylophone quotation\r\n\r\nhello\r\n', {
        labelIds: ['INBOX', 'UNREAD'],
      });
      const q = encodeURIComponent('from:z@zebra.test subject:(xylophone) is:unread');
      const { body } = await user.api.get(`${path}/messages?q=${q}`);
      expect(body).toMatchObject({ messages: [{ id }], nextPageToken: null });
    });

    it('should search by the names that Gmail shows for its categories, and refuse other labels by name', async () => {
      const { path, mailbox } = await connect(0);
      const insert = (subject: string, category: string): string =>
        mailbox.insert(`From: z@zebra.test\r\nSubject: ${subject}\r\n\r\nhello\r\n`, {
          labelIds: ['INBOX', category],
        });
      const offer = insert('offer', 'CATEGORY_PROMOTIONS');
      const chat = insert('chat', 'CATEGORY_SOCIAL');
      const search = async (q: string): Promise<{ status: number; body: { detail?: string } }> =>
        user.api.get(`${path}/messages?q=${encodeURIComponent(q)}`);
      const found = async (q: string): Promise<string[]> =>
        ((await search(q)) as unknown as { body: { messages: { id: string }[] } }).body.messages.map(
          ({ id }) => id,
        );
      expect(await found('label:promotions')).toEqual([offer]);
      expect(await found('-label:Promotions')).toEqual([chat]);
      expect(await found('-in:CATEGORY_PROMOTIONS')).toEqual([chat]);

      const created = await user.api.post(`${path}/labels`, { name: 'Promotions' });
      expect(created.status).toBe(201);
      expect(await found('label:promotions')).toEqual([]);
      const refused = await search('-label:promotion');
      expect(refused).toMatchObject({ status: 400, body: { code: 'search-term-unsupported' } });
      // It may become the error of a job: it names what was asked for, and no label that is there.
      expect(refused.body.detail).toBe('This mailbox cannot search for "label:promotion".');
    });

    it.each(['maxResults=0', 'maxResults=many', 'maxResults=1.5', 'q=a&q=b', 'pageToken='])(
      'should answer 400 to %s',
      async (query) => {
        const { path } = await connect(1);
        const { status, body } = await user.api.get(`${path}/messages?${query}`);
        expect(status).toBe(400);
        expect(body).toMatchObject({ code: 'validation-failed', errors: [{ field: query.split('=')[0] }] });
        expect(sut.sandbox.stats.totalCalls).toBe(0);
      },
    );

    it('should answer 400 to a page token the provider does not know', async () => {
      const { path } = await connect(1);
      const { status, body } = await user.api.get(`${path}/messages?pageToken=invented`);
      expect(status).toBe(400);
      expect(body.code).toBe('provider-rejected');
    });
  });

  describe('GET messages/:messageId', () => {
    it('should return the metadata', async () => {
      const { path, mailbox } = await connect(5);
      const raw =
        'From: =?UTF-8?Q?Zo=C3=AB?= <zoe@example.test>\r\nTo: ada@example.test\r\n' +
        'Subject: =?UTF-8?B?w4l0w6k=?=\r\nDate: Fri, 21 Nov 2025 09:13:51 +0100\r\n\r\nBonjour & bienvenue\r\n';
      const id = mailbox.insert(raw, { labelIds: ['INBOX', 'UNREAD'] });
      const { status, body } = await user.api.get(`${path}/messages/${id}`);
      expect(status).toBe(200);
      expect(body).toEqual({
        id,
        threadId: mailbox.threadId(id),
        subject: 'Été',
        from: expect.stringContaining('Zoë'),
        to: 'ada@example.test',
        date: 'Fri, 21 Nov 2025 09:13:51 +0100',
        sizeEstimate: expect.any(Number),
        snippet: 'Bonjour & bienvenue',
        labelIds: expect.arrayContaining(['INBOX', 'UNREAD']),
        hasAttachments: false,
      });
    });

    it.each([UNKNOWN, 'a'.repeat(200), 'no%20such%20message', '%00'])(
      'should answer 404 for %s',
      async (id) => {
        const { path } = await connect(1);
        const { status, body } = await user.api.get(`${path}/messages/${id}`);
        expect(status).toBe(404);
        expect(body.code).toBe('message-not-found');
      },
    );

    it('should store headers that PostgreSQL would reject', async () => {
      const { path, mailbox } = await connect(1);
      const id = mailbox.insert('From: a@b.test\r\nSubject: nul\0byte\r\n\r\nx\r\n');
      for (let read = 0; read < 2; read += 1) {
        expect((await user.api.get(`${path}/messages/${id}`)).status).toBe(200);
      }
      expect(sut.sandbox.stats.calls['messages.get']).toBe(1);
    });
  });

  describe('GET messages/:messageId/full', () => {
    it('should pass the provider’s format through', async () => {
      const { path, mailbox } = await connect(3);
      const [id] = mailbox.ids();
      const { status, body } = await user.api.get(`${path}/messages/${id}/full`);
      expect(status).toBe(200);
      expect(body).toMatchObject({ id, payload: { headers: expect.any(Array) } });
      expect((await user.api.get(`${path}/messages/${UNKNOWN}/full`)).status).toBe(404);
    });
  });

  describe('POST messages/batch', () => {
    it('should keep the requested order, leave unknown ids out and return exactly the contract’s fields', async () => {
      const { path, mailbox } = await connect(20);
      const ids = mailbox.ids().slice(0, 10).reverse();
      const asked = [...ids.slice(0, 4), UNKNOWN, 'not-an-id-of-gmail', ...ids.slice(4), ids[0]!];
      const { status, body } = await user.api.post(`${path}/messages/batch`, { ids: asked });
      expect(status).toBe(200);
      expect(body.map(({ id }: { id: string }) => id)).toEqual(ids);
      for (const message of body) {
        expect(Object.keys(message as object).sort()).toEqual(
          ['id', 'subject', 'from', 'date', 'sizeEstimate', 'snippet', 'labelIds', 'hasAttachments'].sort(),
        );
        expect(message.labelIds).toEqual(mailbox.labels(message.id as string));
      }
    });

    it('should fetch the metadata of a message once, ever', async () => {
      const { path, mailbox, id } = await connect(150);
      const ids = mailbox.ids().slice(0, 100);
      const cold = await user.api.post(`${path}/messages/batch`, { ids });
      // One profile for the first cursor, then each message.
      expect(calls()).toEqual({ getProfile: 1, 'messages.get': 100 });
      expect(sut.sandbox.stats.totalUnits).toBe(501);

      sut.sandbox.stats.reset();
      await age(id);
      const warm = await user.api.post(`${path}/messages/batch`, { ids });
      expect(warm.body).toEqual(cold.body);
      expect(calls()).toEqual({ 'history.list': 1 });
      expect(sut.sandbox.stats.totalUnits).toBe(2);

      sut.sandbox.stats.reset();
      await user.api.post(`${path}/messages/batch`, { ids: mailbox.ids().slice(50, 150) });
      expect(calls()).toEqual({ 'messages.get': 50 });
    });

    it('should fetch a message once for several concurrent readers', async () => {
      const { path, mailbox } = await connect(60);
      const ids = mailbox.ids();
      const answers = await Promise.all(
        [ids, ids.slice(0, 40), ids.slice(20).reverse(), ids].map((wanted) =>
          user.api.post(`${path}/messages/batch`, { ids: wanted }),
        ),
      );
      expect(answers.map(({ body }) => body.length)).toEqual([60, 40, 40, 60]);
      expect(answers[3]!.body).toEqual(answers[0]!.body);
      expect(calls()).toEqual({ getProfile: 1, 'messages.get': 60 });
    });

    it('should ask the provider for changes once for a burst of readers', async () => {
      const { path, mailbox, id } = await connect(10);
      await user.api.post(`${path}/messages/batch`, { ids: mailbox.ids() });
      await age(id);
      sut.sandbox.stats.reset();
      const answers = await Promise.all(
        Array.from({ length: 12 }, () => user.api.post(`${path}/messages/batch`, { ids: mailbox.ids() })),
      );
      expect(answers.map(({ status }) => status)).toEqual(Array(12).fill(200));
      expect(calls()).toEqual({ 'history.list': 1 });
    });

    it('should wait while another process follows the history', async () => {
      const { path, mailbox, id } = await connect(3);
      await user.api.post(`${path}/messages/batch`, { ids: mailbox.ids() });
      await age(id);
      sut.sandbox.stats.reset();
      const elsewhere = new RedisLock(sut.app.get(RedisService));
      let release!: () => void;
      const held = new Promise<void>((resolve) => (release = resolve));
      const other = elsewhere.run(indexLockKey(id, 'history'), () => held, INDEX_LOCK);
      let answered = false;
      const reading = user.api.post(`${path}/messages/batch`, { ids: mailbox.ids() }).finally(() => {
        answered = true;
      });
      await new Promise((resolve) => setTimeout(resolve, 300));
      expect([answered, sut.sandbox.stats.totalCalls]).toEqual([false, 0]);
      // The other process is done: what it has followed need not be asked for again.
      await sut.dataSource.query(
        'UPDATE mailbox_index_states SET synced_at = clock_timestamp() WHERE account_id = $1',
        [id],
      );
      release();
      await other;
      expect((await reading).status).toBe(200);
      expect(sut.sandbox.stats.totalCalls).toBe(0);
    });

    it('should follow label changes, deletions and arrivals made elsewhere', async () => {
      const { path, mailbox, id } = await connect(30);
      const [changed, deleted, kept] = mailbox.ids() as [string, string, string];
      const ids = [changed, deleted, kept];
      mailbox.changeLabels(changed, { add: ['UNREAD'] });
      await user.api.post(`${path}/messages/batch`, { ids });
      mailbox.changeLabels(changed, { add: ['STARRED'], remove: ['UNREAD'] });
      mailbox.remove(deleted);
      const arrived = mailbox.insert('From: a@b.test\r\nSubject: new\r\n\r\nx\r\n', { labelIds: ['INBOX'] });
      await age(id);
      sut.sandbox.stats.reset();
      const { body } = await user.api.post(`${path}/messages/batch`, { ids: [...ids, arrived] });
      expect(body.map((message: { id: string }) => message.id)).toEqual([changed, kept, arrived]);
      expect([...body[0].labelIds].sort()).toEqual([...mailbox.labels(changed)].sort());
      expect(body[0].labelIds).toContain('STARRED');
      expect(body[1].labelIds).toEqual(mailbox.labels(kept));
      // The deleted one is not in the index any more: the provider is asked, and says no.
      expect(calls()).toEqual({ 'history.list': 1, 'messages.get': 2 });
    });

    it('should be correct after the provider has lost the history', async () => {
      const { path, mailbox, id } = await connect(10);
      const ids = mailbox.ids();
      await user.api.post(`${path}/messages/batch`, { ids });
      mailbox.changeLabels(ids[0]!, { add: ['STARRED'] });
      mailbox.remove(ids[1]!);
      mailbox.expireHistory();
      await age(id);
      const { body } = await user.api.post(`${path}/messages/batch`, { ids });
      expect(body.map((message: { id: string }) => message.id)).toEqual(mailbox.ids());
      expect(body[0].labelIds).toContain('STARRED');
      mailbox.changeLabels(ids[2]!, { add: ['STARRED'] });
      await age(id);
      const later = await user.api.get(`${path}/messages/${ids[2]}`);
      expect(later.body.labelIds).toContain('STARRED');
    });

    it('should not lose changes made while messages are being fetched', async () => {
      const { path, mailbox, id } = await connect(3);
      const [known, first, second] = mailbox.ids() as [string, string, string];
      await user.api.get(`${path}/messages/${known}`);
      sut.sandbox.stats.reset();
      for (const endpoint of ['batch', 'messages.get']) {
        sut.sandbox.fault({ endpoint, answer: { kind: 'slow', delayMs: 1_000 } });
      }
      const fetching = user.api.post(`${path}/messages/batch`, { ids: [first, second] });
      await waitFor('messages to be on their way', () => (calls()['messages.get'] ?? 0) > 0);
      // The answers, with the old labels, are under way when another reader moves the cursor past the change.
      mailbox.changeLabels([known, first, second], { add: ['STARRED'] });
      await age(id);
      await user.api.get(`${path}/messages/${known}`);
      await fetching;
      sut.sandbox.clearFaults();
      await age(id);
      const { body } = await user.api.post(`${path}/messages/batch`, { ids: [known, first, second] });
      expect(body.map((message: Labelled) => message.labelIds.includes('STARRED'))).toEqual([
        true,
        true,
        true,
      ]);
    });

    it.each([
      ['no ids', {}],
      ['an empty list', { ids: [] }],
      ['101 ids', { ids: Array.from({ length: 101 }, (_, index) => `id${index}`) }],
      ['numbers', { ids: [1, 2] }],
      ['text', { ids: 'abc' }],
    ])('should answer 400 to %s', async (_case, body) => {
      const { path } = await connect(1);
      const answer = await user.api.post(`${path}/messages/batch`, body);
      expect(answer.status).toBe(400);
      expect(answer.body).toMatchObject({ code: 'validation-failed', errors: [{ field: 'ids' }] });
    });
  });

  describe('GET messages/:messageId/attachments/:partId', () => {
    const content = Buffer.from('%PDF-1.7 \u0000 ünïcode', 'utf8');
    const raw = [
      'From: a@b.test',
      'Subject: with attachments',
      'MIME-Version: 1.0',
      'Content-Type: multipart/mixed; boundary=B',
      '',
      '--B',
      'Content-Type: text/plain',
      '',
      'see attached',
      '--B',
      "Content-Type: application/pdf; name*=UTF-8''r%C3%A9sum%C3%A9%20%E2%84%96%201.pdf",
      "Content-Disposition: attachment; filename*=UTF-8''r%C3%A9sum%C3%A9%20%E2%84%96%201.pdf",
      'Content-Transfer-Encoding: base64',
      '',
      content.toString('base64'),
      '--B',
      'Content-Type: text/html; name="page.html"',
      'Content-Disposition: attachment; filename="page.html"',
      '',
      '<script>alert(1)</script>',
      '--B--',
      '',
    ].join('\r\n');

    it('should download an attachment as a file and nothing else', async () => {
      const { path, mailbox } = await connect(1);
      const id = mailbox.insert(raw, { labelIds: ['INBOX'] });
      const { bytes, headers, status } = await user.api.get(`${path}/messages/${id}/attachments/1`);
      expect(status).toBe(200);
      expect(bytes.equals(content)).toBe(true);
      expect(headers.get('content-type')).toBe('application/pdf');
      expect(headers.get('content-length')).toBe(String(content.length));
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('content-security-policy')).toBe('sandbox');
      expect(headers.get('content-disposition')).toMatch(/^attachment; /);
      expect(headers.get('content-disposition')).toContain(
        "filename*=UTF-8''r%C3%A9sum%C3%A9%20%E2%84%96%201.pdf",
      );
      const html = await user.api.get(`${path}/messages/${id}/attachments/2`);
      expect(html.headers.get('content-type')).toBe('application/octet-stream');
      expect(html.bytes.toString()).toContain('<script>');
      const { body: metadata } = await user.api.get(`${path}/messages/${id}`);
      expect(metadata.hasAttachments).toBe(true);
    });

    it('should answer 404 for unknown ids', async () => {
      const { path, mailbox } = await connect(1);
      const id = mailbox.insert(raw);
      const missing = async (rest: string): Promise<[number, string]> => {
        const { status, body } = await user.api.get(`${path}/messages/${rest}`);
        return [status, body.code];
      };
      expect(await missing(`${id}/attachments/9`)).toEqual([404, 'attachment-not-found']);
      expect(await missing(`${id}/attachments/..%2F1`)).toEqual([404, 'attachment-not-found']);
      expect(await missing(`${UNKNOWN}/attachments/1`)).toEqual([404, 'message-not-found']);
    });
  });

  describe('GET messages/:messageId/eml', () => {
    it('should download the message byte for byte, and leave it unread', async () => {
      const { path, mailbox } = await connect(1);
      const raw = 'From: a@b.test\r\nSubject: as it is\r\nX-Odd:  two  spaces\r\n\r\n<script>x</script>\r\n';
      const id = mailbox.insert(raw, { labelIds: ['INBOX', 'UNREAD'] });
      const { bytes, headers, status } = await user.api.get(`${path}/messages/${id}/eml`);
      expect(status).toBe(200);
      expect(bytes.toString()).toBe(raw);
      expect(headers.get('content-type')).toBe('message/rfc822');
      expect(headers.get('content-disposition')).toContain(`${id}.eml`);
      expect(headers.get('content-security-policy')).toBe('sandbox');
      expect(mailbox.labels(id)).toContain('UNREAD');
    });

    it('should answer 404 for unknown ids', async () => {
      const { path } = await connect(1);
      const { status, body } = await user.api.get(`${path}/messages/${UNKNOWN}/eml`);
      expect([status, body.code]).toEqual([404, 'message-not-found']);
    });
  });

  describe('labels', () => {
    it('should list, create and delete', async () => {
      const { path, mailbox, id } = await connect(40);
      const created = await user.api.post(`${path}/labels`, { name: '  Receipts/2025 ' });
      expect(created.status).toBe(201);
      expect(created.body).toMatchObject({ id: expect.any(String), name: 'Receipts/2025', type: 'user' });
      expect(Object.keys(created.body).sort()).toEqual(
        ['id', 'name', 'type', 'messagesTotal', 'messagesUnread'].sort(),
      );
      const labelId: string = created.body.id;
      const [message] = mailbox.ids() as [string];
      mailbox.changeLabels(message, { add: [labelId] });

      const { status, body } = await user.api.get(`${path}/labels`);
      expect(status).toBe(200);
      expect(body).toContainEqual(expect.objectContaining({ id: labelId, type: 'user', messagesTotal: 1 }));
      const inbox = mailbox.ids().filter((each) => mailbox.labels(each).includes('INBOX'));
      const unread = inbox.filter((each) => mailbox.labels(each).includes('UNREAD'));
      expect(body).toContainEqual({
        id: 'INBOX',
        name: 'INBOX',
        type: 'system',
        messagesTotal: inbox.length,
        messagesUnread: unread.length,
      });

      await age(id);
      expect((await user.api.get(`${path}/messages/${message}`)).body.labelIds).toContain(labelId);
      expect((await user.api.delete(`${path}/labels/${labelId}`)).status).toBe(204);
      expect((await user.api.get(`${path}/messages/${message}`)).body.labelIds).not.toContain(labelId);
      expect(await user.api.delete(`${path}/labels/${labelId}`)).toMatchObject({
        status: 404,
        body: { code: 'label-not-found' },
      });
    });

    it('should skip the calls per label when counts are not requested', async () => {
      const { path } = await connect(1);
      const { body } = await user.api.get(`${path}/labels?counts=false`);
      expect(body).toContainEqual(
        expect.objectContaining({ id: 'INBOX', messagesTotal: null, messagesUnread: null }),
      );
      expect(calls()).toEqual({ 'labels.list': 1 });
      expect((await user.api.get(`${path}/labels?counts=maybe`)).status).toBe(400);
    });

    it('should refuse an existing name, an empty name, and deleting a system label', async () => {
      const { path } = await connect(1);
      await user.api.post(`${path}/labels`, { name: 'Twice' });
      expect(await user.api.post(`${path}/labels`, { name: 'Twice' })).toMatchObject({
        status: 409,
        body: { code: 'label-exists' },
      });
      for (const body of [{}, { name: '' }, { name: '   ' }, { name: 7 }, { name: 'x'.repeat(226) }]) {
        expect(await user.api.post(`${path}/labels`, body)).toMatchObject({
          status: 400,
          body: { code: 'validation-failed', errors: [{ field: 'name' }] },
        });
      }
      expect(await user.api.delete(`${path}/labels/INBOX`)).toMatchObject({
        status: 400,
        body: { code: 'label-protected' },
      });
    });
  });

  describe('an account that cannot be used', () => {
    const routes: readonly (readonly [string, string, unknown?])[] = [
      ['GET', 'profile'],
      ['GET', 'messages'],
      ['GET', `messages/${UNKNOWN}`],
      ['GET', `messages/${UNKNOWN}/full`],
      ['GET', `messages/${UNKNOWN}/eml`],
      ['GET', `messages/${UNKNOWN}/attachments/1`],
      ['POST', 'messages/batch', { ids: [UNKNOWN] }],
      ['POST', 'messages/bulk', { action: 'trash', messageIds: [UNKNOWN] }],
      ['GET', 'labels'],
      ['POST', 'labels', { name: 'x' }],
      ['DELETE', 'labels/Label_1'],
    ];

    const expectEverywhere = async (
      api: TestUser['api'],
      path: string,
      status: number,
      code: string,
    ): Promise<void> => {
      for (const [method, rest, body] of routes) {
        const answer = await api.fetch(method, `${path}/${rest}`, { body });
        expect([method, rest, answer.status]).toEqual([method, rest, status]);
        expect(await answer.json()).toMatchObject({ code });
      }
    };

    it('should answer 401 without a token and 403 to another user', async () => {
      const { path } = await connect(1);
      await expectEverywhere(sut.anonymous, path, 401, 'unauthorized');
      await expectEverywhere((await sut.user()).api, path, 403, 'account-not-owned');
      expect(sut.sandbox.stats.totalCalls).toBe(0);
    });

    it('should answer 409 when it is switched off, and work again afterwards', async () => {
      const { path, id } = await connect(1);
      const toggle = `/api/auth/mailbox/${id}/toggle`;
      expect((await user.api.patch(toggle)).status).toBe(200);
      await expectEverywhere(user.api, path, 409, 'mailbox-disconnected');
      expect(sut.sandbox.stats.totalCalls).toBe(0);
      await user.api.patch(toggle);
      expect((await user.api.get(`${path}/profile`)).status).toBe(200);
    });

    it('should answer 409 when the grant is revoked, and show it on the account', async () => {
      const { path, id, mailbox } = await connect(1);
      sut.sandbox.fault({ email: mailbox.email, answer: { kind: 'unauthorized' }, times: 'always' });
      sut.sandbox.fault({ endpoint: 'oauth.token', answer: { kind: 'invalidGrant' }, times: 'always' });
      await expectEverywhere(user.api, path, 409, 'mailbox-reauth-required');
      const { body } = await user.api.get('/api/auth/me');
      expect(body.mailboxAccounts).toContainEqual(expect.objectContaining({ id, status: 'needs_reauth' }));
    });

    it('should answer 503 with Retry-After when the provider throttles', async () => {
      const { path, mailbox } = await connect(1);
      sut.sandbox.fault({ email: mailbox.email, answer: { kind: 'retryAfter', afterMs: 90_000 } });
      const { status, body, headers } = await user.api.get(`${path}/profile`);
      expect([status, body.code]).toEqual([503, 'provider-rate-limited']);
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(60);
      // The whole account rests: nobody even asks.
      sut.sandbox.stats.reset();
      expect(await user.api.get(`${path}/labels`)).toMatchObject({
        status: 503,
        body: { code: 'provider-rate-limited' },
      });
      expect(sut.sandbox.stats.totalCalls).toBe(0);
    });

    nightly('should answer 503 when the provider stays unavailable', async () => {
      const { path, mailbox } = await connect(1);
      sut.sandbox.fault({ email: mailbox.email, answer: { kind: 'unavailable' }, times: 'always' });
      const { status, body, headers } = await user.api.get(`${path}/messages`);
      expect([status, body.code]).toEqual([503, 'provider-unavailable']);
      expect(headers.get('retry-after')).not.toBeNull();
    });
  });
});
