import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DataSource } from 'typeorm';
import { dataSourceOptions } from '../../platform/database/data-source-options';
import { startEmbeddedServices } from '../../platform/embedded/embedded-services';
import { ENTITIES, MIGRATIONS } from '../../schema';

/** Applies every migration to an empty database, reverts and reapplies them, and fails if the entities need more. */
async function main(): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'mailroom-migrations-'));
  const services = await startEmbeddedServices({ dataDir, postgres: true, redis: false, durable: false });
  try {
    const options = dataSourceOptions(
      services.databaseUrl,
      { entities: ENTITIES, migrations: MIGRATIONS },
      2,
    );
    const dataSource = await new DataSource(options).initialize();
    const applied = (await dataSource.runMigrations()).map(({ name }) => name);
    const listed = MIGRATIONS.map(({ name }) => name);
    if (applied.join() !== listed.join()) throw new Error('MIGRATIONS in src/schema.ts is not in order');
    for (let undone = 0; undone < MIGRATIONS.length; undone += 1) await dataSource.undoLastMigration();
    await dataSource.runMigrations();
    const missing = (await dataSource.driver.createSchemaBuilder().log()).upQueries.map(({ query }) => query);
    await dataSource.destroy();
    if (missing.length > 0) throw new Error(`A migration is missing for:\n${missing.join('\n')}`);
    process.stdout.write(`${MIGRATIONS.length} migrations match the entities\n`);
  } finally {
    await services.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

main().then(
  () => process.exit(0),
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(1);
  },
);
