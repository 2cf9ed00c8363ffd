import { DynamicModule, Global, Injectable, Module, Type } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import type { MigrationInterface } from 'typeorm';
import { AppConfig } from '../../config/app-config';
import { dataSourceOptions } from './data-source-options';
import { MigrationRunner } from './migration-runner';
import { Transactions } from './transactions';

/** The cheapest question a live database answers. */
@Injectable()
export class DatabaseProbe {
  constructor(private readonly dataSource: DataSource) {}

  async ping(): Promise<void> {
    await this.dataSource.query('SELECT 1');
  }
}

/** PostgreSQL: one pool per process, migrations before anything listens unless `migrate` is false. */
@Global()
@Module({})
export class DatabaseModule {
  static forRoot(schema: {
    entities: readonly Type[];
    migrations: readonly Type<MigrationInterface>[];
    migrate?: boolean;
  }): DynamicModule {
    return {
      module: DatabaseModule,
      imports: [
        TypeOrmModule.forRootAsync({
          inject: [AppConfig],
          useFactory: (config: AppConfig) => ({
            ...dataSourceOptions(config.databaseUrl, schema, config.database.poolSize),
            retryAttempts: 10,
            retryDelay: 1_000,
          }),
        }),
      ],
      providers: [Transactions, DatabaseProbe, ...(schema.migrate === false ? [] : [MigrationRunner])],
      exports: [Transactions, DatabaseProbe],
    };
  }
}
