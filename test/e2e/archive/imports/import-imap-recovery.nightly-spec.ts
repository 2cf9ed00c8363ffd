import { randomBytes } from 'node:crypto';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Redis from 'ioredis';
import { Client } from 'pg';
import { SandboxServer, startSandbox } from '../../../../sandbox/src/sandbox-server';
import { ApiClient } from '../../../support/api-client';
import { createTestDatabase } from '../../../support/database';
import { testEnvironment } from '../../../support/environment';
import { TestImapServer } from '../../../support/imap/imap-server';
import { ServiceProcess } from '../../../support/service-process';
import { TestUser } from '../../../support/test-user';
import { waitFor } from '../../../support/wait';

const MESSAGES = 700;
/** In every password that is used here. */
const SECRET = 'imap-pass-7f3a';

jest.setTimeout(180_000);

/** Tests that need a separate process: one that trusts a certificate, and one that can be killed. */
describe('Import from IMAP by the built service', () => {
  let sandbox: SandboxServer;
  let database: { url: string; drop: () => Promise<void> };
  let server: TestImapServer;
  let dataDir: string;
  let environment: Record<string, string>;
  let service: ServiceProcess;
  let user: TestUser;
  let accountId: string;
  let sql: Client;
  let redis: Redis;
  let output: number;
  const logFile = (): string => join(dataDir, 'service.log');

  beforeAll(async () => {
    [database, sandbox, server] = await Promise.all([
      createTestDatabase(),
      startSandbox({ messages: 1 }),
      TestImapServer.start(),
    ]);
    dataDir = mkdtempSync(join(tmpdir(), 'mailroom-imap-'));
    environment = {
      ...testEnvironment(database.url, sandbox, dataDir),
      NODE_EXTRA_CA_CERTS: server.certificatePath,
      LOG_LEVEL: 'debug',
    };
    output = openSync(logFile(), 'a');
    redis = new Redis(environment.REDIS_URL!);
    service = await ServiceProcess.start(environment, output);
    const registered = await new ApiClient(service.url, null).post('/api/auth/register', {
      email: 'imap@users.test',
      password: randomBytes(12).toString('hex'),
    });
    user = onService(registered.body.user.id as string, registered.body.access_token as string);
    accountId = await user.connect('imap-1@sandbox.mailroom.test');
    sql = new Client({ connectionString: database.url });
    await sql.connect();
  });

  afterAll(async () => {
    await sql.end();
    redis.disconnect();
    closeSync(output);
    await Promise.all([service.stop(), server.stop(), sandbox.close()]);
    await database.drop();
    rmSync(dataDir, { recursive: true, force: true });
  });

  const onService = (id: string, token: string): TestUser =>
    new TestUser(id, 'imap@users.test', '', new ApiClient(service.url, token));

  async function start(changes: object): Promise<string> {
    const body = {
      host: 'localhost',
      port: server.tlsPort,
      user: server.user,
      pass: server.pass,
      ...changes,
    };
    const started = await user.api.post(`/api/import/${accountId}/imap`, body);
    expect(started.status).toBe(202);
    return started.body.jobId as string;
  }

  /** Kills the service once the job is midway, runs `meanwhile`, starts it again and waits for the job's end. */
  async function crashDuring(jobId: string, meanwhile: () => Promise<void>): Promise<any> {
    await waitFor(
      'the job to be midway',
      async () => {
        const { body } = await user.api.get(`/api/jobs/${jobId}`);
        return body.processed >= 200;
      },
      100_000,
    );
    await service.kill();
    await meanwhile();
    service = await ServiceProcess.start(environment, output);
    const token = (user.api as unknown as { token: string }).token;
    user = onService(user.id, token);
    return user.jobEnd(jobId, 150_000);
  }

  const archived = async (subject: string): Promise<number> => {
    const { rows } = await sql.query(
      'SELECT count(*)::int AS count FROM archived_mails WHERE subject LIKE $1',
      [`${subject}%`],
    );
    return rows[0].count;
  };

  const mails = (subject: string, count: number): Buffer[] =>
    Array.from({ length: count }, (_, n) =>
      Buffer.from(
        `From: a@x.test\r\nSubject: ${subject} ${n}\r\nMessage-ID: <${subject}-${n}@x.test>\r\n` +
          `Date: Mon, 1 Jan 2024 10:00:00 +0000\r\n\r\n${'text '.repeat(200)}\r\n`,
      ),
    );

  it('should verify the certificate against the host name, and import over TLS', async () => {
    await server.append('tls', mails('tls', 3));
    const job = await user.jobEnd(await start({ folder: 'tls' }));
    expect(job).toMatchObject({ status: 'completed', result: { imported: 3 } });
    const mismatch = await user.jobEnd(await start({ folder: 'tls', host: '127.0.0.1' }));
    expect(mismatch).toMatchObject({ status: 'failed', error_code: 'imap-tls-failed' });
    expect(mismatch.error).toMatch(/another host name/);
  });

  it('should continue after the last batch when it is killed, and count everything once', async () => {
    await server.append('killed', mails('killed', MESSAGES));
    const job = await crashDuring(await start({ folder: 'killed' }), async () => undefined);
    expect(job).toMatchObject({ status: 'completed', total: MESSAGES, processed: MESSAGES, failed: 0 });
    expect(job.result).toMatchObject({ imported: MESSAGES, duplicates: 0, failed: 0 });
    expect(await archived('killed')).toBe(MESSAGES);
  });

  it('should start over when the UIDs have been reassigned to other messages', async () => {
    const all = mails('renumbered', MESSAGES);
    await server.append('renumbered', all);
    let before = 0;
    const job = await crashDuring(await start({ folder: 'renumbered' }), async () => {
      before = await archived('renumbered');
      await server.session((client) => client.mailboxDelete('renumbered'));
      await server.append('renumbered', [...all].reverse());
    });
    expect(before).toBeGreaterThan(0);
    expect(job).toMatchObject({ status: 'completed', failed: 0 });
    expect(await archived('renumbered')).toBe(MESSAGES);
    const { imported, duplicates } = job.result;
    expect(job.processed).toBe(imported + duplicates);
    expect(job.total).toBe(job.processed);
    expect(duplicates).toBeGreaterThanOrEqual(200);
  });

  /** Everything in Redis, whatever kind of value it is. */
  async function redisDump(): Promise<string> {
    const parts: unknown[] = [];
    for (const key of await redis.keys('*')) {
      const type = await redis.type(key);
      const read: Record<string, () => Promise<unknown>> = {
        string: () => redis.get(key),
        hash: () => redis.hgetall(key),
        list: () => redis.lrange(key, 0, -1),
        set: () => redis.smembers(key),
        zset: () => redis.zrange(key, 0, -1),
        stream: () => redis.xrange(key, '-', '+'),
      };
      parts.push(key, type, await read[type]?.());
    }
    return JSON.stringify(parts);
  }

  /** Every row of every table, as text. */
  async function databaseDump(): Promise<string> {
    const tables = await sql.query("SELECT tablename FROM pg_tables WHERE schemaname = 'public'");
    const dumps: string[] = [];
    for (const { tablename } of tables.rows)
      dumps.push(JSON.stringify((await sql.query(`SELECT t::text FROM "${tablename}" t`)).rows));
    return dumps.join('\n');
  }

  it('should store the password nowhere, neither while it is running nor after a failure', async () => {
    expect(server.pass).toContain(SECRET);
    const messages: string[] = [];
    const subscriber = redis.duplicate();
    subscriber.on('pmessage', (_pattern, _channel, message: string) => messages.push(message));
    await subscriber.psubscribe('*');
    await server.append('secret', mails('secret', 250));
    const running = await start({ folder: 'secret' });
    await waitFor('the job to be at work', async () => (await archived('secret')) > 0, 100_000);
    const [redisMidway, databaseMidway] = [await redisDump(), await databaseDump()];
    expect((await user.jobEnd(running, 100_000)).result).toMatchObject({ imported: 250 });
    const failed = await start({ folder: 'secret', pass: `${SECRET}-wrong` });
    expect(await user.jobEnd(failed, 100_000)).toMatchObject({ error_code: 'imap-login-failed' });
    const missing = await start({ folder: 'no such folder' });
    expect(await user.jobEnd(missing, 100_000)).toMatchObject({ error_code: 'imap-folder-not-found' });
    const refused = await user.api.post(`/api/import/${accountId}/imap`, { pass: SECRET, host: 7 });
    expect(refused.status).toBe(400);
    const records = await user.api.get('/api/jobs');
    const notifications = await user.api.get('/api/notifications');
    const log = readFileSync(logFile(), 'utf8');
    expect(log).toMatch(/import_imap/);
    expect(databaseMidway).toContain('import_imap');
    expect(messages.join('')).toContain('import_imap');
    const everything = {
      redisMidway,
      databaseMidway,
      redis: await redisDump(),
      database: await databaseDump(),
      messages: messages.join('\n'),
      log,
      refused: refused.bytes.toString(),
      records: records.bytes.toString(),
      notifications: notifications.bytes.toString(),
    };
    for (const [place, text] of Object.entries(everything))
      expect([place, text.includes(SECRET)]).toEqual([place, false]);
    const sealed = await sql.query('SELECT 1 FROM jobs WHERE sealed_secrets IS NOT NULL');
    expect(sealed.rows).toEqual([]);
    subscriber.disconnect();
  });
});
