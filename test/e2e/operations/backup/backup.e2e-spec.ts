import { appendFile, chmod, mkdir, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Secret, TOTP } from 'otpauth';
import { ArchiveStores } from '../../../../src/archive/files/archive-store.port';
import { BackupError } from '../../../../src/operations/backup/backup.errors';
import { ArchiveListEntry } from '../../../../src/operations/backup/archive-list';
import { readJsonLines, readLines } from '../../../../src/operations/backup/files';
import { formatManifest, parseManifest, type Manifest } from '../../../../src/operations/backup/manifest';
import { BackupTimings } from '../../../../src/operations/backup/backup-timings';
import { Progress } from '../../../../src/operations/backup/progress';
import { Backup } from '../../../../src/operations/backup/backup';
import { AttachedTextsService } from '../../../../src/archive/mails/attached-texts/attached-texts.service';
import { LEFT_OUT } from '../../../../src/operations/backup/dumped-tables';
import { ENTITIES, MIGRATIONS } from '../../../../src/schema';
import { ApiClient } from '../../../support/api-client';
import { TestApp } from '../../../support/app';
import { ArchiveFixture, sha256 } from '../../../support/archive/archive-fixture';
import { eml, emlWithAttachment } from '../../../support/archive/eml';
import {
  BackupFixture,
  deleteRestoreNotifications,
  fileHashes,
  tableHashes,
  withDatabase,
} from '../../../support/backup/backup-fixture';
import { TestUser } from '../../../support/test-user';
import { waitFor } from '../../../support/wait';
import { nightly } from '../../../support/nightly';

jest.setTimeout(120_000);

/** Rows that differ on purpose: see `LEFT_OUT`. */
const DERIVED = ['archived_threads', 'archive_totals', 'archived_senders', 'archived_sender_names'];
const ATTACHED = Buffer.from(Array.from({ length: 5_000 }, (_, index) => (index * 7) % 256));

