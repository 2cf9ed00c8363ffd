import { randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EmbeddedServices, startEmbeddedServices } from '../src/platform/embedded/embedded-services';
import type { SandboxOptions } from '../sandbox/src/sandbox-server';
import { ApiClient } from '../test/support/api-client';
import { providerEnvironment } from '../test/support/environment';
import { TestUser } from '../test/support/test-user';
import { SandboxProcess } from './sandbox-process';
import { ServiceProcess } from './service-process';

/** PostgreSQL and Redis for a whole run of benchmarks, in a temporary directory, with crash safety on. */
export class BenchEnvironment {
  private constructor(
    readonly directory: string,
    readonly services: EmbeddedServices,
  ) {}

  static async start(): Promise<BenchEnvironment> {
    const directory = mkdtempSync(join(tmpdir(), 'mailroom-bench-'));
    chmodSync(directory, 0o711);
    return new BenchEnvironment(
      directory,
      await startEmbeddedServices({ dataDir: directory, postgres: true, redis: true }),
    );
  }

  /** Environment of a service over these servers; `sandbox` null leaves the provider unconfigured. */
  environment(sandbox: SandboxProcess | null, extra: Record<string, string> = {}): Record<string, string> {
    return {
      DATABASE_URL: this.services.databaseUrl,
      REDIS_URL: this.services.redisUrl,
      DATA_DIR: this.directory,
      ARCHIVE_DIR: join(this.directory, 'archive'),
      JWT_SECRET: 'bench'.repeat(10),
      ENCRYPTION_KEY: '0'.repeat(64),
      SANDBOX: 'false',
      RATE_LIMIT_PER_MINUTE: '100000000',
      RATE_LIMIT_AUTH_PER_MINUTE: '100000000',
      // Quota off, unless a benchmark is about it.
      PROVIDER_UNITS_PER_SECOND: '10000000',
      PROVIDER_UNITS_PER_MINUTE: '600000000',
      LOG_LEVEL: 'warn',
      ...(sandbox ? providerEnvironment(sandbox.addresses) : {}),
      ...extra,
    };
  }

  async stop(): Promise<void> {
    await this.services.stop();
    rmSync(this.directory, { recursive: true, force: true });
  }
}

/** A running service with a sandbox of its own and a user with one connected mailbox. */
export interface Stage {
  readonly service: ServiceProcess;
  readonly sandbox: SandboxProcess;
  readonly user: TestUser;
  readonly accountId: string;
  stop(): Promise<void>;
}

export const PROVIDER_LATENCY_MS = 20;

export async function setStage(
  environment: BenchEnvironment,
  sandboxOptions: SandboxOptions,
  extra: Record<string, string> = {},
): Promise<Stage> {
  const sandbox = await SandboxProcess.start({
    latencyMs: PROVIDER_LATENCY_MS,
    rawCacheBytes: 512 * 1024 * 1024,
    ...sandboxOptions,
  });
  const service = await ServiceProcess.start(environment.environment(sandbox, extra));
  const user = await registerUser(service.url);
  const mailbox = `bench-${sandboxOptions.messages ?? 2000}@sandbox.mailroom.test`;
  const accountId = await user.connect(mailbox);
  // Benchmarks that ask for a size read the messages' bytes: the simulator must not be what limits them.
  if (sandboxOptions.averageBytes) await sandbox.warm(mailbox);
  return {
    service,
    sandbox,
    user,
    accountId,
    stop: async () => {
      await service.stop();
      sandbox.stop();
    },
  };
}

export async function registerUser(url: string): Promise<TestUser> {
  const email = `bench-${randomBytes(6).toString('hex')}@users.test`;
  const password = randomBytes(12).toString('hex');
  const { status, body, bytes } = await new ApiClient(url, null).post('/api/auth/register', {
    email,
    password,
  });
  if (status !== 201) throw new Error(`register answered ${status}: ${bytes.toString()}`);
  return new TestUser(
    body.user.id as string,
    email,
    password,
    new ApiClient(url, body.access_token as string),
  );
}

/** The newest `count` message ids of a mailbox. */
export async function messageIds(stage: Stage, count: number): Promise<string[]> {
  const ids: string[] = [];
  let pageToken = '';
  while (ids.length < count) {
    const { body } = await stage.user.api.get(
      `/api/mailbox/${stage.accountId}/messages?maxResults=500${pageToken ? `&pageToken=${pageToken}` : ''}`,
    );
    ids.push(...(body.messages as { id: string }[]).map(({ id }) => id));
    pageToken = body.nextPageToken ?? '';
    if (!pageToken) break;
  }
  return ids.slice(0, count);
}

/** Starts a job with `post` and waits for its end. @returns its record and the seconds it took from the click */
export async function timedJob(
  stage: Stage,
  path: string,
  body: unknown,
  timeoutMs = 600_000,
): Promise<{ job: any; seconds: number }> {
  const startedAt = performance.now();
  const answer = await stage.user.api.post(path, body);
  if (answer.status !== 202) throw new Error(`${path} answered ${answer.status}: ${answer.bytes.toString()}`);
  const job = await stage.user.jobEnd(answer.body.jobId as string, timeoutMs);
  if (job.status !== 'completed') throw new Error(`${job.queue_id} ended as ${job.status}: ${job.error}`);
  return { job, seconds: (performance.now() - startedAt) / 1000 };
}
