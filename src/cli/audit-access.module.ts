import { DynamicModule, Module } from '@nestjs/common';
import { AuditModule } from '../audit/audit.module';
import { CryptoModule } from '../common/crypto/crypto.module';
import { DatabaseModule } from '../common/database/database.module';
import type { AppConfig } from '../config/app-config';
import { ConfigModule } from '../config/config.module';
import { ENTITIES, MIGRATIONS } from '../schema';

/** What the commands about the audit log need: the database as it is. */
@Module({})
export class AuditAccessModule {
  static with(config: AppConfig): DynamicModule {
    return {
      module: AuditAccessModule,
      imports: [
        ConfigModule.with(config),
        DatabaseModule.forRoot({ entities: ENTITIES, migrations: MIGRATIONS, migrate: false }),
        CryptoModule,
        AuditModule.forOperator(),
      ],
    };
  }
}
