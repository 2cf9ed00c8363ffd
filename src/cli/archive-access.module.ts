import { DynamicModule, Module } from '@nestjs/common';
import { ArchiveStorageModule } from '../archive-storage/archive-storage.module';
import { CryptoModule } from '../common/crypto/crypto.module';
import { DatabaseModule } from '../common/database/database.module';
import { EgressModule } from '../common/egress/egress.module';
import { RedisModule } from '../common/redis/redis.module';
import type { AppConfig } from '../config/app-config';
import { ConfigModule } from '../config/config.module';
import { ENTITIES, MIGRATIONS } from '../schema';

/** What backup and restore need of the service: the stores of the archive, on the database as it is. */
@Module({})
export class ArchiveAccessModule {
  static with(config: AppConfig): DynamicModule {
    return {
      module: ArchiveAccessModule,
      imports: [
        ConfigModule.with(config),
        DatabaseModule.forRoot({ entities: ENTITIES, migrations: MIGRATIONS, migrate: false }),
        RedisModule,
        CryptoModule,
        EgressModule,
        ArchiveStorageModule,
      ],
    };
  }
}
