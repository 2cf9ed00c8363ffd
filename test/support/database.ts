import { randomBytes } from 'node:crypto';
import { Client } from 'pg';

/** Creates an empty database on the run's PostgreSQL; `drop` removes it, open connections included. */
export async function createTestDatabase(): Promise<{ url: string; drop: () => Promise<void> }> {
  const server = process.env.MAILROOM_TEST_DATABASE_URL;
  if (!server) throw new Error('MAILROOM_TEST_DATABASE_URL is not set: run the e2e project through jest');
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
  await admin(`CREATE DATABASE ${name}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return { url: url.toString(), drop: () => admin(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`) };
}
