import { DefaultNamingStrategy, NamingStrategyInterface, Table } from 'typeorm';

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
