import { ConsoleLogger, DynamicModule, Module, type Type } from '@nestjs/common';
import { APP_PIPE } from '@nestjs/core';
import { Test, type TestingModule } from '@nestjs/testing';
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import Piscina from 'piscina';
import { DataSource } from 'typeorm';
import { NotificationsModule } from '../../../src/notify/notifications/notifications.module';
import { MailboxAccountsModule } from '../../../src/mailbox/accounts/mailbox-accounts.module';
import { LabelsModule } from '../../../src/mailbox/labels/labels.module';
import { MessagesModule } from '../../../src/mailbox/messages/messages.module';
import { MailboxAccountsService } from '../../../src/mailbox/accounts/mailbox-accounts.service';
import type { SessionUser } from '../../../src/platform/access/authenticated-user';
import { ConfigModule } from '../../../src/platform/config/config.module';
import { loadConfig } from '../../../src/platform/config/load-config';
import { newId } from '../../../src/platform/crypto/ids';
import { CryptoModule } from '../../../src/platform/crypto/crypto.module';
import { DatabaseProbe } from '../../../src/platform/database/database.module';
import { Transactions } from '../../../src/platform/database/transactions';
import { EgressModule } from '../../../src/platform/egress/egress.module';
import { JobLeasesRepository } from '../../../src/platform/jobs/job-leases.repository';
import type { JobQueue } from '../../../src/platform/jobs/job-queue';
import { ExpectedJobs } from '../../../src/platform/jobs/job-registry';
import { JobRunner } from '../../../src/platform/jobs/job-runner';
import { JobTimings } from '../../../src/platform/jobs/job-timings';
import { JobUpdates } from '../../../src/platform/jobs/job-updates';
import { JobWorkers } from '../../../src/platform/jobs/job-workers';
import { JobsModule } from '../../../src/platform/jobs/jobs.module';
import { RunningJobs } from '../../../src/platform/jobs/running-jobs';
import { RateLimitModule } from '../../../src/platform/rate-limit/rate-limit.module';
import { BullQueues } from '../../../src/platform/redis/bull-queues';
import { RedisBroadcast } from '../../../src/platform/redis/redis-broadcast';
import { RedisLock } from '../../../src/platform/redis/redis-lock';
import { RedisModule } from '../../../src/platform/redis/redis.module';
import { RedisService } from '../../../src/platform/redis/redis.service';
import { ResultCache } from '../../../src/platform/redis/result-cache';
import { validationPipe } from '../../../src/platform/validation/validation.pipe';
import { WorkerPool, type WorkerTask } from '../../../src/platform/workers/worker-pool';
import { WorkersModule } from '../../../src/platform/workers/workers.module';
import { PortsModule } from '../../../src/ports.module';
import { MailboxProviders } from '../../../src/providers/port/mailbox-provider.port';
import type { SandboxMailbox } from '../../../sandbox/src/types';
import { noteJobs } from '../coverage';
import { testEnvironment } from '../environment';
import type { ServiceUser, TestedService } from '../tested-service';
import { LocalApi, LocalRoutes } from './local-api';
import { ScriptedMailboxes } from './scripted-mailboxes';
import { withoutRedis } from './without-redis';
import { takeWorkerDatabase } from './worker-database';

export interface FeatureOptions {
  /** The modules under test; what they import comes with them. */
  readonly modules: readonly Type[];
  /** Environment variables on top of those of all tests. */
  readonly env?: Readonly<Record<string, string>>;
}

/** A provider that no test calls. */
const NOWHERE = {
  url: 'http://provider.invalid',
  authUrl: 'http://provider.invalid/auth',
  tokenUrl: 'http://provider.invalid/token',
  revokeUrl: 'http://provider.invalid/revoke',
  clientId: 'client',
  clientSecret: 'secret',
};

const requireTask = createRequire(__filename);

