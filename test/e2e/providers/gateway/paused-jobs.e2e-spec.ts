import { startTestApp, TestApp } from '../../../support/app';
import { FaultBox, PROVIDER_JOBS } from '../../../support/provider-faults/provider-jobs';
import { waitFor } from '../../../support/wait';

describe('Jobs of an account that the provider pauses for minutes', () => {
  let app: TestApp;

  beforeAll(async () => {
    app = await startTestApp({ own: true, sandbox: { messages: 1 } });
  });

  afterAll(() => app?.close());

  it.each(PROVIDER_JOBS.map((job) => [job.name, job] as const))(
    'should wait outside their slot, and be cancelled there at once: %s',
    async (_name, job) => {
      const box = await FaultBox.connect(app, await app.user());
      await job.prepare?.(box);
      for (const endpoint of job.endpoints) {
        app.sandbox.fault({
          endpoint,
          email: box.mailbox.email,
          times: 'always',
          answer: {
            kind: 'error',
            status: 429,
            reason: 'rateLimitExceeded',
            message: 'Quota exceeded',
            headers: { 'Retry-After': '300' },
          },
        });
      }
      const jobId = await job.start(box);
      const state = async (): Promise<any> => (await box.user.api.get(`/api/jobs/${jobId}`)).body;
      await waitFor('the job to be put off', async () => (await state()).queueState === 'delayed');
      expect(await state()).toMatchObject({ status: 'pending', error: null });
      const [row] = await app.dataSource.query(
        `SELECT lost_attempts, lease_until, extract(epoch FROM due_at - now())::float8 AS seconds FROM jobs
         WHERE type || '-' || number = $1`,
        [jobId],
      );
      expect(row).toMatchObject({ lost_attempts: 0, lease_until: null });
      expect(row.seconds).toBeGreaterThan(200);
      expect((await box.user.api.delete(`/api/jobs/${jobId}`)).status).toBe(204);
      expect(await state()).toMatchObject({ status: 'cancelled', completed_at: expect.any(String) });
    },
  );
});
