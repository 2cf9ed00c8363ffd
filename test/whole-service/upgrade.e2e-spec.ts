import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { DataSource } from 'typeorm';
import { startSandbox, type SandboxServer } from '../../sandbox/src/sandbox-server';
import { RereadMailsCron } from '../../src/archive/mails/rereading/reread-mails.cron';
import { READER_VERSION } from '../../src/archive/mails/rereading/reader-version';
import { FileDeletions } from '../../src/archive/files/file-deletions';
import { dataSourceOptions } from '../../src/platform/database/data-source-options';
import { MIGRATIONS } from '../../src/schema';
import { ApiClient } from '../support/api-client';
import { serve, type Served } from '../support/app';
import { parseMbox } from '../support/archive/exports';
import { createTestDatabase } from '../support/database';
import { testEnvironment } from '../support/environment';
import { TestUser } from '../support/test-user';
import { waitFor } from '../support/wait';

/** Made by the commit that `madeBy` names: the rows of its database, and the files of its archive. */
const FIXTURE = join(__dirname, '../fixtures/upgrade');

interface Fixture {
  readonly migrations: readonly string[];
  /** In the order in which they refer to each other. */
  readonly tables: readonly { readonly name: string; readonly columns: readonly string[] }[];
  readonly sequences: readonly { readonly name: string; readonly value: string }[];
  readonly encryptionKey: string;
  readonly password: string;
  readonly passphrase: string;
  /** SHA-256 of each mail by account and subject. */
  readonly messages: Readonly<Record<'first' | 'sealed' | 'other', Readonly<Record<string, string>>>>;
  readonly users: {
    readonly alice: { readonly email: string; readonly accounts: { first: string; sealed: string } };
    readonly bob: { readonly email: string; readonly accounts: { other: string } };
  };
}

const unpacked = (name: string): unknown =>
  JSON.parse(gunzipSync(readFileSync(join(FIXTURE, name))).toString());

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

