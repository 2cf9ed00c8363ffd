import { DynamicModule, Global, Injectable, Module, Type } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import type { MigrationInterface } from 'typeorm';
import { AppConfig } from '../config/app-config';
import { dataSourceOptions, STATEMENT_MS } from './data-source-options';
import { MigrationRunner } from './migration-runner';
import { driverWithShares } from './shared-pool';
import { useFastTimestamps } from './timestamps';
import { Transactions } from './transactions';

/** The cheapest question a live database answers. */
@Injectable()
export class DatabaseProbe {
  constructor(private readonly dataSource: DataSource) {}

  async ping(): Promise<void> {
    await this.dataSource.query('SELECT 1');
  }
}

/** Users together leave as many connections to jobs, sign-in and probes as one of them may have. */
const sharesOf = ({ poolSize, perUser }: AppConfig['database']): { ofUsers: number; perUser: number } => ({
  ofUsers: Math.max(1, poolSize - perUser),
  perUser,
});

/** The entities, the migrations in order, and whether these run at the start. */
export interface DatabaseSchema {
  readonly entities: readonly Type[];
  readonly migrations: readonly Type<MigrationInterface>[];
  readonly migrate?: boolean;
}

/** PostgreSQL: one pool per process, migrations before anything listens unless `migrate` is false. */
@Global()
@Module({})
export class DatabaseModule {
  static forRoot(schema: DatabaseSchema): DynamicModule {
    useFastTimestamps();
    return {
      module: DatabaseModule,
      imports: [
        TypeOrmModule.forRootAsync({
          inject: [AppConfig],
          useFactory: (config: AppConfig) => ({
            ...dataSourceOptions(config.databaseUrl, schema, config.database.poolSize),
            driver: driverWithShares({ ...sharesOf(config.database), statementMs: STATEMENT_MS }),
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
