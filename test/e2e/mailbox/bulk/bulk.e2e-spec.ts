import type { SandboxMailbox } from '../../../../sandbox/src/sandbox-server';
import { startTestApp, TestApp } from '../../../support/app';
import type { TestUser } from '../../../support/test-user';
import { waitFor } from '../../../support/wait';
import { nightly } from '../../../support/nightly';

interface EndedJob {
  readonly queue_id: string;
  readonly status: string;
  readonly processed: number;
  readonly result: { readonly failures: { readonly item: string; readonly reason: string }[] };
}

interface Connected {
  readonly path: string;
  readonly id: string;
  readonly mailbox: SandboxMailbox;
}

describe('Bulk operations', () => {
  let sut: TestApp;
  let user: TestUser;
  let mailboxes = 0;

  beforeAll(async () => {
    sut = await startTestApp({ sandbox: { messages: 1 } });
    user = await sut.user();
    await sut.dataSource.query('UPDATE users SET max_mailbox_accounts = 50');
  });

  afterAll(() => sut?.close());

  beforeEach(() => sut.sandbox.clearFaults());

  async function connect(messages: number): Promise<Connected> {
    const email = `bulk${(mailboxes += 1)}-${messages}@sandbox.mailroom.test`;
    const id = await user.connect(email);
    const mailbox = sut.sandbox.mailbox(email);
    sut.sandbox.stats.reset();
    return { path: `/api/mailbox/${id}`, id, mailbox };
  }

  async function start(path: string, body: object): Promise<string> {
    const answer = await user.api.post(`${path}/messages/bulk`, body);
    expect(answer.status).toBe(202);
    expect(Object.keys(answer.body).sort()).toEqual(['jobId', 'message']);
    return answer.body.jobId as string;
  }

  /** Waits by the list, which cuts payloads of many thousand ids short, then reads the whole job. */
  async function end(jobId: string): Promise<EndedJob> {
    await waitFor(`${jobId} to end`, async () => {
      const { body } = await user.api.get('/api/jobs?limit=1');
      return body[0].queue_id === jobId && body[0].completed_at !== null;
    });
    return (await user.api.get<EndedJob>(`/api/jobs/${jobId}`)).body;
  }

  const run = async (path: string, body: object): Promise<EndedJob> => end(await start(path, body));

  const calls = (): Record<string, number> => {
    const { batch: _wholes, ...parts } = sut.sandbox.stats.calls;
    return parts;
  };

  const having = (mailbox: SandboxMailbox, ids: readonly string[], label: string): number =>
    ids.filter((id) => mailbox.labels(id).includes(label)).length;

  describe('requests', () => {
    it('should answer 400 to no ids', async () => {
      const { path } = await connect(1);
      const answer = await user.api.post(`${path}/messages/bulk`, { action: 'trash' });
      expect(answer.status).toBe(400);
      expect(answer.body).toMatchObject({ code: 'validation-failed', errors: [{ field: 'messageIds' }] });
    });

    nightly('should answer 400 to 50,001 ids and accept 50,000', async () => {
      const { path, mailbox } = await connect(2);
      const messageIds = Array.from({ length: 50_001 }, (_, index) => `1${String(index).padStart(15, '0')}`);
      const over = await user.api.post(`${path}/messages/bulk`, { action: 'mark_read', messageIds });
      expect(over.status).toBe(400);
      const [first, second] = mailbox.ids() as [string, string];
      const most = [first, ...messageIds.slice(0, 49_998), second];
      const job = await run(path, { action: 'mark_read', messageIds: most });
      expect(job).toMatchObject({ status: 'completed', total: 50_000, processed: 2, failed: 49_998 });
      expect(job.result).toMatchObject({ notFound: 49_998 });
      // A mailbox of two messages is listed, not searched for 50,000 ids.
      expect(calls()['messages.get']).toBeUndefined();
      expect(sut.sandbox.stats.totalCalls).toBeLessThan(120);
    });

    it('should remove duplicates and report the number of messages', async () => {
      const { path, mailbox } = await connect(3);
      const ids = mailbox.ids();
      const answer = await user.api.post(`${path}/messages/bulk`, {
        action: 'mark_unread',
        messageIds: [...ids, ...ids, ids[0]],
      });
      expect(answer.body).toEqual({
        jobId: expect.stringMatching(/^bulk_operation-\d+$/),
        message: 'Bulk operation started: 3 messages',
      });
      expect(await end(answer.body.jobId as string)).toMatchObject({
        status: 'completed',
        total: 3,
        processed: 3,
        progress: 100,
        payload: { action: 'mark_unread', messageIds: ids },
      });
    });
  });

  describe('10,000 messages', () => {
    let connected: Connected;
    let ids: string[];

    beforeAll(async () => {
      connected = await connect(10_000);
      ids = connected.mailbox.ids();
      connected.mailbox.changeLabels(ids, { add: ['INBOX', 'UNREAD'], remove: ['TRASH', 'SPAM'] });
    });

    it.each([
      ['mark_read', 'messages.batchModify'],
      ['delete', 'messages.batchDelete'],
    ])('should take ten change calls to %s', async (action, endpoint) => {
      sut.sandbox.stats.reset();
      const job = await run(connected.path, { action, messageIds: ids });
      expect(job).toMatchObject({ status: 'completed', total: 10_000, processed: 10_000, failed: 0 });
      expect(job.result).toMatchObject({ changed: 10_000 });
      // Two history pages of 500 per batch of 1,000, and at most a call to find where the history stands.
      const { [endpoint]: changes, 'history.list': pages, ...others } = calls();
      expect(changes).toBe(10);
      expect(pages).toBeLessThanOrEqual(21);
      expect(others).toEqual(others['getProfile'] ? { getProfile: 1 } : {});
      expect(sut.sandbox.stats.totalUnits).toBeLessThanOrEqual(10 * 50 + 21 * 2 + 1);
    });
  });

  describe('failures', () => {
    it('should fail the items of a batch the provider refuses, with the reason, and continue', async () => {
      const { path, mailbox } = await connect(1_500);
      const ids = mailbox.ids();
      mailbox.changeLabels(ids, { add: ['UNREAD'] });
      sut.sandbox.fault({ endpoint: 'messages.batchModify', answer: { kind: 'insufficientPermissions' } });
      const job = await run(path, { action: 'mark_read', messageIds: ids });
      expect(job).toMatchObject({ status: 'completed', processed: 500, failed: 1_000 });
      expect(job.result).toMatchObject({ changed: 500, refused: 1_000 });
      expect(job.result.failures[0]).toEqual({
        item: ids[0],
        code: 'provider-rejected',
        reason: expect.stringContaining('access'),
      });
      expect(having(mailbox, ids, 'UNREAD')).toBe(1_000);

      sut.sandbox.clearFaults();
      const { status, body } = await user.api.post(`/api/jobs/${job.queue_id}/retry-failed`);
      expect(status).toBe(202);
      const retried = await end(body.jobId as string);
      expect(retried).toMatchObject({ status: 'completed', processed: 1_000, failed: 0 });
      expect(having(mailbox, ids, 'UNREAD')).toBe(0);
    });

    it('should fail with the account’s code when the grant is revoked, keeping the changes made', async () => {
      const { path, mailbox, id } = await connect(1_500);
      const ids = mailbox.ids();
      mailbox.changeLabels(ids, { add: ['UNREAD'] });
      sut.sandbox.fault({ endpoint: 'oauth.token', answer: { kind: 'invalidGrant' }, times: 'always' });
      sut.sandbox.fault({
        endpoint: 'messages.batchModify',
        email: mailbox.email,
        skip: 1,
        times: 'always',
        answer: { kind: 'unauthorized' },
      });
      const job = await run(path, { action: 'mark_read', messageIds: ids });
      expect(job).toMatchObject({
        status: 'failed',
        error_code: 'mailbox-reauth-required',
        processed: 1_000,
        failed: 0,
      });
      expect(having(mailbox, ids, 'UNREAD')).toBe(500);
      const { body } = await user.api.get('/api/auth/me');
      expect(body.mailboxAccounts).toContainEqual(expect.objectContaining({ id, status: 'needs_reauth' }));
    });

    it('should wait for rate limits and outages to end without losing or repeating anything', async () => {
      const { path, mailbox } = await connect(2_000);
      const ids = mailbox.ids();
      mailbox.changeLabels(ids, { add: ['UNREAD'] });
      sut.sandbox.fault({ endpoint: 'messages.batchModify', answer: { kind: 'retryAfter', afterMs: 1_000 } });
      sut.sandbox.fault({ endpoint: 'history.list', answer: { kind: 'rateLimitExceeded' } });
      sut.sandbox.fault({
        endpoint: 'messages.batchModify',
        skip: 1,
        afterApplying: true,
        answer: { kind: 'unavailable' },
      });
      const job = await run(path, { action: 'mark_read', messageIds: ids });
      expect(job).toMatchObject({ status: 'completed', processed: 2_000, failed: 0 });
      expect(having(mailbox, ids, 'UNREAD')).toBe(0);
    });
  });

  describe('stopping', () => {
    it('should stop between two batches, with the counts of the changes made', async () => {
      const { path, mailbox } = await connect(10_000);
      const ids = mailbox.ids();
      mailbox.changeLabels(ids, { add: ['UNREAD'] });
      sut.sandbox.fault({
        endpoint: 'messages.batchModify',
        times: 'always',
        answer: { kind: 'slow', delayMs: 150 },
      });
      const jobId = await start(path, { action: 'mark_read', messageIds: ids });
      await waitFor('two batches', () => having(mailbox, ids, 'UNREAD') <= 8_000);
      expect((await user.api.delete(`/api/jobs/${jobId}`)).status).toBe(204);
      const job = await end(jobId);
      const read = 10_000 - having(mailbox, ids, 'UNREAD');
      expect(job).toMatchObject({ status: 'cancelled', processed: read, failed: 0 });
      expect(read).toBeLessThan(10_000);
      expect(read % 1_000).toBe(0);
      expect(job.result).toMatchObject({ action: 'mark_read', changed: read, alreadyDone: 0 });

      sut.sandbox.clearFaults();
      const rest = await run(path, { action: 'mark_read', messageIds: ids });
      expect(rest).toMatchObject({ status: 'completed', processed: 10_000, failed: 0 });
      expect(rest.result).toMatchObject({ changed: 10_000 - read, alreadyDone: read });
      expect(having(mailbox, ids, 'UNREAD')).toBe(0);
    });
  });
});
