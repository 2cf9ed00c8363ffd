import {
  Body,
  Controller,
  DynamicModule,
  HttpCode,
  INestApplication,
  Injectable,
  Module,
  Post,
} from '@nestjs/common';
import { APP_FILTER, APP_PIPE, NestFactory } from '@nestjs/core';
import { json, Request } from 'express';
import type { AddressInfo } from 'node:net';
import passport, { Strategy, StrategyCreated } from 'passport';
import { AuditTrail } from '../../../src/platform/access/audit-trail.port';
import { AuditModule } from '../../../src/platform/audit/audit.module';
import { ChainedAuditTrail } from '../../../src/platform/audit/chained-audit-trail';
import { JobFinishedEvents } from '../../../src/platform/events/job-finished-events';
import { JobFinishedListener } from '../../../src/platform/jobs/job-finished-listener.port';
import { AccessModule } from '../../../src/platform/access/access.module';
import { KnownCallers } from '../../../src/platform/access/known-callers.port';
import { AccountOwnership } from '../../../src/platform/access/account-ownership.port';
import type { AuthenticatedUser } from '../../../src/platform/access/authenticated-user';
import { StrategyNames } from '../../../src/platform/access/guards/strategy-names';
import { Authenticated, CurrentUser } from '../../../src/platform/access/policies';
import { AccessRevocation } from '../../../src/platform/access/access-revocation.port';
import { ApiKeysModule } from '../../../src/identity/api-keys/api-keys.module';
import { StreamRevocation } from '../../../src/identity/auth/stream-revocation';
import { SessionsModule } from '../../../src/identity/sessions/sessions.module';
import { bearerTokenOf } from '../../../src/platform/http/request-credentials';
import { CryptoModule } from '../../../src/platform/crypto/crypto.module';
import { DatabaseModule } from '../../../src/platform/database/database.module';
import { ProblemFilter } from '../../../src/platform/access/problem.filter';
import { requestContext } from '../../../src/platform/http/request-context';
import { RouteTable } from '../../../src/platform/http/route-table';
import { validationPipe } from '../../../src/platform/validation/validation.pipe';
import { JobTimings } from '../../../src/platform/jobs/job-timings';
import { ExpectedJobs } from '../../../src/platform/jobs/job-registry';
import { JobsService, StartedJob } from '../../../src/platform/jobs/jobs.service';
import { JsonLogger } from '../../../src/platform/logging/json-logger';
import { EgressModule } from '../../../src/platform/egress/egress.module';
import { WorkersModule } from '../../../src/platform/workers/workers.module';
import { RateLimitModule } from '../../../src/platform/rate-limit/rate-limit.module';
import { RedisModule } from '../../../src/platform/redis/redis.module';
import { AppConfig } from '../../../src/platform/config/app-config';
import { ConfigModule } from '../../../src/platform/config/config.module';
import { loadConfig } from '../../../src/platform/config/load-config';
import { JobsModule } from '../../../src/platform/jobs/jobs.module';
import { DatabaseAccountOwnership } from '../../../src/mailbox/accounts/database-account-ownership';
import { MailboxAccountsRepository } from '../../../src/mailbox/accounts/mailbox-accounts.repository';
import { EventsModule } from '../../../src/platform/events/events.module';
import { NotificationsModule } from '../../../src/notify/notifications/notifications.module';
import { WebhooksModule } from '../../../src/notify/webhooks/webhooks.module';
import { ENTITIES, MIGRATIONS } from '../../../src/schema';
import { Batches, BatchesPayload, TEST_HANDLERS, WorkerName } from './test-kinds';

/** Tokens are user ids here: real sessions are tested elsewhere. */
@Injectable()
class TokensAreUserIds extends Strategy {
  constructor(names: StrategyNames) {
    super();
    passport.use(names.jwt, this);
  }

  override authenticate(this: StrategyCreated<this>, request: Request): void {
    const id = bearerTokenOf(request);
    if (id === undefined) this.fail();
    else this.success({ id, email: 'user@example.test', role: 'user', sessionId: id });
  }
}

