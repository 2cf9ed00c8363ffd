import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { waitFor } from '../../test/support/wait';
import type { Journal } from './journal';
import type { SoakWorld } from './soak-world';

/** Registered removals are carried out once a minute, refused deliveries made again after some minutes. */
const PATIENCE_MS = 420_000;

/** Waits until the service has nothing left to do. */
export async function untilQuiet({ database }: SoakWorld, journal: Journal): Promise<void> {
  const work = `
    SELECT (SELECT count(*) FROM jobs WHERE status IN ('pending', 'active'))
         + (SELECT count(*) FROM webhook_deliveries WHERE status = 'pending')
         + (SELECT count(*) FROM file_deletions) AS left`;
  await waitFor(
    'jobs, deliveries and removals to be done',
    async () => {
      const [row] = await database.query<{ left: string }[]>(work);
      return row!.left === '0';
    },
    PATIENCE_MS,
    1_000,
  ).catch((error: unknown) => journal.fail(String(error)));
}

/** The file by which a running process shows that its half-written files are in use. */
const SIGN_OF_LIFE = /^\.tmp\/[^/]+\/alive$/;

/** What must not be there once everything has ended. */
export async function lookForLeftovers(world: SoakWorld, journal: Journal): Promise<void> {
  const { database, environment, logFile } = world;
  const rows = await database.query<{ storage_key: string }[]>('SELECT storage_key FROM archived_mails');
  const files = filesBelow(join(environment.directory, 'archive')).filter((file) => !SIGN_OF_LIFE.test(file));
  const named = new Set(rows.map(({ storage_key: key }) => key));
  const unnamed = files.filter((file) => !named.has(file));
  journal.expect('files that no mail has', unnamed.slice(0, 5), []);
  journal.expect('mails without files', named.size - (files.length - unnamed.length), 0);
  journal.expect('uploads left', filesBelow(join(environment.directory, 'uploads')), []);
  for (const [what, statement] of Object.entries(LEFT_IN_THE_DATABASE)) {
    const [row] = await database.query<{ count: number }[]>(statement);
    journal.expect(what, row!.count, 0);
  }
  const errors = readFileSync(logFile, 'utf8')
    .split('\n')
    .filter((line) => /"level":"(error|fatal)"/.test(line));
  journal.expect('errors in the log', errors.slice(0, 5), []);
}

const count = (what: string): string => `SELECT count(*)::int AS count FROM ${what}`;

const LEFT_IN_THE_DATABASE: Readonly<Record<string, string>> = {
  'jobs that failed': count(`jobs WHERE status = 'failed'`),
  'import uploads': count('import_uploads'),
  'rule matches': count('rule_matches'),
  'guests that are left': count(`users WHERE id NOT IN (SELECT user_id FROM webhooks)`),
  'failed deliveries': count(`webhook_deliveries WHERE status = 'failed'`),
};

function filesBelow(folder: string): string[] {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}
