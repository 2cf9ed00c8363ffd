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
import { AuditModule } from '../../../src/audit/audit.module';
import { AccessModule } from '../../../src/access/access.module';
import { KnownCallers } from '../../../src/access/known-callers.port';
import { AccountOwnership } from '../../../src/access/account-ownership.port';
import type { AuthenticatedUser } from '../../../src/access/authenticated-user';
import { StrategyNames } from '../../../src/access/guards/strategy-names';
import { Authenticated, CurrentUser } from '../../../src/access/policies';
import { AccessRevocation } from '../../../src/access/access-revocation.port';
import { ApiKeysModule } from '../../../src/api-keys/api-keys.module';
import { StreamRevocation } from '../../../src/auth/stream-revocation';
import { SessionsModule } from '../../../src/sessions/sessions.module';
import { bearerTokenOf } from '../../../src/common/http/request-credentials';
import { CryptoModule } from '../../../src/common/crypto/crypto.module';
import { DatabaseModule } from '../../../src/common/database/database.module';
import { ProblemFilter } from '../../../src/common/http/problem.filter';
import { requestContext } from '../../../src/common/http/request-context';
import { RouteTable } from '../../../src/common/http/route-table';
import { validationPipe } from '../../../src/common/validation/validation.pipe';
import { JobTimings } from '../../../src/jobs/job-timings';
import { ExpectedJobs } from '../../../src/jobs/job-registry';
import { JobsService, StartedJob } from '../../../src/jobs/jobs.service';
import { JsonLogger } from '../../../src/common/logging/json-logger';
import { EgressModule } from '../../../src/common/egress/egress.module';
import { WorkersModule } from '../../../src/common/workers/workers.module';
import { RateLimitModule } from '../../../src/common/rate-limit/rate-limit.module';
import { RedisModule } from '../../../src/common/redis/redis.module';
import { AppConfig } from '../../../src/config/app-config';
import { ConfigModule } from '../../../src/config/config.module';
import { loadConfig } from '../../../src/config/load-config';
import { JobsModule } from '../../../src/jobs/jobs.module';
import { DatabaseAccountOwnership } from '../../../src/mailbox/database-account-ownership';
import { MailboxAccountsRepository } from '../../../src/mailbox/mailbox-accounts.repository';
import { EventsModule } from '../../../src/events/events.module';
import { NotificationsModule } from '../../../src/notifications/notifications.module';
import { WebhooksModule } from '../../../src/webhooks/webhooks.module';
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
            { provide: ExpectedJobs, useValue: { all: () => [] } },
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
        { provide: KnownCallers, useValue: { find: () => undefined } satisfies KnownCallers },
        TokensAreUserIds,
        { provide: APP_FILTER, useClass: ProblemFilter },
        { provide: APP_PIPE, useValue: validationPipe },
      ],
      exports: [AccessRevocation, AccountOwnership, KnownCallers],
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
