import { startTestApp, TestApp } from '../../../support/app';
import type { TestUser } from '../../../support/test-user';

describe('Undo', () => {
  let sut: TestApp;
  let user: TestUser;
  let mailboxes = 0;

  beforeAll(async () => {
    sut = await startTestApp({ sandbox: { messages: 1 } });
    user = await sut.user();
  });

  afterAll(() => sut?.close());

  /** Moves the messages of a new mailbox from the inbox to the trash. @returns the path of that job's undo */
  async function trash(messages: number): Promise<{ path: string; inTrash: () => number }> {
    const email = `undo${(mailboxes += 1)}-${messages}@sandbox.mailroom.test`;
    const id = await user.connect(email);
    const mailbox = sut.sandbox.mailbox(email);
    const messageIds = mailbox.ids();
    mailbox.changeLabels(messageIds, { add: ['INBOX'], remove: ['TRASH', 'SPAM', 'UNREAD'] });
    const { status, body } = await user.api.post(`/api/mailbox/${id}/messages/bulk`, {
      action: 'trash',
      messageIds,
    });
    expect(status).toBe(202);
    await user.jobEnd(body.jobId as string);
    const inTrash = (): number =>
      messageIds.filter((messageId) => mailbox.labels(messageId).includes('TRASH')).length;
    expect(inTrash()).toBe(messages);
    return { path: `/api/jobs/${body.jobId}/undo`, inTrash };
  }

  it('should undo a job, and refuse to undo it again', async () => {
    const { path, inTrash } = await trash(3);
    expect(await user.api.get(path)).toMatchObject({
      status: 200,
      body: { undoable: true, reason: null, messages: 3, undoneBy: null },
    });
    const { status, body } = await user.api.post(path);
    expect({ status, body }).toEqual({
      status: 202,
      body: {
        jobId: expect.stringMatching(/^undo_changes-\d+$/) as unknown,
        message: 'Undo started: 3 messages',
      },
    });
    expect(await user.jobEnd(body.jobId as string)).toMatchObject({
      status: 'completed',
      result: { restored: 3 },
    });
    expect(inTrash()).toBe(0);
    expect(await user.api.get(path)).toMatchObject({
      status: 200,
      body: { undoable: false, reason: 'already-undone', undoneBy: body.jobId },
    });
    expect(await user.api.post(path)).toMatchObject({ status: 409, body: { code: 'already-undone' } });
  });

  it('should return the same job for a repeated request', async () => {
    const { path } = await trash(1);
    const headers = { 'Idempotency-Key': 'undo-once' };
    const first = await user.api.post(path, undefined, { headers });
    expect(first.status).toBe(202);
    expect(await user.api.post(path, undefined, { headers })).toMatchObject({
      status: 202,
      body: first.body,
    });
  });

  it('should not know jobs that do not exist or belong to another user', async () => {
    const stranger = await sut.user('stranger');
    const { path, inTrash } = await trash(1);
    const unknown = '/api/jobs/bulk_operation-999999/undo';
    const answers = await Promise.all([
      user.api.get(unknown),
      user.api.post(unknown),
      stranger.api.get(path),
      stranger.api.post(path),
      sut.anonymous.post(path),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404, 401]);
    expect(inTrash()).toBe(1);
  });
});
