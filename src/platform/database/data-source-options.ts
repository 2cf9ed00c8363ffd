import type { Type } from '@nestjs/common';
import { DefaultNamingStrategy, NamingStrategyInterface, Table } from 'typeorm';
import type { DataSourceOptions, MigrationInterface } from 'typeorm';

const snakeCase = (name: string): string => name.replace(/([a-z0-9])([A-Z])/g, '$1_$2').toLowerCase();
const tableName = (table: Table | string): string =>
  (typeof table === 'string' ? table : table.name).split('.').pop()!;

/** camelCase properties in code, snake_case columns in the database, and constraint names a person can read. */
export class SnakeNamingStrategy extends DefaultNamingStrategy implements NamingStrategyInterface {
  override columnName(propertyName: string, customName: string | undefined, prefixes: string[]): string {
    return [...prefixes, customName ?? propertyName].map(snakeCase).join('_');
  }

  override primaryKeyName(table: Table | string): string {
    return `${tableName(table)}_pkey`;
  }

  override foreignKeyName(table: Table | string, columnNames: string[]): string {
    return `${tableName(table)}_${columnNames.join('_')}_fkey`;
  }
}

/**
 * Time-out of statements that no user waits for, in milliseconds. The longest are totals and sweeps of large tables.
 */
export const STATEMENT_MS = 120_000;

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
      statement_timeout: STATEMENT_MS,
      // For connections that hang: the server's own limit above comes first wherever it can.
      query_timeout: 180_000,
      keepAlive: true,
      // The system's own is two hours: too late for what waits on a connection whose other end is gone.
      keepAliveInitialDelayMillis: 10_000,
    },
  };
}
