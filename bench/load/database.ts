import { DataSource } from 'typeorm';
import { dataSourceOptions } from '../../src/platform/database/data-source-options';
import { ENTITIES, MIGRATIONS } from '../../src/schema';
import type { BenchEnvironment } from '../bench-environment';

/** A look at the service's database past the service. The caller destroys it. */
export function lookAtDatabase(environment: BenchEnvironment): Promise<DataSource> {
  const schema = { entities: ENTITIES, migrations: MIGRATIONS };
  const options = dataSourceOptions(environment.services.databaseUrl, schema, 2);
  return new DataSource({ ...options, applicationName: 'mailroom-bench' }).initialize();
}
