import { randomUUID } from 'node:crypto';
import { BulkAction } from '../../../../src/mailbox/bulk/bulk-action';
import type { JournalChunk } from '../../../../src/mailbox/bulk/change-journal';
import { ChangeJournalRepository } from '../../../../src/mailbox/bulk/change-journal.repository';
import { JobInterrupted } from '../../../../src/platform/jobs/jobs.errors';
import { startTestApp, type TestApp } from '../../../support/app';
import type { TestUser } from '../../../support/test-user';

describe('The journal of a bulk change that another process has taken over', () => {
  let app: TestApp;
  let user: TestUser;
  let accountId: string;
  let job: { id: string; jobId: string };
  const token = randomUUID();

  beforeAll(async () => {
    app = await startTestApp({ sandbox: { messages: 3 } });
    user = await app.user();
    accountId = await user.connect('lease-3@sandbox.mailroom.test');
    const { body: page } = await user.api.get(`/api/mailbox/${accountId}/messages`);
    const messageIds = (page.messages as { id: string }[]).map(({ id }) => id);
    const { body } = await user.api.post(`/api/mailbox/${accountId}/messages/bulk`, {
      action: 'trash',
      messageIds,
    });
    const jobId = body.jobId as string;
    await user.jobEnd(jobId);
    const [{ id }] = await app.dataSource.query(
      `SELECT id FROM jobs WHERE type = 'bulk_operation' AND user_id = $1`,
      [user.id],
    );
    await app.dataSource.query('UPDATE jobs SET lease_token = $2 WHERE id = $1', [id, token]);
    job = { id, jobId };
  });
  afterAll(() => app?.close());

  const cursors = async (): Promise<Record<number, string>> => {
    const rows: { chunk: number; cursor: string }[] = await app.dataSource.query(
      'SELECT chunk, cursor FROM change_journal WHERE job_id = $1',
      [job.id],
    );
    return Object.fromEntries(rows.map(({ chunk, cursor }) => [chunk, cursor]));
  };
  const chunkAt = (chunk: number, cursor: string): JournalChunk => ({
    action: BulkAction.Trash,
    chunk,
    messages: [],
    cursor,
  });
  const write = (chunk: JournalChunk, lease: string): Promise<void> =>
    app.app
      .get(ChangeJournalRepository)
      .write({ jobId: job.jobId, userId: user.id, accountId, lease: { id: job.id, token: lease } }, chunk);

  it('should be written only by the process that holds the job', async () => {
    const before = await cursors();
    expect(Object.keys(before)).toEqual(['0']);
    for (const chunk of [0, 1])
      await expect(write(chunkAt(chunk, 'lost'), randomUUID())).rejects.toEqual(
        new JobInterrupted('lease-lost'),
      );
    expect(await cursors()).toEqual(before);
    for (const chunk of [0, 1]) await write(chunkAt(chunk, 'held'), token);
    expect(await cursors()).toEqual({ 0: 'held', 1: 'held' });
  });
});
