import type { NestExpressApplication } from '@nestjs/platform-express';
import { SchedulerRegistry } from '@nestjs/schedule';
import { mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DataSource } from 'typeorm';
import { createApp } from '../../src/app.factory';
import { JsonLogger } from '../../src/platform/logging/json-logger';
import { loadConfig } from '../../src/platform/config/load-config';
import { ImapSyncTimings } from '../../src/providers/imap/sync/imap-sync-timings';
import { RenderTimings } from '../../src/privacy/safe-html/mail-renderer';
import {
  SandboxMailbox,
  SandboxOptions,
  SandboxServer,
  startSandbox,
} from '../../sandbox/src/sandbox-server';
import { ApiClient } from './api-client';
import { notePooledApp, returnPooledApp, takePooledApp, type PooledApp } from './app-pool';
import { noteFault, noteJobs, noteRequests } from './coverage';
import { createTestDatabase } from './database';
import { hashQuickly } from './quick-hashes';
import { testEnvironment } from './environment';
import { readPace } from './run/pace';
import { TestUser } from './test-user';
import type { TestedService } from './tested-service';

export interface TestAppOptions {
  /** Environment variables on top of the defaults below. */
  readonly env?: Record<string, string>;
  readonly sandbox?: SandboxOptions;
  /** An application that no other spec has used or will use: for what changes it otherwise than by `tune`. */
  readonly own?: boolean;
}

export interface Served {
  readonly app: NestExpressApplication;
  readonly url: string;
}

const PASSWORD = 'correct horse battery staple';
/** Servers of tests do not mind connections that follow each other sooner than real ones should see them. */
const CONNECTION_PACE_MS = 100;

/** The service in this process, over its own database and the run's Redis, with a sandbox provider of its own. */
export class TestApp implements TestedService {
  private users = 0;
  /** Puts back what `tune` has changed. */
  private readonly untune: (() => unknown)[] = [];
  readonly anonymous: ApiClient;

  constructor(
    readonly app: NestExpressApplication,
    readonly url: string,
    readonly env: Readonly<Record<string, string>>,
    readonly sandbox: SandboxServer,
    private readonly end: () => Promise<void>,
  ) {
    this.anonymous = new ApiClient(url, null);
  }

  get dataSource(): DataSource {
    return this.app.get(DataSource);
  }

  get<T>(token: abstract new (...parameters: never[]) => T): T {
    return this.app.get(token as never);
  }

  /** Changes fields of a provider, like those of `ImapSyncTimings`, until the application is closed. */
  tune<T extends object>(type: abstract new (...parameters: never[]) => T, fields: Partial<T>): void {
    const provider = this.get(type);
    const before = Object.keys(fields).map((name) => [name, provider[name as keyof T]] as const);
    this.untune.push(() => Object.assign(provider, Object.fromEntries(before)));
    Object.assign(provider, fields);
  }

  mailbox(email: string): SandboxMailbox {
    return this.sandbox.mailbox(email);
  }

  providerCalls(email: string): Readonly<Record<string, number>> {
    return this.sandbox.stats.byMailbox[email] ?? {};
  }

  get archiveDir(): string {
    return this.env['ARCHIVE_DIR']!;
  }

  /** Registers a new user; the first of an app becomes its administrator. */
  async user(name = 'user'): Promise<TestUser> {
    const email = `${name}-${(this.users += 1)}@users.test`;
    const { status, body, bytes } = await this.anonymous.post('/api/auth/register', {
      email,
      password: PASSWORD,
    });
    if (status !== 201) throw new Error(`register answered ${status}: ${bytes.toString()}`);
    return new TestUser(
      body.user.id as string,
      email,
      PASSWORD,
      new ApiClient(this.url, body.access_token as string),
    );
  }

  /** Another process of the same installation, for the caller to close. */
  another(env: Record<string, string> = {}): Promise<Served> {
    return serve({ ...this.env, ...env });
  }

  close(): Promise<void> {
    for (const putBack of this.untune.splice(0).toReversed()) putBack();
    return this.end();
  }
}

/** Starts the service as one more process of its database would be, in this one. */
export async function serve(env: Readonly<Record<string, string>>): Promise<Served> {
  const config = loadConfig(env);
  const app = await createApp(config, new JsonLogger(config.logging.level));
  hashQuickly(app);
  noteRequests(app);
  const rendering = app.get(RenderTimings);
  Object.assign(rendering, { timeoutMs: rendering.timeoutMs * readPace() });
  Object.assign(app.get(ImapSyncTimings), { connectionPaceMs: CONNECTION_PACE_MS });
  // Node looks for requests that take too long every half a minute.
  Object.assign(app.getHttpServer(), { connectionsCheckingInterval: 500 });
  await app.listen(0, '127.0.0.1');
  // The counts of a spec must not depend on the minute it runs in: a spec calls the crons that it needs.
  const schedules = app.get(SchedulerRegistry);
  for (const cron of schedules.getCronJobs().values()) void cron.stop();
  for (const name of schedules.getIntervals()) clearInterval(schedules.getInterval(name) as NodeJS.Timeout);
  const { port } = app.getHttpServer().address() as AddressInfo;
  return { app, url: `http://127.0.0.1:${port}` };
}

/**
 * Starts the service for a spec. With the same options it may be one that an earlier spec of the worker has closed: its
 * tables, files, keys and mailboxes are gone, its addresses and secrets are the same.
 */
export async function startTestApp(options: TestAppOptions = {}): Promise<TestApp> {
  const { sandbox: sandboxOptions, env: settings = {} } = options;
  // Each one that waits for its next spec costs memory: those with rare settings are not kept.
  const isOwn = options.own ?? Object.keys(settings).some((name) => name !== 'ROLE');
  const key = JSON.stringify(settings);
  const used = isOwn ? undefined : takePooledApp(key);
  if (used) {
    const port = Number(new URL(used.sandbox.url).port);
    used.sandbox = await startSandbox({ messages: 200, ...sandboxOptions, port });
  }
  const started = used ?? (await start(options));
  if (!used && !isOwn) await notePooledApp(started);
  const { app, url, env, sandbox } = started;
  return new TestApp(app, url, env, noting(sandbox), async () => {
    await noteJobs((sql) => app.get(DataSource).query(sql));
    await (isOwn ? started.close() : returnPooledApp(key, started));
  });
}

const noting = (sandbox: SandboxServer): SandboxServer => ({
  ...sandbox,
  fault(fault) {
    noteFault(fault);
    sandbox.fault(fault);
  },
});

async function start(options: TestAppOptions): Promise<PooledApp> {
  const database = await createTestDatabase();
  const sandbox = await startSandbox({ messages: 200, ...options.sandbox });
  const dataDir = mkdtempSync(join(tmpdir(), 'mailroom-app-'));
  const env = {
    ...testEnvironment(database.url, sandbox, dataDir),
    WORKER_THREADS: '2',
    ...options.env,
  };
  const { app, url } = await serve(env);
  const started: PooledApp = {
    app,
    url,
    env,
    sandbox,
    async close() {
      await app.close();
      await started.sandbox.close();
      await database.drop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
  return started;
}
