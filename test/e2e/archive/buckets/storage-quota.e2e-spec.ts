import { startTestApp, TestApp } from '../../../support/app';
import { ArchiveFixture } from '../../../support/archive/archive-fixture';
import { eml } from '../../../support/archive/eml';
import type { TestUser } from '../../../support/test-user';

describe('Storage quota', () => {
  let app: TestApp;
  let user: TestUser;
  let boxes = 0;

  beforeAll(async () => {
    app = await startTestApp({ sandbox: { messages: 1 } });
  });

  beforeEach(async () => {
    user = await app.user();
  });

  afterAll(() => app?.close());

  const connect = (messages = 1): Promise<ArchiveFixture> =>
    ArchiveFixture.connect(app, user, `quota${(boxes += 1)}-${messages}@sandbox.mailroom.test`);

  const setQuota = (bytes: number): Promise<unknown> =>
    app.dataSource.query('UPDATE users SET storage_quota_bytes = $2 WHERE id = $1', [user.id, bytes]);

  const usedBytes = async (): Promise<number> =>
    (await user.api.get('/api/auth/me')).body.storageUsedBytes as number;

  describe('jobs', () => {
    it('should end archiving with quota-exceeded, keep what fits, and continue when there is space', async () => {
      const full = await connect(0);
      const message = (number: number): Buffer =>
        Buffer.concat([eml(`Subject: ${number}`, '', ''), Buffer.alloc(100_000, 'x')]);
      const ids = Array.from({ length: 12 }, (_, number) => full.mailbox.insert(message(number)));
      await setQuota(550_000);
      const job = await full.archive({ messageIds: ids });
      expect(job).toMatchObject({ status: 'failed', processed: 5 });
      expect(job.error).toContain('storage quota');
      const [{ error_code }] = await app.dataSource.query(
        `SELECT error_code FROM jobs WHERE mailbox_account_id = $1 ORDER BY created_at DESC LIMIT 1`,
        [full.accountId],
      );
      expect(error_code).toBe('quota-exceeded');
      expect([(await full.rows()).size, (await full.files()).length, await usedBytes()]).toEqual([
        5,
        5,
        [...(await full.rows()).values()].reduce((sum, row) => sum + Number(row.size_bytes), 0),
      ]);
      await setQuota(5_000_000);
      const again = await full.archive({ messageIds: ids });
      expect(again).toMatchObject({ status: 'completed', processed: 7 });
      expect((await full.files()).length).toBe(12);
    });

    it('should end a rule that archives with quota-exceeded', async () => {
      const ruled = await connect(30);
      await setQuota(1);
      const { status, body } = await user.api.post(`/api/rules/${ruled.accountId}`, {
        name: 'keep',
        conditions: [{ field: 'label', operator: 'equals', value: 'INBOX' }],
        action: { type: 'archive_nas' },
      });
      expect([status, body.code]).toEqual([201, undefined]);
      const run = await user.api.post(`/api/rules/${ruled.accountId}/${body.id as string}/run`, {});
      const job = await user.jobEnd(run.body.jobId as string);
      expect(job).toMatchObject({ status: 'failed' });
      expect(job.error).toContain('storage quota');
      expect([(await ruled.rows()).size, await ruled.files()]).toEqual([0, []]);
    });
  });
});
