import { DynamicModule, Module } from '@nestjs/common';
import { AuditModule } from '../audit/audit.module';
import { LoginAttempts } from '../auth/sign-in.service';
import { TwoFactorModule } from '../two-factor/two-factor.module';
import { CryptoModule } from '../common/crypto/crypto.module';
import { DatabaseModule } from '../common/database/database.module';
import { RedisModule } from '../common/redis/redis.module';
import type { AppConfig } from '../config/app-config';
import { ConfigModule } from '../config/config.module';
import { ENTITIES, MIGRATIONS } from '../schema';
import { UserDeletionRequestModule } from '../user-deletion/user-deletion-request.module';
import { UsersModule } from '../users/users.module';

/** What operators' commands need of the service: users, passwords and codes, no HTTP, no workers, no schedules. */
@Module({})
export class OperatorModule {
  static with(config: AppConfig): DynamicModule {
    return {
      module: OperatorModule,
      imports: [
        ConfigModule.with(config),
        DatabaseModule.forRoot({ entities: ENTITIES, migrations: MIGRATIONS }),
        RedisModule,
        CryptoModule,
        AuditModule.forOperator(),
        UsersModule,
        UserDeletionRequestModule,
        TwoFactorModule,
      ],
      providers: [LoginAttempts],
    };
  }
}
