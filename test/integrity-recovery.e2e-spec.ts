import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { SandboxServer, startSandbox } from '../src/sandbox/sandbox-server';
import { ApiClient } from './support/api-client';
import { createTestDatabase } from './support/database';
import { testEnvironment } from './support/environment';
import { ServiceProcess } from './support/service-process';
import { TestUser } from './support/test-user';
import { waitFor } from './support/wait';

const MAILS = 1_500;
const MIB = 1024 * 1024;

/** The check of a service that is killed in the middle of it. */
describe('A killed integrity check', () => {
  let sandbox: SandboxServer;
  let database: { url: string; drop: () => Promise<void> };
  let client: Client;
  let dataDir: string;
  let environment: Record<string, string>;
  let service: ServiceProcess;
  let user: TestUser;

  const signedIn = (id: string, token: string): TestUser =>
    new TestUser(id, 'crash@users.test', '', new ApiClient(service.url, token));

  beforeAll(async () => {
    database = await createTestDatabase();
    sandbox = await startSandbox({ messages: 0 });
    dataDir = mkdtempSync(join(tmpdir(), 'mailroom-integrity-'));
    environment = testEnvironment(database.url, sandbox, dataDir);
    service = await ServiceProcess.start(environment);
    const { body } = await new ApiClient(service.url, null).post('/api/auth/register', {
      email: 'crash@users.test',
      password: randomBytes(12).toString('hex'),
    });
    user = signedIn(body.user.id as string, body.access_token as string);
    const accountId = await user.connect('crash-0@sandbox.mailroom.test');
    const message = Buffer.concat([Buffer.from('Subject: large\r\n\r\n'), Buffer.alloc(MIB, 'line\r\n')]);
    const id = sandbox.mailbox('crash-0@sandbox.mailroom.test').insert(message);
    const archived = await user.api.post(`/api/archive/${accountId}/archive`, { messageIds: [id] });
    await user.jobEnd(archived.body.jobId as string);
    client = new Client({ connectionString: database.url });
    await client.connect();
    // Many mails, one file: what is read is as much as if each had its own.
    await client.query(
      `INSERT INTO archived_mails (id, user_id, account_id, mailbox_message_id, thread_id, subject, sender, recipient,
         date, size_bytes, has_attachments, label_ids, snippet, storage, storage_key, sha256)
       SELECT gen_random_uuid(), user_id, account_id, 'copy ' || n, thread_id, subject, sender, recipient,
         date + n * interval '1 minute', size_bytes, has_attachments, label_ids, snippet, storage, storage_key,
         CASE WHEN n IN (1, $1 - 1) THEN repeat('0', 64) ELSE sha256 END
       FROM archived_mails, generate_series(1, $1::int - 1) n`,
      [MAILS],
    );
  });

  afterAll(async () => {
    await client?.end();
    await service?.stop();
    await sandbox?.close();
    await database?.drop();
    rmSync(dataDir, { recursive: true, force: true });
  });

  it('should go on, check every mail, and tell of what was found before and after once', async () => {
    const { body } = await user.api.post('/api/admin/integrity/check');
    const jobId = body.jobId as string;
    const checkpoint = async (): Promise<number> => {
      const { rows } = await client.query(`SELECT checkpoint FROM jobs WHERE type = 'check_integrity'`);
      return rows[0].checkpoint?.processed ?? 0;
    };
    const before = await waitFor('the check to be midway', async () => (await checkpoint()) || undefined);
    await service.kill();
    const saved = await checkpoint();
    expect(saved).toBeGreaterThanOrEqual(before);
    expect(saved).toBeLessThan(MAILS);
    expect((await client.query(`SELECT 1 FROM notifications WHERE type = 'integrity_alert'`)).rowCount).toBe(
      0,
    );
    service = await ServiceProcess.start(environment);
    user = signedIn(user.id, user.api.token!);
    const job = await user.jobEnd(jobId, 50_000);
    expect(job).toMatchObject({ status: 'completed', total: MAILS, processed: MAILS, progress: 100 });
    expect(job.result).toMatchObject({ checked: MAILS, altered: 2, missing: 0 });
    expect(job.result.problems).toHaveLength(2);
    const { rows } = await client.query(`SELECT data FROM notifications WHERE type = 'integrity_alert'`);
    expect(rows).toHaveLength(1);
    expect(rows[0].data).toMatchObject({ checked: MAILS, altered: 2, missing: 0 });
    expect(rows[0].data.mailIds).toHaveLength(2);
  });
});
