import { DataSource } from 'typeorm';
import { dataSourceOptions, STATEMENT_MS } from '../../../src/platform/database/data-source-options';
import { useFastTimestamps } from '../../../src/platform/database/timestamps';
import { ENTITIES } from '../../../src/schema';
import { driverWithShares } from '../../../src/platform/database/shared-pool';
import { createTestDatabase } from '../database';
import { emptyTables, readRows, type InitialRows } from '../empty-tables';

interface WorkerDatabase {
  readonly url: string;
  readonly dataSource: DataSource;
  readonly initial: InitialRows;
  /** The tables are as a migrated database has them. */
  isClean: boolean;
}

const HELD = Symbol.for('mailroom.test.medium-database');
const POOL_SIZE = 8;
/** The event that a worker receives when it has no spec left (test/support/jest/worker.js). */
const END_OF_WORKER = 'end';

const holder = globalThis as { [HELD]?: Promise<WorkerDatabase> };

async function create(): Promise<WorkerDatabase> {
  useFastTimestamps();
  const { url } = await createTestDatabase();
  const dataSource = await new DataSource({
    ...dataSourceOptions(url, { entities: ENTITIES, migrations: [] }, POOL_SIZE),
    driver: driverWithShares({ ofUsers: POOL_SIZE, perUser: POOL_SIZE, statementMs: STATEMENT_MS }),
  }).initialize();
  process.on('message', (message) => {
    // The database is the run's, which ends with it.
    if (message === END_OF_WORKER) process.exit();
  });
  return { url, dataSource, initial: await readRows(dataSource), isClean: true };
}

/** The one database of this Jest worker, with today's tables as after the migrations. One spec at a time uses it. */
export async function takeWorkerDatabase(): Promise<{ url: string; dataSource: DataSource }> {
  holder[HELD] ??= create();
  const database = await holder[HELD];
  if (!database.isClean) await emptyTables(database.dataSource, database.initial);
  database.isClean = false;
  return database;
}