describe('An installation of an earlier version', () => {
  const fixture = JSON.parse(readFileSync(join(FIXTURE, 'index.json'), 'utf8')) as Fixture;
  const { first, sealed } = fixture.users.alice.accounts;
  const { other } = fixture.users.bob.accounts;
  const passphrase = { headers: { 'x-archive-passphrase': fixture.passphrase } };
  const cleanups: (() => Promise<void>)[] = [];
  let dataDir: string;
  let archiveDir: string;
  let sandbox: SandboxServer;
  let served: Served;
  let alice: TestUser;
  let bob: TestUser;

  beforeAll(async () => {
    const database = await createTestDatabase({ migrated: false });
    await load(database.url);
    sandbox = await startSandbox({ messages: 1 });
    dataDir = mkdtempSync(join(tmpdir(), 'mailroom-upgrade-'));
    const env: Record<string, string> = {
      ...testEnvironment(database.url, sandbox, dataDir),
      ENCRYPTION_KEY: fixture.encryptionKey,
      WORKER_THREADS: '1',
    };
    archiveDir = env['ARCHIVE_DIR']!;
    for (const [key, bytes] of Object.entries(unpacked('files.json.gz') as Record<string, string>)) {
      mkdirSync(dirname(join(archiveDir, key)), { recursive: true });
      writeFileSync(join(archiveDir, key), bytes, 'base64');
    }
    // Migrates the database, as every start does.
    served = await serve(env);
    cleanups.push(
      () => served.app.close(),
      () => sandbox.close(),
      () => database.drop(),
      async () => rmSync(dataDir, { recursive: true, force: true }),
    );
    alice = await signIn(fixture.users.alice.email);
    bob = await signIn(fixture.users.bob.email);
  });

  afterAll(async () => {
    for (const cleanup of cleanups) await cleanup();
  });

  /** Writes the rows under the migrations they were made with. */
  async function load(url: string): Promise<void> {
    const migrations = MIGRATIONS.filter(({ name }) => fixture.migrations.includes(name));
    expect(migrations.length).toBe(fixture.migrations.length);
    expect(migrations.length).toBeLessThan(MIGRATIONS.length);
    const old = await new DataSource(dataSourceOptions(url, { entities: [], migrations }, 1)).initialize();
    try {
      await old.runMigrations();
      for (const { name, columns } of fixture.tables) {
        const list = columns.map((column) => `"${column}"`).join(', ');
        // What triggers keep is among the rows.
        await old.query(`ALTER TABLE "${name}" DISABLE TRIGGER USER`);
        await old.query(
          `INSERT INTO "${name}" (${list}) SELECT ${list} FROM jsonb_populate_recordset(NULL::"${name}", $1)`,
          [JSON.stringify(unpacked(`tables/${name}.json.gz`))],
        );
        await old.query(`ALTER TABLE "${name}" ENABLE TRIGGER USER`);
      }
      for (const { name, value } of fixture.sequences)
        await old.query('SELECT setval($1::regclass, $2::bigint)', [name, value]);
    } finally {
      await old.destroy();
    }
  }

  async function signIn(email: string): Promise<TestUser> {
    const answer = await new ApiClient(served.url, null).post('/api/auth/login', {
      email,
      password: fixture.password,
    });
    expect(answer.status).toBe(200);
    const api = new ApiClient(served.url, answer.body.access_token as string);
    return new TestUser(answer.body.user.id as string, email, fixture.password, api);
  }

  const mailsOf = async (user: TestUser, accountId: string, query = ''): Promise<any[]> => {
    const { status, body } = await user.api.get(`/api/archive/${accountId}/mails?limit=100${query}`);
    expect(status).toBe(200);
    return body.mails;
  };

  const files = (): string[] =>
    readdirSync(archiveDir, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name.endsWith('.eml'))
      .map((entry) => join(entry.parentPath, entry.name).slice(archiveDir.length + 1))
      .sort();

  const namedFiles = async (): Promise<string[]> => {
    const rows: { key: string }[] = await served.app
      .get(DataSource)
      .query('SELECT storage_key AS key FROM archived_mails ORDER BY 1');
    return rows.map(({ key }) => key).sort();
  };

  it('should read every mail as it was archived', async () => {
    for (const [user, account, name] of [
      [alice, first, 'first'],
      [alice, sealed, 'sealed'],
      [bob, other, 'other'],
    ] as const) {
      const expected = fixture.messages[name];
      const mails = await mailsOf(user, account);
      expect(mails.map(({ subject }) => subject as string).sort()).toEqual(Object.keys(expected).sort());
      for (const { id, subject } of mails) {
        const { status, bytes } = await user.api.get(`/api/archive/${account}/mails/${id}/eml`, passphrase);
        expect([subject, status, sha256(bytes)]).toEqual([subject, 200, expected[subject as string]]);
      }
    }
  });

  it('should not show encrypted mail without the passphrase', async () => {
    const shown: string[] = [];
    for (const { id, subject } of await mailsOf(alice, sealed)) {
      const { bytes } = await alice.api.get(`/api/archive/${sealed}/mails/${id}/eml`);
      if (sha256(bytes) === fixture.messages.sealed[subject as string]) shown.push(subject as string);
    }
    expect(shown).toEqual(['Letter 7 of sealed']);
  });

  it('should find mail by the words of its body', async () => {
    const found = await mailsOf(alice, first, '&q=lighthouse');
    expect(found.length).toBeGreaterThan(0);
    expect(found.every(({ subject }) => (subject as string).startsWith('Letter'))).toBe(true);
  });

  it('should export all of it, decrypted', async () => {
    for (const [account, name] of [
      [first, 'first'],
      [sealed, 'sealed'],
    ] as const) {
      const { status, bytes } = await alice.api.post(`/api/import/${account}/export-mbox`, {}, passphrase);
      expect([status, parseMbox(bytes).length]).toEqual([200, Object.keys(fixture.messages[name]).length]);
    }
  });

  it('should read its mail again with the readers of this version', async () => {
    await served.app.get(RereadMailsCron).rereadDue();
    const rows: any[] = await served.app.get(DataSource).query(
      `SELECT is_encrypted, received_at IS NULL AS undated, reader_version, reader_problem, count(*)::int AS mails
           FROM archived_mails GROUP BY 1, 2, 3, 4 ORDER BY 1`,
    );
    expect(rows).toEqual([
      {
        is_encrypted: false,
        undated: false,
        reader_version: READER_VERSION,
        reader_problem: null,
        mails: expect.any(Number),
      },
      {
        is_encrypted: true,
        undated: false,
        reader_version: 0,
        reader_problem: null,
        mails: expect.any(Number),
      },
    ]);
  });

  it('should keep rules, webhooks and policies', async () => {
    const lists = await Promise.all(
      [`/api/rules/${first}`, '/api/webhooks', '/api/retention'].map((path) => alice.api.get(path)),
    );
    for (const { status, bytes } of lists) {
      expect(status).toBe(200);
      expect(bytes.toString()).toMatch(/Letters|Everything|Very old/);
    }
  });

  it('should carry out the pending deletions, and nothing else', async () => {
    const removals = unpacked('tables/archive_removals.json.gz') as {
      storage_key: string;
      removed_at: string | null;
    }[];
    const pending = removals.filter((removal) => removal.removed_at === null);
    expect(pending).toHaveLength(2);
    const packed = Object.keys(unpacked('files.json.gz') as object);
    for (const { storage_key: key } of pending) expect(packed).toContain(key);
    await served.app.get(FileDeletions).drain(first);
    expect(files()).toEqual(await namedFiles());
    expect(await served.app.get(DataSource).query('SELECT 1 FROM file_deletions')).toEqual([]);
  });

  it('should find its archive intact', async () => {
    const { body } = await alice.api.post('/api/admin/integrity/check');
    expect((await alice.jobEnd(body.jobId as string)).result).toMatchObject({
      missing: 0,
      altered: 0,
      orphansRemoved: 0,
      unknownFiles: 0,
    });
  });

  it('should encrypt unencrypted mails, beside those encrypted before', async () => {
    const { body } = await alice.api.post(`/api/privacy/${sealed}/encryption/encrypt`, {
      passphrase: fixture.passphrase,
    });
    const job = await alice.jobEnd(body.jobId as string);
    expect(job).toMatchObject({ status: 'completed', result: { encrypted: 1, skipped: 4, failed: 0 } });
    for (const { id, subject } of await mailsOf(alice, sealed)) {
      const { bytes } = await alice.api.get(`/api/archive/${sealed}/mails/${id}/eml`, passphrase);
      expect(sha256(bytes)).toBe(fixture.messages.sealed[subject as string]);
    }
    expect(files()).toEqual(await namedFiles());
  });

  it('should delete an account with its files', async () => {
    expect((await alice.api.delete(`/api/auth/mailbox/${sealed}?purge=true`)).status).toBe(204);
    await waitFor('the files to be gone', async () => !files().some((key) => key.includes(sealed)));
    expect(files().filter((key) => key.includes(first))).toHaveLength(
      Object.keys(fixture.messages.first).length,
    );
  });
});
