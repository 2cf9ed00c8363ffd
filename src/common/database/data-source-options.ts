import type { Type } from '@nestjs/common';
import type { DataSourceOptions, MigrationInterface } from 'typeorm';
import { SnakeNamingStrategy } from './snake-naming.strategy';

/** Options shared by the service, the operators' command line and the drift check. */
export function dataSourceOptions(
  url: string,
  schema: { entities: readonly Type[]; migrations: readonly Type<MigrationInterface>[] },
  poolSize: number,
): DataSourceOptions & { type: 'postgres' } {
  return {
    type: 'postgres',
    url,
    entities: [...schema.entities],
    migrations: [...schema.migrations],
    namingStrategy: new SnakeNamingStrategy(),
    synchronize: false,
    migrationsRun: false,
    migrationsTransactionMode: 'each',
    // Ids are UUID v7 made by the application.
    installExtensions: false,
    poolSize,
    applicationName: 'mailroom',
    connectTimeoutMS: 10_000,
    extra: {
      idleTimeoutMillis: 30_000,
      statement_timeout: 120_000,
      // For connections that hang: the server's own limit above comes first wherever it can.
      query_timeout: 180_000,
      keepAlive: true,
      // The system's own is two hours: too late for what waits on a connection whose other end is gone.
      keepAliveInitialDelayMillis: 10_000,
    },
  };
}
