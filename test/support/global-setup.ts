import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DataSource } from 'typeorm';
import { dataSourceOptions } from '../../src/platform/database/data-source-options';
import { startEmbeddedServices, type EmbeddedServices } from '../../src/platform/embedded/embedded-services';
import { ENTITIES, MIGRATIONS } from '../../src/schema';

/** The template of the databases of private servers. */
const TEMPLATE = 'mailroom_template';

/** The resources that the teardown, which Jest loads into the same process, has to release. */
export interface TestServices {
  directory: string;
  services: EmbeddedServices;
}

declare global {
  var mailroomTestServices: TestServices | undefined;
}

/**
 * Starts one private PostgreSQL and Redis for the whole run and names them in
 * MAILROOM_TEST_DATABASE_URL and MAILROOM_TEST_REDIS_URL, which the test workers inherit.
 * TEST_DATABASE_URL and TEST_REDIS_URL name servers to use instead.
 */
export default async function startTestServices(): Promise<void> {
  const { TEST_DATABASE_URL: databaseUrl, TEST_REDIS_URL: redisUrl } = process.env;
  if (databaseUrl) process.env.MAILROOM_TEST_DATABASE_URL = databaseUrl;
  if (redisUrl) process.env.MAILROOM_TEST_REDIS_URL = redisUrl;
  if (databaseUrl && redisUrl) return;

  const directory = await mkdtemp(join(tmpdir(), 'mailroom-test-'));
  // The servers run as another user when the tests run as root.
  await chmod(directory, 0o711);
  try {
    const services = await startEmbeddedServices({
      dataDir: directory,
      postgres: !databaseUrl,
      redis: !redisUrl,
      durable: false,
    });
    process.env.MAILROOM_TEST_DIRECTORY = directory;
    if (!databaseUrl) {
      process.env.MAILROOM_TEST_DATABASE_URL = services.databaseUrl;
      process.env.MAILROOM_TEST_TEMPLATE = await makeTemplate(services.databaseUrl);
    }
    if (!redisUrl) process.env.MAILROOM_TEST_REDIS_URL = services.redisUrl;
    globalThis.mailroomTestServices = { directory, services };
  } catch (error) {
    await rm(directory, { recursive: true, force: true });
    throw error;
  }
}

/** Migrates a database once; copies of it are there in a moment. */
async function makeTemplate(serverUrl: string): Promise<string> {
  const schema = { entities: ENTITIES, migrations: MIGRATIONS };
  const server = await new DataSource(dataSourceOptions(serverUrl, schema, 1)).initialize();
  await server.query(`CREATE DATABASE ${TEMPLATE}`);
  await server.destroy();
  const url = new URL(serverUrl);
  url.pathname = `/${TEMPLATE}`;
  const template = await new DataSource(dataSourceOptions(url.toString(), schema, 1)).initialize();
  await template.runMigrations();
  await template.destroy();
  return TEMPLATE;
}