/** The answer of a task, also of one that moves it to the other thread (`Piscina.move`). */
function handedOver<O>(answer: O): O {
  const isMoved = typeof answer === 'object' && answer !== null && Piscina.valueSymbol in answer;
  return isMoved ? (answer as Record<symbol, O>)[Piscina.valueSymbol]! : answer;
}

/** Runs the tasks of worker threads in this thread, on copies of their input as there. */
class TasksInThisThread implements Pick<WorkerPool, 'run' | 'onApplicationShutdown'> {
  async run<I, O>(task: WorkerTask, input: I): Promise<O> {
    const module = requireTask(task.module) as Record<string, (input: I) => O | Promise<O>>;
    return structuredClone(handedOver(await module[task.name]!(structuredClone(input))));
  }

  async onApplicationShutdown(): Promise<void> {}
}

/** The database of this Jest worker, for every module. */
@Module({})
class WorkerDatabaseModule {
  static with(dataSource: DataSource): DynamicModule {
    return {
      module: WorkerDatabaseModule,
      global: true,
      providers: [{ provide: DataSource, useValue: dataSource }, Transactions, DatabaseProbe],
      exports: [DataSource, Transactions, DatabaseProbe],
    };
  }
}

/** A user of a feature. */
export class FeatureUser implements ServiceUser {
  readonly api: LocalApi;

  constructor(
    private readonly feature: Feature,
    readonly id: string,
    readonly email: string,
  ) {
    this.api = feature.apiOf({ id, email, role: 'user', sessionId: newId() });
  }

  /** Connects a mailbox in memory; `name-<count>@…` has that many messages. @returns the account's id */
  connect(email: string): Promise<string> {
    const expiresAt = new Date(Date.now() + 3_600_000);
    const credentials = { accessToken: 'access', refreshToken: 'refresh', expiresAt };
    const mailbox = { email, credentials, scopes: ['https://mail.google.com/'] };
    return this.feature.get(MailboxAccountsService).connect(this.id, 'gmail', mailbox);
  }

  /** Runs the jobs that are due, and returns one of them when it has ended; others may go on. */
  async jobEnd(jobId: string): Promise<any> {
    await this.feature.runDueJobs();
    const job = await this.job(jobId);
    if (job.completed_at !== null) return job;
    await this.feature.runJobs();
    return this.job(jobId);
  }

  async job(jobId: string): Promise<any> {
    const { status, body } = await this.api.get(`/api/jobs/${jobId}`);
    if (status !== 200) throw new Error(`job ${jobId} answered ${status}`);
    return body;
  }
}

/**
 * A feature without the rest of the service: its module and those that it imports, on a real database, over mailboxes in
 * memory. There is no HTTP, no Redis, no queue, and no schedule: call services, crons, and controllers by `user.api`.
 */
export class Feature implements TestedService {
  private users = 0;
  private routes: LocalRoutes | undefined;
  private readonly runs = new Set<Promise<void>>();

  constructor(
    private readonly module: TestingModule,
    readonly provider: ScriptedMailboxes,
    readonly dataSource: DataSource,
    readonly archiveDir: string,
    private readonly dataDir: string,
  ) {}

  get<T>(token: abstract new (...parameters: never[]) => T): T {
    return this.module.get(token as never, { strict: false });
  }

  /** Rows of a statement. */
  query<T = any>(sql: string, parameters: readonly unknown[] = []): Promise<T[]> {
    return this.dataSource.query(sql, [...parameters]);
  }

  mailbox(email: string): SandboxMailbox {
    return this.provider.mailbox(email);
  }

  providerCalls(email: string): Readonly<Record<string, number>> {
    return this.provider.callsOf(email);
  }

  async user(name = 'user'): Promise<FeatureUser> {
    const id = newId();
    const email = `${name}-${(this.users += 1)}@users.test`;
    await this.query(
      `INSERT INTO users (id, email, password_hash, role, is_active, max_mailbox_accounts)
       VALUES ($1, $2, 'x', 'user', true, 100)`,
      [id, email],
    );
    return new FeatureUser(this, id, email);
  }

