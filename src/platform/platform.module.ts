import { DynamicModule, Module } from '@nestjs/common';
import { ScheduleModule } from '@nestjs/schedule';
import { AccessModule } from './access/access.module';
import { AuditModule } from './audit/audit.module';
import { ConfigModule } from './config/config.module';
import { CryptoModule } from './crypto/crypto.module';
import { DatabaseModule } from './database/database.module';
import { EgressModule } from './egress/egress.module';
import { EventsModule } from './events/events.module';
import { JobsModule } from './jobs/jobs.module';
import { RateLimitModule } from './rate-limit/rate-limit.module';
import { RedisModule } from './redis/redis.module';
import { WorkersModule } from './workers/workers.module';
import type { AppConfig } from './config/app-config';
import type { DatabaseSchema } from './database/database.module';

/** The features of `platform`: the base of every feature: configuration, database, HTTP, MIME, access, jobs and events. */
@Module({})
export class PlatformModule {
  static with(config: AppConfig, schema: DatabaseSchema): DynamicModule {
    return {
      module: PlatformModule,
      imports: [
        ConfigModule.with(config),
        DatabaseModule.forRoot(schema),
        RedisModule,
        CryptoModule,
        EgressModule,
        RateLimitModule,
        AccessModule,
        WorkersModule,
        // A process that only answers requests runs no cron job; see ADR 102.
        ScheduleModule.forRoot({ cronJobs: config.runsJobs }),
        JobsModule,
        EventsModule,
        AuditModule,
      ],
    };
  }
}
