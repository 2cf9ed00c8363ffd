import type { SandboxMailbox } from '../../../../sandbox/src/sandbox-server';
import { BulkModule } from '../../../../src/mailbox/bulk/bulk.module';
import { CursorInvalid, ProviderRejected } from '../../../../src/providers/port/mail-provider.errors';
import { startFeature, type Feature, type FeatureUser } from '../../../support/medium/feature';

const UNKNOWN = ['ffffffffffffff01', 'ffffffffffffff02', 'ffffffffffffff03'];

interface EndedJob {
  readonly queue_id: string;
  readonly status: string;
  readonly processed: number;
  readonly result: { readonly failures: { readonly item: string; readonly reason: string }[] };
}

interface Connected {
  readonly path: string;
  readonly mailbox: SandboxMailbox;
}

describe('Bulk operations', () => {
  let sut: Feature;
  let user: FeatureUser;
  let mailboxes = 0;

  beforeAll(async () => {
    sut = await startFeature({ modules: [BulkModule] });
    user = await sut.user();
  });

  afterAll(() => sut?.close());

  beforeEach(() => sut.provider.reset());

  async function connect(messages: number): Promise<Connected> {
    const email = `bulk${(mailboxes += 1)}-${messages}@sandbox.mailroom.test`;
    const id = await user.connect(email);
    return { path: `/api/mailbox/${id}`, mailbox: sut.mailbox(email) };
  }

  async function start(path: string, body: object): Promise<string> {
    const answer = await user.api.post(`${path}/messages/bulk`, body);
    expect(answer.status).toBe(202);
    expect(Object.keys(answer.body).sort()).toEqual(['jobId', 'message']);
    return answer.body.jobId as string;
  }

  const run = async (path: string, body: object): Promise<EndedJob> => user.jobEnd(await start(path, body));

  const having = (mailbox: SandboxMailbox, ids: readonly string[], label: string): number =>
    ids.filter((id) => mailbox.labels(id).includes(label)).length;

  it.each<[string, object, string]>([
    ['no action', { messageIds: ['a'] }, 'action'],
    ['an unknown action', { action: 'explode', messageIds: ['a'] }, 'action'],
    ['no ids', { action: 'trash' }, 'messageIds'],
    ['an empty list', { action: 'trash', messageIds: [] }, 'messageIds'],
    ['ids that are not text', { action: 'trash', messageIds: [1] }, 'messageIds'],
    ['label without labelId', { action: 'label', messageIds: ['a'] }, 'labelId'],
    ['unlabel without labelId', { action: 'unlabel', messageIds: ['a'] }, 'labelId'],
    [
      'a label that does not exist',
      { action: 'label', messageIds: ['a'], labelId: 'Label_999999' },
      'labelId',
    ],
  ])('should answer 400 to %s', async (_case, body, field) => {
    const { path } = await connect(1);
    const answer = await user.api.post(`${path}/messages/bulk`, body);
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ code: 'validation-failed', errors: [{ field }] });
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
    expect(await user.jobEnd(answer.body.jobId as string)).toMatchObject({
      status: 'completed',
      total: 3,
      processed: 3,
      progress: 100,
      payload: { action: 'mark_unread', messageIds: ids },
    });
  });

  describe('the seven actions', () => {
    it('should each change exactly the named messages', async () => {
      const { path, mailbox } = await connect(60);
      const all = mailbox.ids();
      const ids = all.slice(0, 20);
      const others = all.slice(20);
      const before = others.map((id) => mailbox.labels(id));
      mailbox.changeLabels(all, { remove: ['TRASH', 'SPAM'] });
      mailbox.changeLabels(ids, { add: ['INBOX', 'UNREAD'] });
      const { body: label } = await user.api.post(`${path}/labels`, { name: 'Bulk' });

      const perform = async (action: string): Promise<void> => {
        const job = await run(path, { action, messageIds: ids, labelId: label.id });
        expect(job).toMatchObject({ status: 'completed', processed: 20, failed: 0 });
        expect(job.result).toMatchObject({ action, changed: 20, alreadyDone: 0, notFound: 0, refused: 0 });
      };

      await perform('mark_read');
      expect(having(mailbox, ids, 'UNREAD')).toBe(0);
      await perform('mark_unread');
      expect(having(mailbox, ids, 'UNREAD')).toBe(20);
      await perform('label');
      expect(having(mailbox, ids, label.id as string)).toBe(20);
      await perform('unlabel');
      expect(having(mailbox, ids, label.id as string)).toBe(0);
      await perform('archive');
      expect(having(mailbox, ids, 'INBOX')).toBe(0);
      await perform('trash');
      expect(having(mailbox, ids, 'TRASH')).toBe(20);
      expect(having(mailbox, others, label.id as string)).toBe(0);
      expect(others.map((id) => mailbox.labels(id))).toEqual(
        before.map((labels) => labels.filter((each) => !['TRASH', 'SPAM'].includes(each))),
      );
      await perform('delete');
      expect(mailbox.ids()).toEqual(others);
    });

    it('should show readers the new labels at once, without asking the provider again', async () => {
      const { path, mailbox } = await connect(30);
      const ids = mailbox.ids();
      mailbox.changeLabels(ids, { add: ['UNREAD'] });
      await user.api.post(`${path}/messages/batch`, { ids });
      await run(path, { action: 'mark_read', messageIds: ids });
      sut.provider.reset();
      const { body } = await user.api.post(`${path}/messages/batch`, { ids });
      expect(body).toHaveLength(30);
      expect(body.filter((message: { labelIds: string[] }) => message.labelIds.includes('UNREAD'))).toEqual(
        [],
      );
      expect(sut.provider.totalCalls).toBe(0);

      await run(path, { action: 'delete', messageIds: ids.slice(0, 10) });
      const rest = await user.api.post(`${path}/messages/batch`, { ids });
      expect(rest.body.map((message: { id: string }) => message.id)).toEqual(ids.slice(10));
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
      ['mark_read', 'modify'],
      ['mark_unread', 'modify'],
      ['archive', 'modify'],
      ['trash', 'modify'],
      ['delete', 'delete'],
    ] as const)('should take ten change calls to %s', async (action, method) => {
      const job = await run(connected.path, { action, messageIds: ids });
      expect(job).toMatchObject({ status: 'completed', total: 10_000, processed: 10_000, failed: 0 });
      expect(job.result).toMatchObject({ changed: 10_000 });
      // Two history pages of 500 per batch of 1,000, and at most a call to find where the history stands.
      const { [method]: changes, listChanges: pages, ...others } = sut.provider.calls;
      expect(changes).toBe(10);
      expect(pages).toBeLessThanOrEqual(21);
      expect(others).toEqual(others['getProfile'] ? { getProfile: 1 } : {});
    });
  });

  describe('failures', () => {
    it('should report ids that the mailbox does not have and not count them', async () => {
      const { path, mailbox } = await connect(10);
      const ids = mailbox.ids();
      mailbox.changeLabels(ids, { add: ['UNREAD'] });
      const job = await run(path, {
        action: 'mark_read',
        messageIds: [UNKNOWN[0], ...ids.slice(0, 5), UNKNOWN[1], ...ids.slice(5), UNKNOWN[2], 'not-hex'],
      });
      expect(job).toMatchObject({ status: 'completed', total: 14, processed: 10, failed: 4 });
      expect(job.result).toMatchObject({ changed: 10, notFound: 4 });
      expect(having(mailbox, ids, 'UNREAD')).toBe(0);
      const { failures } = job.result;
      expect(failures.map(({ item }) => item).sort()).toEqual([...UNKNOWN, 'not-hex'].sort());
      expect(new Set(failures.map(({ reason }) => reason))).toEqual(
        new Set(['The mailbox has no such message.']),
      );
    });

    it('should be harmless to repeat, and distinguish already changed messages from missing ones', async () => {
      const { path, mailbox } = await connect(400);
      const ids = mailbox.ids();
      mailbox.changeLabels(ids, { add: ['UNREAD'] });
      const body = { action: 'mark_read', messageIds: ids };
      expect((await run(path, body)).result).toMatchObject({ changed: 400, alreadyDone: 0 });
      sut.provider.reset();
      const again = await run(path, body);
      expect(again).toMatchObject({ status: 'completed', processed: 400, failed: 0 });
      expect(again.result).toMatchObject({ changed: 0, alreadyDone: 400 });
      // No metadata is known of them, so ids are listed: far cheaper than 400 reads.
      expect(sut.provider.calls.fetchMetadata).toBeUndefined();
      expect(sut.provider.totalCalls).toBeLessThan(20);

      await run(path, { action: 'delete', messageIds: ids.slice(0, 50) });
      const gone = await run(path, { action: 'delete', messageIds: ids.slice(0, 50) });
      expect(gone).toMatchObject({ status: 'completed', processed: 0, failed: 50 });
      expect(gone.result).toMatchObject({ notFound: 50 });
    });

    it('should fail the items of a batch the provider refuses, with the reason, and continue', async () => {
      const { path, mailbox } = await connect(1_500);
      const ids = mailbox.ids();
      mailbox.changeLabels(ids, { add: ['UNREAD'] });
      sut.provider.fail('modify', new ProviderRejected('insufficientPermissions', 'No access'));
      const job = await run(path, { action: 'mark_read', messageIds: ids });
      expect(job).toMatchObject({ status: 'completed', processed: 500, failed: 1_000 });
      expect(job.result).toMatchObject({ changed: 500, refused: 1_000 });
      expect(job.result.failures[0]).toEqual({
        item: ids[0],
        code: 'provider-rejected',
        reason: 'No access',
      });
      expect(having(mailbox, ids, 'UNREAD')).toBe(1_000);

      const { status, body } = await user.api.post(`/api/jobs/${job.queue_id}/retry-failed`);
      expect(status).toBe(202);
      const retried = await user.jobEnd(body.jobId as string);
      expect(retried).toMatchObject({ status: 'completed', processed: 1_000, failed: 0 });
      expect(having(mailbox, ids, 'UNREAD')).toBe(0);
    });

    it('should be correct when the provider loses the history halfway', async () => {
      const { path, mailbox } = await connect(2_000);
      const ids = mailbox.ids();
      sut.provider.fail('listChanges', new CursorInvalid());
      const job = await run(path, { action: 'delete', messageIds: [...ids.slice(0, 1_500), UNKNOWN[0]] });
      expect(job).toMatchObject({ status: 'completed', total: 1_501 });
      expect(job.processed).toBeGreaterThanOrEqual(1_500);
      expect(mailbox.ids()).toEqual(ids.slice(1_500));
    });
  });

  it('should stop between two batches, with the counts of the changes made', async () => {
    const { path, mailbox } = await connect(10_000);
    const ids = mailbox.ids();
    mailbox.changeLabels(ids, { add: ['UNREAD'] });
    const jobId = await start(path, { action: 'mark_read', messageIds: ids });
    sut.provider.on('modify', { skip: 2 }, async () => {
      expect((await user.api.delete(`/api/jobs/${jobId}`)).status).toBe(204);
    });
    const job = await user.jobEnd(jobId);
    const read = 10_000 - having(mailbox, ids, 'UNREAD');
    expect(job).toMatchObject({ status: 'cancelled', processed: read, failed: 0 });
    expect(read).toBe(3_000);
    expect(job.result).toMatchObject({ action: 'mark_read', changed: read, alreadyDone: 0 });

    const rest = await run(path, { action: 'mark_read', messageIds: ids });
    expect(rest).toMatchObject({ status: 'completed', processed: 10_000, failed: 0 });
    expect(rest.result).toMatchObject({ changed: 10_000 - read, alreadyDone: read });
    expect(having(mailbox, ids, 'UNREAD')).toBe(0);
  });
});
