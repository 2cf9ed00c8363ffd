import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type SandboxServer, startSandbox } from '../src/sandbox/sandbox-server';
import { ApiClient } from './support/api-client';
import { createTestDatabase } from './support/database';
import { testEnvironment } from './support/environment';
import { shownMessages } from './support/newsletters/count-newsletters';
import { ServiceProcess } from './support/service-process';
import { TestUser } from './support/test-user';
import { waitFor } from './support/wait';

const MESSAGES = 600;
/** As many as a scan reads at a time and ahead of what it has written. */
const IN_FLIGHT = 250;

describe('A tracking scan whose process is killed', () => {
  let sandbox: SandboxServer;
  let database: { url: string; drop: () => Promise<void> };
  let dataDir: string;
  let environment: Record<string, string>;
  let service: ServiceProcess;

  beforeAll(async () => {
    database = await createTestDatabase();
    sandbox = await startSandbox({ messages: 1 });
    dataDir = mkdtempSync(join(tmpdir(), 'mailroom-tracking-'));
    environment = testEnvironment(database.url, sandbox, dataDir);
    service = await ServiceProcess.start(environment);
  });

  afterAll(async () => {
    await service?.stop();
    await sandbox?.close();
    await database?.drop();
    rmSync(dataDir, { recursive: true, force: true });
  });

  it('should go on where it was, read nothing again that is noted down, and find everything', async () => {
    const email = `killed-${MESSAGES}@sandbox.mailroom.test`;
    const registered = await new ApiClient(service.url, null).post('/api/auth/register', {
      email: 'killed@users.test',
      password: randomBytes(12).toString('hex'),
    });
    const onService = (): TestUser =>
      new TestUser(
        registered.body.user.id as string,
        'killed@users.test',
        '',
        new ApiClient(service.url, registered.body.access_token as string),
      );
    const accountId = await onService().connect(email);
    const path = `/api/privacy/${accountId}/tracking`;
    await onService().jobEnd(
      (await onService().api.post(`/api/unsubscribe/${accountId}/scan`)).body.jobId as string,
    );
    const shown = shownMessages(sandbox.mailbox(email)).length;
    sandbox.stats.reset();
    sandbox.fault({ endpoint: 'messages.get', times: 'always', answer: { kind: 'slow', delayMs: 50 } });
    const { body } = await onService().api.post(`${path}/scan`, { maxMessages: 5_000 });
    const jobId = body.jobId as string;
    await waitFor('the scan to be midway', async () => {
      const { processed, status } = (await onService().api.get(`/api/jobs/${jobId}`)).body;
      return status === 'active' && processed >= 200;
    });
    await service.kill();
    sandbox.clearFaults();
    service = await ServiceProcess.start(environment);
    const job = await onService().jobEnd(jobId, 90_000);
    expect(job).toMatchObject({ status: 'completed', total: shown, processed: shown, failed: 0 });
    expect(job.result.scanned).toBe(shown);
    const { total } = (await onService().api.get(path)).body;
    expect(job.result.tracked).toBe(total);
    expect(total).toBeGreaterThan(shown / 10);
    expect(sandbox.stats.calls['messages.get']).toBeLessThan(shown + IN_FLIGHT);

    sandbox.stats.reset();
    const again = await onService().api.post(`${path}/scan`, { maxMessages: 5_000 });
    expect((await onService().jobEnd(again.body.jobId as string)).result).toMatchObject({
      scanned: shown,
      unchanged: shown,
      tracked: total,
    });
    expect(sandbox.stats.calls['messages.get']).toBeUndefined();
  }, 200_000);
});