describe('backup and restore', () => {
  let fixture: BackupFixture;
  let source: Readonly<Record<string, string>>;
  let app: TestApp;
  let alice: TestUser;
  /** Signs in with one-time codes. */
  let bob: TestUser;
  let codeOfBob: () => string;
  let archive: ArchiveFixture;
  let folder: string;

  beforeAll(async () => {
    fixture = await BackupFixture.start();
    source = await fixture.installation();
    app = await fixture.serve(source);
    alice = await app.user('alice');
    bob = await app.user('bob');
    archive = await ArchiveFixture.connect(app, alice, 'alice-80@sandbox.mailroom.test');
    await archive.archive({ query: 'in:anywhere' });
    await archive.insertAndArchive(
      emlWithAttachment({
        subject: 'Déjà vu 日本',
        disposition: `filename*=UTF-8''na%C3%AFve%20%2F%5C%22.bin`,
        content: ATTACHED,
      }),
      eml(
        'Subject: tab\tand \\N and \\. here',
        'From: "Back\\slash" <b@example.com>',
        '',
        '\\.',
        'no newline at end',
      ),
      eml('From: nobody', '', ''),
    );
    await app
      .get(AttachedTextsService)
      .readSome({ id: archive.accountId, userId: alice.id }, new AbortController().signal);
    const other = await ArchiveFixture.connect(app, bob, 'bob-20@sandbox.mailroom.test');
    await other.archive({ query: 'in:anywhere' });
    for (const [path, body] of [
      [`/api/rules/${archive.accountId}`, RULE],
      ['/api/saved-searches', { name: 'Schrägstrich \\N', query: 'from:"a\\b"' }],
    ] as const) {
      const answer = await alice.api.post(path, body);
      if (answer.status !== 201)
        throw new Error(`${path} answered ${answer.status}: ${answer.bytes.toString()}`);
    }
    const { secret } = (await bob.api.post('/api/auth/2fa/setup', { password: bob.password })).body as {
      secret: string;
    };
    codeOfBob = () => new TOTP({ secret: Secret.fromBase32(secret) }).generate();
    expect((await bob.api.post('/api/auth/2fa/enable', { totp_code: codeOfBob() })).status).toBe(200);
    const webhook = { name: 'told', url: 'http://127.0.0.1:9/', events: ['job.failed'] };
    expect((await bob.api.post('/api/webhooks', webhook)).status).toBe(201);
    folder = fixture.folder('backup');
  });

  afterAll(async () => {
    await app.close();
    await fixture.close();
  });

  const manifestOf = async (path: string): Promise<Manifest> =>
    parseManifest(await readFile(join(path, 'manifest.json'), 'utf8'));
  const listOf = async (path: string): Promise<ArchiveListEntry[]> => {
    const entries: ArchiveListEntry[] = [];
    const { file } = (await manifestOf(path)).archive.list;
    for await (const entry of readJsonLines<ArchiveListEntry>(join(path, file))) entries.push(entry);
    return entries;
  };
  const archivedMails = async (): Promise<number> => {
    const [row] = await app.dataSource.query('SELECT count(*)::int AS mails FROM archived_mails');
    return row.mails as number;
  };
  /** Another installation with the same keys. */
  const empty = (settings: Record<string, string> = {}) =>
    fixture.installation({
      JWT_SECRET: source.JWT_SECRET!,
      ENCRYPTION_KEY: source.ENCRYPTION_KEY!,
      ...settings,
    });
  const login = async (to: TestApp, user: TestUser): Promise<TestUser> => {
    const { status, body } = await to.anonymous.post('/api/auth/login', {
      email: user.email,
      password: user.password,
    });
    expect(status).toBe(200);
    return new TestUser(
      user.id,
      user.email,
      user.password,
      new ApiClient(to.url, body.access_token as string),
    );
  };

  it('should be consistent while mail is archived, and end running jobs when restored', async () => {
    const archived = await archivedMails();
    const busy = await ArchiveFixture.connect(app, alice, 'busy-400@sandbox.mailroom.test');
    // The job is not to end before the backup has seen the database.
    app.sandbox.fault({
      endpoint: 'messages.get',
      times: 'always',
      answer: { kind: 'slow', delayMs: 600 },
    });
    const { body } = await alice.api.post(`${busy.path}/archive`, { query: 'in:anywhere' });
    const path = fixture.folder('busy');
    await waitFor('some mail to be archived', async () => (await busy.rows()).size > 0);
    const output = await fixture.succeed(source, 'backup', path);
    expect(output).toContain('The backup is complete');
    app.sandbox.clearFaults();
    await alice.jobEnd(body.jobId as string);

    const target = await empty();
    await fixture.succeed(target, 'restore', path);
    const files = await fileHashes(target.ARCHIVE_DIR!);
    const mails = await withDatabase(target.DATABASE_URL!, async (client) => {
      const { rows } = await client.query('SELECT storage_key, sha256 FROM archived_mails');
      return rows as { storage_key: string; sha256: string }[];
    });
    expect(mails.length).toBeGreaterThan(archived);
    expect(Object.fromEntries(mails.map((mail) => [mail.storage_key, mail.sha256]))).toEqual(files);

    const restored = await fixture.serve(target);
    try {
      const again = await login(restored, alice);
      const { body: job } = await again.api.get(`/api/jobs/${body.jobId}`);
      expect(job).toMatchObject({
        status: 'failed',
        error: expect.stringContaining('under way when the backup was taken') as string,
      });
      const view = new ArchiveFixture(restored, again, busy.accountId, busy.mailbox);
      const { kept, counted } = await view.totals();
      expect(kept).toEqual(counted);
      // It can simply be started again, and archives what was missing.
      const finished = await view.archive({ query: 'in:anywhere' });
      expect(finished.status).toBe('completed');
      expect((await view.rows()).size).toBe(400);
    } finally {
      await restored.close();
    }
  });

  it('should contain every row and every byte, and no credentials for signing in', async () => {
    const output = await fixture.succeed(source, 'backup', folder);
    expect(output).toMatch(/ENCRYPTION_KEY.*secrets\.json/);
    const { database, archive: archived, migrations } = await manifestOf(folder);
    expect(migrations).toEqual(MIGRATIONS.map(({ name }) => name));
    expect([...database.tables.map(({ table }) => table), ...Object.keys(LEFT_OUT)].sort()).toEqual(
      Object.keys(await tableHashes(source.DATABASE_URL!))
        .filter((table) => table !== 'migrations')
        .sort(),
    );
    expect(archived).toMatchObject({ mails: await archivedMails(), problemCount: 0 });
    expect(await fileHashes(join(folder, 'archive'))).toEqual(await fileHashes(source.ARCHIVE_DIR!));

    const whole = await readdir(folder, { recursive: true, withFileTypes: true });
    for (const entry of whole) {
      const { mode } = await stat(join(entry.parentPath, entry.name));
      expect([entry.name, mode & 0o077]).toEqual([entry.name, 0]);
    }
    const jobs = database.tables.find(({ table }) => table === 'jobs')!;
    expect(jobs.columns).not.toContain('sealed_secrets');
    expect(JSON.stringify(await manifestOf(folder))).not.toContain(source.ENCRYPTION_KEY);
  });

  it('should restore everything into an empty installation', async () => {
    // At rest, so that the two can be compared.
    await app.close();
    await fixture.succeed(source, 'backup', folder);
    const target = await empty();
    const output = await fixture.succeed(target, 'restore', folder);
    expect(output).toContain('Every hash was checked');
    // Of the two whose copies are in doubt.
    expect(await deleteRestoreNotifications(target.DATABASE_URL!)).toBe(2);

    const [before, after] = [
      await tableHashes(source.DATABASE_URL!),
      await tableHashes(target.DATABASE_URL!),
    ];
    expect(after.archived_mails).toMatch(/^503 rows/);
    expect(after.archived_attachment_pages).toMatch(/^[1-9]\d* rows/);
    for (const [table, why] of Object.entries(LEFT_OUT)) {
      if (DERIVED.includes(table)) continue;
      expect([table, why, after[table]]).toEqual([table, why, expect.stringMatching(/^0 rows/)]);
      delete before[table];
      delete after[table];
    }
    expect(after.restored_backups).toMatch(/^1 rows/);
    delete before.restored_backups;
    delete after.restored_backups;
    expect(after).toEqual(before);
    const log = await fixture.succeed(target, 'audit:verify');
    expect(log).toMatch(/^[1-9]\d* entries fit/);
    expect(log).toBe(await fixture.succeed(source, 'audit:verify'));
    const forget = withDatabase(target.DATABASE_URL!, (client) => client.query('DELETE FROM audit_entries'));
    await expect(forget).rejects.toThrow('append-only');
    expect(await fileHashes(target.ARCHIVE_DIR!)).toEqual(await fileHashes(source.ARCHIVE_DIR!));
    expect(await readdir(target.DATA_DIR!)).toEqual(['archive']);

    app = await fixture.serve(source);
    const restored = await fixture.serve(target);
    try {
      const again = await login(restored, alice);
      expect((await restored.anonymous.get('/api/auth/me')).status).toBe(401);
      const path = `/api/archive/${archive.accountId}`;
      const { body: mails } = await again.api.get(`${path}/mails?limit=100`);
      expect(mails.total).toBe(83);
      const { body: found } = await again.api.get(`${path}/mails?q=${encodeURIComponent('deja vu')}`);
      const [mail] = found.mails;
      expect(mail.subject).toBe('Déjà vu 日本');
      const { bytes } = await again.api.get(`${path}/mails/${mail.id}/eml`);
      const row = (await new ArchiveFixture(restored, again, archive.accountId, archive.mailbox).rows()).get(
        mail.mailbox_message_id,
      );
      expect(sha256(bytes)).toBe(row.sha256);
      // The sealed tokens of the mailbox open, and new mail is archived.
      const view = new ArchiveFixture(restored, again, archive.accountId, archive.mailbox);
      await view.insertAndArchive(eml('Subject: after the restore', '', 'x'));
      const { body: job } = await again.api.get('/api/jobs');
      expect(job[0].status).toBe('completed');
      expect((await again.api.get(`/api/rules/${archive.accountId}`)).body).toEqual(
        expect.arrayContaining([expect.objectContaining({ name: RULE.name })]),
      );
      const exported = await again.api.post(`${path}/export-zip`, {
        mailIds: mails.mails.map(({ id }: { id: string }) => id),
      });
      expect([exported.status, exported.bytes.length > 10_000]).toEqual([200, true]);
    } finally {
      await restored.close();
    }
    alice = await login(app, alice);
    archive = new ArchiveFixture(app, alice, archive.accountId, archive.mailbox);
  });

  it('should copy only new mails the second time, and remove old ones when asked', async () => {
    const before = await fileHashes(join(folder, 'archive'));
    const [id] = await archive.insertAndArchive(eml('Subject: new since', '', 'new'));
    const [gone] = (await listOf(folder)).map((entry) => entry.key);
    expect(await fixture.succeed(source, 'backup', folder)).toContain('copied 1 new file,');
    expect(await fixture.succeed(source, 'backup', folder)).toContain('copied 0 new files,');
    const after = await fileHashes(join(folder, 'archive'));
    expect(Object.keys(after)).toHaveLength(Object.keys(before).length + 1);

    await app.dataSource.query('DELETE FROM archived_mails WHERE storage_key = $1', [gone]);
    await rm(join(app.archiveDir, gone!));
    await fixture.succeed(source, 'backup', folder);
    expect(Object.keys(await fileHashes(join(folder, 'archive')))).toContain(gone);
    expect(await fixture.succeed(source, 'backup', folder, '--prune')).toContain('Removed 1 file ');
    const pruned = Object.keys(await fileHashes(join(folder, 'archive')));
    expect(pruned).not.toContain(gone);
    expect(pruned.sort()).toEqual((await listOf(folder)).map(({ path }) => path).sort());
    expect(await readdir(join(folder, 'database'))).toHaveLength(1);
    expect(id).toBeDefined();
  });

  nightly('should keep its intact copy when the original is altered or lost', async () => {
    const [first, second, third] = await listOf(folder);
    await appendFile(join(app.archiveDir, first!.key), 'x');
    const original = await readFile(join(app.archiveDir, second!.key));
    await rm(join(app.archiveDir, second!.key));
    expect((await fixture.command(source, 'backup', folder)).error).toBeNull();
    expect((await fileHashes(join(folder, 'archive')))[second!.key]).toBe(second!.sha256);

    const fresh = fixture.folder('fresh');
    const { error, lines } = await fixture.command(source, 'backup', fresh);
    expect(error).toMatchObject({ exitCode: 2, message: expect.stringContaining('2 mails') as string });
    expect(lines).toEqual(expect.arrayContaining([`altered: ${first!.key}`, `missing: ${second!.key}`]));
    const { archive: archived } = await manifestOf(fresh);
    expect(archived.problems.map(({ problem, mailId }) => [problem, mailId]).sort()).toEqual([
      ['altered', first!.id],
      ['missing', second!.id],
    ]);
    const target = await empty();
    const restored = await fixture.command(target, 'restore', fresh);
    expect(restored.error).toMatchObject({ exitCode: 2 });
    const files = await fileHashes(target.ARCHIVE_DIR!);
    expect(files[first!.key]).toBe(sha256(await readFile(join(app.archiveDir, first!.key))));
    expect(files[third!.key]).toBe(third!.sha256);

    await writeFile(join(app.archiveDir, second!.key), original);
    await writeFile(join(app.archiveDir, first!.key), await readFile(join(folder, 'archive', first!.path!)));
  });

  nightly('should leave out mails that are deleted while the backup runs', async () => {
    const path = fixture.folder('deleting');
    const stores = app.app.get(ArchiveStores);
    const local = await stores.find('local');
    let late: { id: string; key: string }[] = [];
    const reading = new Proxy(local, {
      get: (store, property) => {
        if (property !== 'read') return Reflect.get(store, property);
        return async (key: string) => {
          if (late.length === 0) {
            late = [{ id: '', key: '' }];
            const ids = await archive.insertAndArchive(
              eml('Subject: deleted late', '', '1'),
              eml('Subject: stays', '', '2'),
            );
            const rows = [...(await archive.rows()).values()];
            late = ids.map((id) => ({ id, key: rows.find((row) => row.id === id).storage_key as string }));
          }
          if (key === late[0]!.key) {
            await app.dataSource.query('DELETE FROM archived_mails WHERE id = $1', [late[0]!.id]);
            await local.delete(key);
          }
          return local.read(key);
        };
      },
    });
    const backup = new Backup(
      {
        databaseUrl: source.DATABASE_URL!,
        encryptionKey: Buffer.alloc(32),
        archiveDir: source.ARCHIVE_DIR!,
        stores: { find: async () => reading } as unknown as ArchiveStores,
        migrations: MIGRATIONS.map(({ name }) => name),
        tables: app.dataSource.entityMetadatas.map(({ tableName }) => tableName),
        timings: new BackupTimings(60_000),
      },
      new Progress(() => undefined),
    );
    const { manifest } = await backup.take(path, { prune: false });
    expect(manifest.archive.problemCount).toBe(0);
    const [deleted, stays] = late as unknown as [{ id: string }, { id: string }];
    const listed = (await listOf(path)).map(({ id }) => id);
    expect(listed).toContain(stays.id);
    expect(listed).not.toContain(deleted.id);
    for (const table of ['archived_mails', 'archived_mail_words']) {
      const { file } = manifest.database.tables.find((dump) => dump.table === table)!;
      const lines: string[] = [];
      for await (const line of readLines(join(path, file))) lines.push(line);
      expect(lines.filter((line) => line.includes(deleted.id))).toEqual([]);
      expect(lines.filter((line) => line.includes(stays.id))).toHaveLength(1);
      expect(lines).toHaveLength(listed.length);
    }
  });

  nightly('should keep the previous backup intact when it is killed', async () => {
    await fixture.succeed(source, 'backup', folder);
    const before = await manifestOf(folder);
    await archive.insertAndArchive(eml('Subject: killed backup', '', 'k'));
    for (const moment of [
      async () => (await readdir(join(folder, 'database'))).length > 1,
      async (output: string) => output.includes('Archive: '),
    ]) {
      expect(await fixture.killed(source, ['backup', folder], moment)).toBe(true);
      const manifest = await manifestOf(folder);
      expect(manifest.id).toBe(before.id);
      expect(await fixture.succeed(source, 'restore', folder, '--verify-only')).toContain(
        'The backup is whole.',
      );
    }
    await fixture.succeed(source, 'backup', folder);
    expect((await manifestOf(folder)).archive.mails).toBe(before.archive.mails + 1);
    expect(await readdir(join(folder, 'database'))).toHaveLength(1);
  });

  nightly('should continue a restore that was killed', async () => {
    const target = await empty();
    const total = (await manifestOf(folder)).archive.mails;
    // A schema that is there, so that rows can be kept from being written.
    await (await fixture.serve(target)).close();
    const written = async (): Promise<number> => {
      const names = await readdir(target.ARCHIVE_DIR!, { recursive: true });
      return names.filter((name) => name.endsWith('.eml')).length;
    };

    expect(await fixture.killed(target, ['restore', folder], async () => (await written()) > 0)).toBe(true);
    expect(await written()).toBeLessThan(total);

    // Some tables are loaded, this one waits.
    await withDatabase(target.DATABASE_URL!, async (client) => {
      await client.query('BEGIN');
      await client.query('LOCK TABLE archived_mails IN ACCESS EXCLUSIVE MODE');
      const isWaiting = async (): Promise<boolean> => {
        const { rowCount } = await client.query(
          `SELECT FROM pg_locks WHERE NOT granted AND relation = 'archived_mails'::regclass`,
        );
        return (rowCount ?? 0) > 0;
      };
      expect(await fixture.killed(target, ['restore', folder], isWaiting)).toBe(true);
      await client.query('ROLLBACK');
    });
    expect(await written()).toBe(total);
    expect((await tableHashes(target.DATABASE_URL!)).users).toMatch(/^0 rows/);

    // The rows are there, and what says that the restore is not finished.
    await withDatabase(target.DATABASE_URL!, async (client) => {
      await client.query('BEGIN');
      await client.query('LOCK TABLE users IN SHARE UPDATE EXCLUSIVE MODE');
      // VACUUM, the last step, waits for this lock.
      const isLoaded = async (output: string): Promise<boolean> => output.includes('Database: loaded');
      expect(await fixture.killed(target, ['restore', folder], isLoaded)).toBe(true);
      await client.query('ROLLBACK');
    });
    expect(await fixture.succeed(target, 'restore', folder)).toContain('is restored');
    expect(await fileHashes(target.ARCHIVE_DIR!)).toEqual(
      Object.fromEntries((await listOf(folder)).map(({ key, sha256: hash }) => [key, hash])),
    );
    const tables = await tableHashes(target.DATABASE_URL!);
    expect(tables.archived_mails).toMatch(new RegExp(`^${total} rows`));
    expect(tables).not.toHaveProperty('restore_in_progress');
    for (const table of DERIVED) {
      expect([table, tables[table]]).toEqual([table, (await tableHashes(source.DATABASE_URL!))[table]]);
    }
    expect(await readdir(target.DATA_DIR!)).not.toContain('restore.json');
  });

  describe('refusals', () => {
    const refusal = async (env: Readonly<Record<string, string>>, ...args: string[]): Promise<string> => {
      const { error } = await fixture.command(env, ...args);
      expect(error).toBeInstanceOf(BackupError);
      return error!.message;
    };
    let copies = 0;
    /** A copy of the backup that can be damaged. */
    const copy = async (): Promise<string> => {
      const path = fixture.folder(`copy-${(copies += 1)}`);
      await mkdir(path);
      const entries = await readdir(folder, { recursive: true, withFileTypes: true });
      for (const entry of entries) {
        const to = join(path, join(entry.parentPath, entry.name).slice(folder.length));
        if (entry.isDirectory()) await mkdir(to, { recursive: true });
      }
      for (const entry of entries) {
        const from = join(entry.parentPath, entry.name);
        if (entry.isFile()) await writeFile(join(path, from.slice(folder.length)), await readFile(from));
      }
      return path;
    };

    it('should refuse a database that has users, and one whose service runs', async () => {
      const target = await empty();
      await (await fixture.serve(target)).close();
      const running = await fixture.serve(target);
      expect(await refusal(target, 'restore', folder)).toContain('is running on this database');
      await running.user('first');
      await running.close();
      expect(await refusal(target, 'restore', folder)).toContain('it has users');
    });

    it('should not refuse an installation that was merely started', async () => {
      const target = await empty();
      await (await fixture.serve(target)).close();
      await fixture.succeed(target, 'restore', folder);
      expect((await tableHashes(target.DATABASE_URL!)).users).toMatch(/^2 rows/);
    });

    it('should refuse an archive directory with files', async () => {
      const target = await empty();
      await mkdir(join(target.ARCHIVE_DIR!, 'someone'), { recursive: true });
      await writeFile(join(target.ARCHIVE_DIR!, 'someone/mail.eml'), 'x');
      expect(await refusal(target, 'restore', folder)).toMatch(/archive directory .* is not empty/);
      expect(await readdir(join(target.ARCHIVE_DIR!, 'someone'))).toEqual(['mail.eml']);
    });

    it('should refuse another key, unless the sealed secrets are given up', async () => {
      const target = await empty({ ENCRYPTION_KEY: 'cd'.repeat(32) });
      expect(await refusal(target, 'restore', folder)).toContain(
        'ENCRYPTION_KEY is not the one of the backup',
      );
      // Whether it is whole can be found out without.
      expect(await fixture.succeed(target, 'restore', folder, '--verify-only')).toMatch(
        /is whole\.\nIts ENCRYPTION_KEY is not the one of this installation/,
      );
      const told = await fixture.succeed(target, 'restore', folder, '--new-key');
      expect(told).toContain(
        `entered again by their users: 3 mailbox connections, 0 object stores, 1 webhook (address and secret)`,
      );
      expect(told).toContain(`Two-factor sign-in is off for ${bob.email}`);
      expect(told).not.toContain(`off for ${alice.email}`);
      const restored = await fixture.serve(target);
      try {
        const again = await login(restored, alice);
        const { body: me } = await again.api.get('/api/auth/me');
        expect(me.mailboxAccounts.map(({ status }: { status: string }) => status)).toEqual([
          'needs_reauth',
          'needs_reauth',
        ]);
        expect((await again.api.get(`/api/archive/${archive.accountId}/mails`)).status).toBe(200);
        const other = await login(restored, bob);
        expect((await other.api.get('/api/auth/2fa')).body).toMatchObject({ enabled: false });
        expect((await other.api.get('/api/webhooks')).body).toMatchObject([{ name: 'told', url: '' }]);
        const turnedOff = await restored.dataSource.query(
          `SELECT user_id, actor_kind FROM audit_entries WHERE action = 'two-factor.disabled'`,
        );
        expect(turnedOff).toEqual([{ user_id: bob.id, actor_kind: 'operator' }]);
        // What was made with the old key is no longer compared: the files are read when it is needed.
        const [contents] = await restored.dataSource.query(
          'SELECT count(*)::int AS mails, count(content_mac)::int AS compared FROM archived_mails',
        );
        expect(contents.mails).toBeGreaterThan(0);
        expect(contents.compared).toBe(0);
      } finally {
        await restored.close();
      }
      expect(await refusal(target, 'backup', folder)).toContain('another ENCRYPTION_KEY');
    });

    it('should refuse a damaged backup, naming the damage', async () => {
      const path = await copy();
      const { database, archive: archived } = await manifestOf(path);
      const [entry] = await listOf(path);
      const target = await empty();

      const mail = join(path, 'archive', entry!.path!);
      const bytes = await readFile(mail);
      await writeFile(mail, Buffer.from(bytes).fill(0x20, 10, 11));
      const { error, lines } = await fixture.command(target, 'restore', path);
      expect(error?.message).toContain('1 mail missing or altered');
      expect(lines).toContain(`missing or altered: archive/${entry!.path}`);
      const rest = await fixture.command(target, 'restore', path, '--without-damaged');
      expect(rest.error).toMatchObject({ exitCode: 2 });
      expect(Object.keys(await fileHashes(target.ARCHIVE_DIR!))).toHaveLength(archived.mails - 1);
      await writeFile(mail, bytes);

      const second = await empty();
      const users = database.tables.find(({ table }) => table === 'users')!;
      for (const file of [users.file, archived.list.file]) {
        const good = await readFile(join(path, file));
        await writeFile(join(path, file), good.subarray(0, -1));
        expect(await refusal(second, 'restore', path)).toBe(
          `The backup is damaged: ${file} is missing or altered.`,
        );
        await writeFile(join(path, file), good);
      }
      const text = await readFile(join(path, 'manifest.json'), 'utf8');
      await writeFile(join(path, 'manifest.json'), text.replace('"rows": 2', '"rows": 3'));
      expect(await refusal(second, 'restore', path)).toContain('manifest.json has been altered');
      // By somebody who knows how the checksum is made.
      const forged = parseManifest(text);
      const tables = forged.database.tables.map((dump) =>
        dump.table === 'users' ? { ...dump, table: 'pg_authid' } : dump,
      );
      await writeFile(
        join(path, 'manifest.json'),
        formatManifest({ ...forged, database: { ...forged.database, tables } }),
      );
      const third = await empty();
      expect(await refusal(third, 'restore', path)).toContain('has no table "pg_authid"');
      await withDatabase(third.DATABASE_URL!, (client) => client.query('CREATE SEQUENCE somebody_elses'));
      const sequences = [{ sequence: 'somebody_elses', value: '7', isCalled: true }];
      await writeFile(
        join(path, 'manifest.json'),
        formatManifest({ ...forged, database: { ...forged.database, sequences } }),
      );
      expect(await refusal(third, 'restore', path)).toContain('has no sequence "somebody_elses"');
      const list = { ...forged.archive.list, file: 'database/x/../../manifest.json' };
      await writeFile(
        join(path, 'manifest.json'),
        formatManifest({ ...forged, archive: { ...forged.archive, list } }),
      );
      expect(await refusal(second, 'restore', path)).toContain('is missing or altered');
      await writeFile(join(path, 'manifest.json'), text.slice(0, 100));
      expect(await refusal(second, 'restore', path)).toContain('manifest.json cannot be read');
      await rm(join(path, 'manifest.json'));
      expect(await refusal(second, 'restore', path)).toContain('There is no backup in');
      expect(await tableHashes(second.DATABASE_URL!)).toEqual({});
    });

    it('should refuse folders that overlap with the archive, or no folders', async () => {
      const lone = fixture.folder('lone');
      await mkdir(lone);
      const moved = { ...source, ARCHIVE_DIR: join(lone, 'archive') };
      const link = fixture.folder('link');
      await symlink(source.ARCHIVE_DIR!, link);
      for (const [env, path] of [
        [source, join(source.ARCHIVE_DIR!, 'backup')],
        [source, source.ARCHIVE_DIR!],
        [source, join(link, 'new/backup')],
        [moved, lone],
      ] as const) {
        expect(await refusal(env, 'backup', path)).toContain('is not apart from the archive directory');
      }
      expect(await readdir(source.ARCHIVE_DIR!)).not.toContain('backup');
      const file = fixture.folder('file');
      await writeFile(file, 'x');
      expect(await refusal(source, 'backup', file)).toContain('it is a file');
      expect(await refusal(source, 'backup', join(file, 'below'))).toContain('it is a file, or below one');
    });

    it('should refuse folders with other content, and databases without a schema', async () => {
      const path = fixture.folder('other');
      await mkdir(path);
      await writeFile(join(path, 'thesis.tex'), 'x');
      await chmod(path, 0o755);
      expect(await refusal(source, 'backup', path)).toContain('thesis.tex');
      expect((await stat(path)).mode & 0o777).toBe(0o755);
      expect(await refusal(await empty(), 'backup', fixture.folder('nothing'))).toContain(
        'nothing to back up',
      );
    });
  });

  it('should know every table of the service', () => {
    expect(ENTITIES.length).toBe(app.dataSource.entityMetadatas.length);
    const tables = app.dataSource.entityMetadatas.map(({ tableName }) => tableName);
    expect(tables).toEqual(expect.arrayContaining(Object.keys(LEFT_OUT)));
  });
});

const RULE = {
  name: 'Old news',
  description: 'Nobody reads them \\ "quoted"',
  conditions: [{ field: 'from', operator: 'contains', value: 'news' }],
  action: { type: 'trash' },
  schedule: 'daily',
  is_active: false,
};
