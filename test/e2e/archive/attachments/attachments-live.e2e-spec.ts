import { simpleParser } from 'mailparser';
import type { SandboxMailbox } from '../../../../sandbox/src/sandbox-server';
import { startTestApp, TestApp } from '../../../support/app';
import { emlWithAttachment } from '../../../support/archive/eml';
import type { TestUser } from '../../../support/test-user';
import { waitFor } from '../../../support/wait';

const LARGE = 100 * 1024;
const HIDDEN = ['SPAM', 'TRASH'];

interface Expected {
  readonly messageId: string;
  readonly filename: string | undefined;
  readonly sizeBytes: number;
}

/** A message with one attached file of so many bytes. */
const withFile = (filename: string, bytes: number, fill = 65): Buffer =>
  emlWithAttachment({
    subject: `About ${filename}`,
    from: 'Grace Hopper <grace@example.org>',
    disposition: `filename="${filename}"`,
    mimeType: 'application/pdf',
    content: Buffer.alloc(bytes, fill),
  });

describe('Live attachments', () => {
  let app: TestApp;
  let user: TestUser;
  let stranger: TestUser;
  let boxes = 0;

  beforeAll(async () => {
    // Without workers: nothing is indexed but what requests ask for.
    app = await startTestApp({ env: { ROLE: 'api' }, sandbox: { messages: 1, averageBytes: 300 * 1024 } });
    user = await app.user();
    stranger = await app.user('stranger');
    await app.dataSource.query('UPDATE users SET max_mailbox_accounts = 50');
  });

  afterAll(() => app?.close());

  async function connect(
    messages: number,
    by = user,
    on = app,
  ): Promise<{ path: string; id: string; mailbox: SandboxMailbox }> {
    const email = `files${(boxes += 1)}-${messages}@sandbox.mailroom.test`;
    const id = await by.connect(email);
    on.sandbox.stats.reset();
    return { path: `/api/attachments/${id}/live`, id, mailbox: on.sandbox.mailbox(email) };
  }

  /** Lets the index take changes made elsewhere for possible again, as two seconds would. */
  const age = (accountId: string, on = app): Promise<unknown> =>
    on.dataSource.query(
      `UPDATE mailbox_index_states SET synced_at = synced_at - interval '1 minute' WHERE account_id = $1`,
      [accountId],
    );

  /** Attachments that another MIME parser finds in the mailbox, largest first. */
  async function countedIn(mailbox: SandboxMailbox): Promise<Expected[]> {
    const found: Expected[] = [];
    for (const messageId of mailbox.ids()) {
      const raw = mailbox.raw(messageId);
      if (raw.length <= LARGE || mailbox.labels(messageId).some((label) => HIDDEN.includes(label))) continue;
      const { attachments } = await simpleParser(raw, { skipHtmlToText: true, skipTextToHtml: true });
      for (const { filename, size, contentDisposition, contentType, cid } of attachments) {
        const isInline = contentType.startsWith('image/') && cid && contentDisposition !== 'attachment';
        if (size > LARGE && filename && !isInline) found.push({ messageId, filename, sizeBytes: size });
      }
    }
    return found.sort((a, b) => b.sizeBytes - a.sizeBytes);
  }

  it('should match the attachments that another parser finds in the mailbox', async () => {
    const { path, mailbox } = await connect(150);
    mailbox.insert(withFile('small.pdf', LARGE), { labelIds: ['INBOX'] });
    mailbox.insert(withFile('spam.pdf', 2 * LARGE), { labelIds: ['SPAM'] });
    mailbox.insert(withFile('trash.pdf', 2 * LARGE), { labelIds: ['TRASH'] });
    const at = new Date('2025-11-21T08:13:52.000Z');
    const huge = mailbox.insert(withFile('huge.pdf', 3_000_000), { labelIds: ['INBOX'], internalDate: at });

    const { status, body } = await user.api.get(path);

    expect(status).toBe(200);
    expect(Object.keys(body as object).sort()).toEqual(['attachments', 'totalSizeBytes']);
    const expected = await countedIn(mailbox);
    expect(expected.length).toBeGreaterThan(5);
    const key = ({ messageId, filename, sizeBytes }: Expected): string =>
      `${messageId} ${filename} ${sizeBytes}`;
    expect(body.attachments.map(key).sort()).toEqual(expected.map(key).sort());
    expect(body.attachments.map(({ sizeBytes }: any) => sizeBytes)).toEqual(
      expected.map(({ sizeBytes }) => sizeBytes),
    );
    expect(body.totalSizeBytes).toBe(expected.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0));
    expect(body.attachments[0]).toEqual({
      messageId: huge,
      partId: '1',
      filename: 'huge.pdf',
      mimeType: 'application/pdf',
      sizeBytes: 3_000_000,
      mailSubject: 'About huge.pdf',
      mailSender: 'Grace Hopper <grace@example.org>',
      mailDate: at.toISOString(),
      mailSizeEstimate: mailbox.raw(huge).length,
    });
  });

  it('should name parts that can be downloaded', async () => {
    const { path, id, mailbox } = await connect(0);
    mailbox.insert(withFile('report.pdf', 200_000), { labelIds: ['INBOX'] });
    const [{ messageId, partId }] = (await user.api.get(path)).body.attachments;
    const file = await user.api.get(`/api/mailbox/${id}/messages/${messageId}/attachments/${partId}`);
    expect(file.status).toBe(200);
    expect(file.bytes.equals(Buffer.alloc(200_000, 65))).toBe(true);
  });

  it('should fetch each message once, and follow changes with at most three calls', async () => {
    const { path, id, mailbox } = await connect(60);
    const kept = mailbox.insert(withFile('kept.pdf', 300_000), { labelIds: ['INBOX'] });
    const gone = mailbox.insert(withFile('gone.pdf', 300_000), { labelIds: ['INBOX'] });
    const trashed = mailbox.insert(withFile('trashed.pdf', 300_000), { labelIds: ['INBOX'] });
    const idsIn = (body: any): string[] => body.attachments.map(({ messageId }: any) => messageId as string);

    const first = await user.api.get(path);
    expect(idsIn(first.body)).toEqual(expect.arrayContaining([kept, gone, trashed]));
    const visible = mailbox.ids().filter((one) => !mailbox.labels(one).some((l) => HIDDEN.includes(l)));
    expect(app.sandbox.stats.calls['messages.get']).toBeLessThanOrEqual(visible.length);

    mailbox.remove(gone);
    mailbox.changeLabels([trashed], { add: ['TRASH'], remove: ['INBOX'] });
    await age(id);
    app.sandbox.stats.reset();
    const second = await user.api.get(path);

    expect(app.sandbox.stats.totalCalls).toBeLessThanOrEqual(3);
    expect(app.sandbox.stats.calls['messages.get']).toBeUndefined();
    expect(idsIn(second.body).sort()).toEqual(
      idsIn(first.body)
        .filter((one) => one !== gone && one !== trashed)
        .sort(),
    );
    expect(second.body.totalSizeBytes).toBe(first.body.totalSizeBytes - 600_000);

    const added = mailbox.insert(withFile('added.pdf', 400_000), { labelIds: ['INBOX'] });
    await age(id);
    app.sandbox.stats.reset();
    expect(idsIn((await user.api.get(path)).body)).toContain(added);
    expect(app.sandbox.stats.calls['messages.get']).toBe(1);
  });

  it('should return the same once the whole mailbox is indexed, with a single call', async () => {
    const indexing = await startTestApp({ sandbox: { messages: 1, averageBytes: 300 * 1024 } });
    try {
      const owner = await indexing.user();
      const { path, id, mailbox } = await connect(120, owner, indexing);
      mailbox.insert(withFile('spam.pdf', 2 * LARGE), { labelIds: ['SPAM'] });
      const first = await owner.api.get(path);
      expect(first.body.attachments.length).toBeGreaterThan(5);
      await waitFor('the index to be complete', async () => {
        const [state] = await indexing.dataSource.query(
          'SELECT complete FROM mailbox_index_states WHERE account_id = $1',
          [id],
        );
        return state.complete as boolean;
      });
      for (const query of ['', '?maxResults=3']) {
        await age(id, indexing);
        indexing.sandbox.stats.reset();
        const { body } = await owner.api.get(`${path}${query}`);
        expect(indexing.sandbox.stats.totalCalls).toBe(1);
        if (query === '') expect(body).toEqual(first.body);
        else expect(first.body.attachments).toEqual(expect.arrayContaining(body.attachments as unknown[]));
      }
    } finally {
      await indexing.close();
    }
  });

  it('should look at the newest maxResults messages', async () => {
    const { path, mailbox } = await connect(0);
    const days = [1, 2, 3, 4].map((day) =>
      mailbox.insert(withFile(`day-${day}.pdf`, LARGE + day), {
        labelIds: ['INBOX'],
        internalDate: new Date(`2025-11-0${day}T00:00:00Z`),
      }),
    );
    const { body } = await user.api.get(`${path}?maxResults=2`);
    expect(body.attachments.map(({ messageId }: any) => messageId)).toEqual([days[3], days[2]]);
    expect((await user.api.get(`${path}?maxResults=5000`)).body.attachments).toHaveLength(4);
  });

  describe('with many messages to fetch', () => {
    const MESSAGES = 230;

    const fill = (mailbox: SandboxMailbox): void => {
      const raw = withFile('many.pdf', LARGE + 1);
      for (let n = 0; n < MESSAGES; n += 1) {
        mailbox.insert(raw, { labelIds: ['INBOX'], internalDate: new Date(1_760_000_000_000 + n * 60_000) });
      }
    };

    it('should pause calls to the provider for half a second after every hundred', async () => {
      const { path, mailbox } = await connect(0);
      fill(mailbox);
      const startedAt = performance.now();
      const { body } = await user.api.get(`${path}?maxResults=500`);
      expect(performance.now() - startedAt).toBeGreaterThanOrEqual(990);
      expect(body.attachments).toHaveLength(MESSAGES);
      expect(app.sandbox.stats.calls['messages.get']).toBe(MESSAGES);
    });

    it('should stop when the client goes away', async () => {
      const { path, mailbox } = await connect(0);
      fill(mailbox);
      const leaving = new AbortController();
      const answer = user.api.get(`${path}?maxResults=500`, { signal: leaving.signal });
      const failed = expect(answer).rejects.toThrow();
      await waitFor('the first hundred', () => (app.sandbox.stats.calls['messages.get'] ?? 0) >= 100);
      leaving.abort();
      await failed;
      await new Promise((resolve) => setTimeout(resolve, 1_200));
      expect(app.sandbox.stats.calls['messages.get']).toBeLessThan(200);
    });
  });

  it('should return an empty list for an empty mailbox', async () => {
    const { path } = await connect(0);
    expect(await user.api.get(path)).toMatchObject({
      status: 200,
      body: { attachments: [], totalSizeBytes: 0 },
    });
  });

  it.each(['maxResults=0', 'maxResults=-1', 'maxResults=many', 'maxResults=1.5'])(
    'should answer 400 to %s',
    async (query) => {
      const { path } = await connect(0);
      const { status, body } = await user.api.get(`${path}?${query}`);
      expect(status).toBe(400);
      expect(body).toMatchObject({ code: 'validation-failed', errors: [{ field: 'maxResults' }] });
      expect(app.sandbox.stats.totalCalls).toBe(0);
    },
  );

  it('should answer 409 while the account is inactive, 403 to other users, 401 without a session', async () => {
    const { path, id } = await connect(0);
    expect((await stranger.api.get(path)).status).toBe(403);
    expect((await app.anonymous.get(path)).status).toBe(401);
    await user.api.patch(`/api/auth/mailbox/${id}/toggle`);
    expect(await user.api.get(path)).toMatchObject({ status: 409, body: { code: 'mailbox-disconnected' } });
  });
});
