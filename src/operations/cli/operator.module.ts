import { DynamicModule, Module } from '@nestjs/common';
import { ArchiveStorageModule } from '../../archive/files/archive-storage.module';
import { PlacedImportsModule } from '../../archive/imports/in-place/placed-imports.module';
import { AuditModule } from '../../platform/audit/audit.module';
import { LoginAttempts } from '../../identity/auth/sign-in.service';
import { CryptoModule } from '../../platform/crypto/crypto.module';
import { DatabaseModule } from '../../platform/database/database.module';
import { EgressModule } from '../../platform/egress/egress.module';
import { RedisModule } from '../../platform/redis/redis.module';
import type { AppConfig } from '../../platform/config/app-config';
import { ConfigModule } from '../../platform/config/config.module';
import { CoverageReportModule } from '../../keep/continuous/coverage/coverage-report.module';
import { ENTITIES, MIGRATIONS } from '../../schema';
import { TwoFactorModule } from '../../identity/two-factor/two-factor.module';
import { UserDeletionRequestModule } from '../user-deletion/user-deletion-request.module';
import { UsersModule } from '../../identity/users/users.module';

/** The parts of the service that commands use: no HTTP, no workers, no schedules. */
@Module({})
export class OperatorModule {
  /** Users, passwords and one-time codes. @param options.migrate false while a restore holds the schema */
  static forUsers(config: AppConfig, { migrate } = { migrate: true }): DynamicModule {
    return {
      module: OperatorModule,
      imports: [
        ...platform(config, { migrate }),
        RedisModule,
        AuditModule.forOperator(),
        UsersModule,
        UserDeletionRequestModule,
        TwoFactorModule,
      ],
      providers: [LoginAttempts],
    };
  }

  /** The stores of the archive, for backup and restore; the database is not migrated. */
  static forArchive(config: AppConfig): DynamicModule {
    return {
      module: OperatorModule,
      imports: [...platform(config, { migrate: false }), RedisModule, EgressModule, ArchiveStorageModule],
    };
  }

  /** The audit log; the database is not migrated. */
  static forAudit(config: AppConfig): DynamicModule {
    return {
      module: OperatorModule,
      imports: [...platform(config, { migrate: false }), AuditModule.forOperator()],
    };
  }

  /** Imports of files where they lie; the service, which has migrated the database, carries them out. */
  static forImports(config: AppConfig): DynamicModule {
    return {
      module: OperatorModule,
      imports: [
        ...platform(config, { migrate: false }),
        RedisModule,
        AuditModule.forOperator(),
        PlacedImportsModule,
      ],
    };
  }

  /** The coverage ledger; the database is not migrated. */
  static forCoverage(config: AppConfig): DynamicModule {
    return {
      module: OperatorModule,
      imports: [...platform(config, { migrate: false }), CoverageReportModule],
    };
  }
}

const platform = (
  config: AppConfig,
  { migrate }: { migrate: boolean },
): NonNullable<DynamicModule['imports']> => [
  ConfigModule.with(config),
  DatabaseModule.forRoot({ entities: ENTITIES, migrations: MIGRATIONS, migrate }),
  CryptoModule,
];