@Controller('test-jobs')
@Authenticated()
class StartTestJobsController {
  constructor(private readonly jobs: JobsService) {}

  @Post()
  @HttpCode(202)
  start(@CurrentUser() user: AuthenticatedUser, @Body() payload: BatchesPayload): Promise<StartedJob> {
    return this.jobs.start(Batches, { userId: user.id, accountId: null }, payload);
  }
}

@Module({})
class JobsTestModule {
  static with(config: AppConfig, worker: string, timings: JobTimings): DynamicModule {
    return {
      module: JobsTestModule,
      global: true,
      imports: [
        ConfigModule.with(config),
        DatabaseModule.forRoot({ entities: ENTITIES, migrations: MIGRATIONS }),
        RedisModule,
        CryptoModule,
        EgressModule,
        RateLimitModule,
        WorkersModule,
        AccessModule,
        {
          module: JobsModule,
          providers: [
            { provide: JobTimings, useValue: timings },
            // Other specs of the process may have loaded every feature.
            { provide: ExpectedJobs, useValue: { list: () => [] } satisfies Pick<ExpectedJobs, 'list'> },
          ],
        },
        SessionsModule,
        ApiKeysModule,
        AuditModule,
        EventsModule,
        NotificationsModule,
        WebhooksModule,
      ],
      controllers: [StartTestJobsController],
      providers: [
        ...TEST_HANDLERS,
        RouteTable,
        MailboxAccountsRepository,
        { provide: AccountOwnership, useClass: DatabaseAccountOwnership },
        { provide: WorkerName, useValue: new WorkerName(worker) },
        { provide: AccessRevocation, useClass: StreamRevocation },
        { provide: AuditTrail, useExisting: ChainedAuditTrail },
        { provide: JobFinishedListener, useExisting: JobFinishedEvents },
        { provide: KnownCallers, useValue: { find: () => undefined } satisfies KnownCallers },
        TokensAreUserIds,
        { provide: APP_FILTER, useClass: ProblemFilter },
        { provide: APP_PIPE, useValue: validationPipe },
      ],
      exports: [AccessRevocation, AccountOwnership, AuditTrail, JobFinishedListener, KnownCallers],
    };
  }
}

/** Leases short enough for tests, in the proportions of the real ones. */
export const SHORT_TIMINGS = {
  leaseMs: 1_500,
  heartbeatMs: 400,
  reconcileMs: 400,
  endAgainMs: 50,
  shortestWaitMs: 100,
  shutdownMs: 3_000,
};

export interface JobsAppOptions {
  readonly databaseUrl: string;
  readonly redisUrl: string;
  readonly redisPrefix: string;
  readonly role?: 'all' | 'api' | 'worker';
  readonly worker?: string;
  readonly timings?: Partial<JobTimings>;
  readonly env?: Readonly<Record<string, string>>;
}

/** The job machinery, its routes and what tells of ends, with test kinds: the service without the other features. */
export async function startJobsApp(options: JobsAppOptions): Promise<{ app: INestApplication; url: string }> {
  const config = loadConfig({
    NODE_ENV: 'test',
    ROLE: options.role ?? 'all',
    DATABASE_URL: options.databaseUrl,
    REDIS_URL: options.redisUrl,
    REDIS_PREFIX: options.redisPrefix,
    JWT_SECRET: 'a secret of the test, of no use elsewhere',
    ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
    RATE_LIMIT_PER_MINUTE: '1000000',
    SANDBOX: 'false',
    ...options.env,
  });
  const logger = new JsonLogger(process.env.TEST_LOG_LEVEL ?? 'fatal');
  const timings = { ...new JobTimings(), ...SHORT_TIMINGS, ...options.timings };
  const app = await NestFactory.create(JobsTestModule.with(config, options.worker ?? 'main', timings), {
    logger,
    bodyParser: false,
    abortOnError: false,
  });
  app.setGlobalPrefix('api');
  app.use(requestContext, json());
  await app.listen(0, '127.0.0.1');
  const { port } = app.getHttpServer().address() as AddressInfo;
  return { app, url: `http://127.0.0.1:${port}` };
}