  apiOf(user: SessionUser): LocalApi {
    return new LocalApi((this.routes ??= new LocalRoutes(this.module)), user);
  }

  /** Runs the jobs that are due, one after another, and those that they start; waits for those that run already. */
  async runJobs(): Promise<void> {
    await this.runDueJobs();
    while (this.runs.size > 0) await Promise.all(this.runs);
  }

  /** Does the same without the wait. */
  runDueJobs(): Promise<void> {
    const run = this.claimAndRun().finally(() => this.runs.delete(run));
    this.runs.add(run);
    return run;
  }

  private async claimAndRun(): Promise<void> {
    const [leases, runner, { leaseMs }] = [
      this.get(JobLeasesRepository),
      this.get(JobRunner),
      this.get(JobTimings),
    ];
    let misses = 0;
    for (
      let [queue] = await leases.findRunnableQueues();
      queue;
      [queue] = await leases.findRunnableQueues()
    ) {
      const job = await leases.claimNext(queue as JobQueue, [], leaseMs);
      if (job) await runner.run(job, new AbortController().signal);
      misses = job ? 0 : misses + 1;
      // Another transaction has its row, as one that deletes its user does: claims skip locked rows.
      if (misses > 100) throw new Error(`A job of ${queue} is due and cannot be claimed`);
      if (misses > 0) await setTimeout(50);
    }
  }

  async close(): Promise<void> {
    await noteJobs((sql) => this.query(sql));
    await this.module.close();
    rmSync(this.dataDir, { recursive: true, force: true });
  }
}

/** Builds a feature for a spec, on empty tables. */
export async function startFeature({ modules, env }: FeatureOptions): Promise<Feature> {
  const { url, dataSource } = await takeWorkerDatabase();
  const dataDir = mkdtempSync(join(tmpdir(), 'mailroom-feature-'));
  // A process of this role starts no work by itself.
  const config = loadConfig({ ...testEnvironment(url, NOWHERE, dataDir), ROLE: 'api', ...env });
  const provider = new ScriptedMailboxes();
  const { redis, broadcast, lock, results, queues } = withoutRedis();
  const module = await Test.createTestingModule({
    imports: [
      ConfigModule.with(config),
      WorkerDatabaseModule.with(dataSource),
      RedisModule,
      CryptoModule,
      EgressModule,
      RateLimitModule,
      WorkersModule,
      JobsModule,
      NotificationsModule,
      PortsModule,
      // Users of every feature connect mailboxes, label and read messages.
      MailboxAccountsModule,
      LabelsModule,
      MessagesModule,
      ...modules,
    ],
    providers: [{ provide: APP_PIPE, useValue: validationPipe }],
  })
    .overrideProvider(RedisService)
    .useValue(redis)
    .overrideProvider(RedisBroadcast)
    .useValue(broadcast)
    .overrideProvider(RedisLock)
    .useValue(lock)
    .overrideProvider(ResultCache)
    .useValue(results)
    .overrideProvider(BullQueues)
    .useValue(queues)
    .overrideProvider(JobWorkers)
    .useValue({ work: () => Promise.resolve() })
    // Kinds of modules that are not here have no handler.
    .overrideProvider(ExpectedJobs)
    .useValue({ list: () => [] })
    .overrideProvider(WorkerPool)
    .useValue(new TasksInThisThread())
    .overrideProvider(MailboxProviders)
    .useValue(provider)
    .setLogger(new ConsoleLogger({ logLevels: ['fatal'] }))
    .compile();
  await module.init();
  const running = module.get(RunningJobs, { strict: false });
  await module.get(JobUpdates, { strict: false }).listenToCancellations((id) => running.cancel(id));
  return new Feature(module, provider, dataSource, config.storage.archiveDir, dataDir);
}
