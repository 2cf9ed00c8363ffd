import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';

/** SQLSTATE insufficient_privilege. */
const NOT_PERMITTED = '42501';
const ATTEMPTS = 240;

/**
 * Creates a database on the run's PostgreSQL, with today's tables and nothing in them; `drop` removes it, open
 * connections included.
 * @param migrated false: as a new database is, without any table
 */
export async function createTestDatabase({ migrated = true } = {}): Promise<{
  url: string;
  drop: () => Promise<void>;
}> {
  const server = process.env.MAILROOM_TEST_DATABASE_URL;
  if (!server) throw new Error('MAILROOM_TEST_DATABASE_URL is not set: run the e2e project through jest');
  const template = (migrated && process.env.MAILROOM_TEST_TEMPLATE) || 'template0';
  const name = `test_${randomBytes(6).toString('hex')}`;
  const admin = async (sql: string): Promise<void> => {
    const client = new Client({ connectionString: server });
    await client.connect();
    try {
      await client.query(sql);
    } finally {
      await client.end();
    }
  };
  await admin(`CREATE DATABASE ${name} TEMPLATE ${template}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  const drop = async (): Promise<void> => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await admin(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
      } catch (error) {
        // An autovacuum worker is in it, which only a superuser may send away: it goes by itself.
        if ((error as { code?: string }).code !== NOT_PERMITTED || attempt === ATTEMPTS) throw error;
        await delay(500);
      }
    }
  };
  return { url: url.toString(), drop };
}
