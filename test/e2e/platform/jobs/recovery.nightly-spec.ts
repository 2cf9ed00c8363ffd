import { createHash, randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DataSource } from 'typeorm';
import { SandboxServer, startSandbox } from '../../../../sandbox/src/sandbox-server';
import { ApiClient } from '../../../support/api-client';
import { filesSettled } from '../../../support/archive/settled-files';
import { createTestDatabase } from '../../../support/database';
import { testEnvironment } from '../../../support/environment';
import { ServiceProcess } from '../../../support/service-process';
import { TestUser } from '../../../support/test-user';
import { waitFor } from '../../../support/wait';

const MESSAGES = 4_000;
const ARCHIVED = 400;

/** A crash in the middle of jobs, as it really happens: the process is killed and started again. */
describe('A killed service', () => {
  let sandbox: SandboxServer;
  let database: { url: string; drop: () => Promise<void> };
  let dataDir: string;
  let environment: Record<string, string>;
  let service: ServiceProcess;
  let user: TestUser;
  let accountId: string;
  const mailbox = `crash-${MESSAGES}@sandbox.mailroom.test`;

  beforeAll(async () => {
    database = await createTestDatabase();
    sandbox = await startSandbox({ messages: 10, latencyMs: 40 });
    dataDir = mkdtempSync(join(tmpdir(), 'mailroom-crash-'));
    environment = testEnvironment(database.url, sandbox, dataDir);
    service = await ServiceProcess.start(environment, undefined, 'real');
    const registered = await new ApiClient(service.url, null).post('/api/auth/register', {
      email: 'crash@users.test',
      password: randomBytes(12).toString('hex'),
    });
    user = onService(registered.body.user.id as string, registered.body.access_token as string);
    accountId = await user.connect(mailbox);
  });

  afterAll(async () => {
    await service.stop();
    await sandbox.close();
    await database.drop();
    rmSync(dataDir, { recursive: true, force: true });
  });

  const onService = (id: string, token: string): TestUser =>
    new TestUser(id, 'crash@users.test', '', new ApiClient(service.url, token));

  /** Starts a job, kills the service once `isMidway`, starts it again and waits for the job's end. */
  async function crashDuring(path: string, body: unknown, isMidway: (job: any) => boolean): Promise<any> {
    const started = await user.api.post(path, body);
    expect(started.status).toBe(202);
    const jobId = started.body.jobId as string;
    await waitFor('the job to be midway', async () =>
      isMidway((await user.api.get(`/api/jobs/${jobId}`)).body),
    );
    await service.kill();
    service = await ServiceProcess.start(environment, undefined, 'real');
    user = onService(user.id, user.api.token!);
    return user.jobEnd(jobId, 50_000);
  }

  it('should finish a bulk job: every message changed, every message counted once', async () => {
    const ids = sandbox.mailbox(mailbox).ids();
    const job = await crashDuring(
      `/api/mailbox/${accountId}/messages/bulk`,
      { action: 'mark_read', messageIds: ids },
      ({ processed, status }) => status === 'active' && processed > 0 && processed < ids.length,
    );
    expect(job).toMatchObject({
      status: 'completed',
      total: ids.length,
      processed: ids.length,
      failed: 0,
      progress: 100,
    });
    expect(ids.filter((id) => sandbox.mailbox(mailbox).labels(id).includes('UNREAD'))).toEqual([]);
  });

  it('should finish an archive job: every message on disk once, byte for byte, and nothing else', async () => {
    const ids = sandbox.mailbox(mailbox).ids().slice(0, ARCHIVED);
    const job = await crashDuring(
      `/api/archive/${accountId}/archive`,
      { messageIds: ids },
      ({ processed, status }) => status === 'active' && processed > 0 && processed < ARCHIVED,
    );
    expect(job).toMatchObject({ status: 'completed', total: ARCHIVED, failed: 0, progress: 100 });

    const expected = ids
      .map((id) => createHash('sha256').update(sandbox.mailbox(mailbox).raw(id)).digest('hex'))
      .sort();
    // Nobody need wait ten minutes for the lease of the writer that was killed.
    const rows = await new DataSource({ type: 'postgres', url: database.url }).initialize();
    await rows.query('UPDATE file_deletions SET due_at = now(), lease_until = now()');
    await filesSettled(rows);
    await rows.destroy();
    const root = join(dataDir, 'archive');
    // Beside the signs of life of the processes.
    const files = readdirSync(root, { recursive: true, withFileTypes: true }).filter(
      (entry) => entry.isFile() && entry.name !== 'alive',
    );
    const found = files.map((entry) =>
      createHash('sha256')
        .update(readFileSync(join(entry.parentPath, entry.name)))
        .digest('hex'),
    );
    expect(found.sort()).toEqual(expected);
    const listed = await user.api.get(`/api/archive/${accountId}/mails?limit=1`);
    expect(listed.body.total).toBe(ARCHIVED);
  });

  it('should shut down cleanly on SIGTERM', async () => {
    expect(await service.stop()).toBe(0);
    service = await ServiceProcess.start(environment, undefined, 'real');
  });
});
