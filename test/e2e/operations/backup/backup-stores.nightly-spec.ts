import { DataSource } from 'typeorm';
import { ArchiveStores } from '../../../../src/archive/files/archive-store.port';
import { Backup } from '../../../../src/operations/backup/backup';
import { Progress } from '../../../../src/operations/backup/progress';
import { BackupTimings } from '../../../../src/operations/backup/backup-timings';
import { waitFor } from '../../../support/wait';
import { dataSourceOptions } from '../../../../src/platform/database/data-source-options';
import { loadConfig } from '../../../../src/platform/config/load-config';
import { MIGRATIONS } from '../../../../src/schema';
import { ArchiveFixture, sha256 } from '../../../support/archive/archive-fixture';
import { BackupFixture, fileHashes, withDatabase } from '../../../support/backup/backup-fixture';
import { TestObjectStore } from '../../../support/object-store/object-store';
import { TricklingStore } from '../../../support/object-store/trickling-store';
import { TcpProxy } from '../../../support/tcp-proxy';

jest.setTimeout(120_000);

describe('backup and restore of other installations', () => {
  let fixture: BackupFixture;

  beforeAll(async () => {
    fixture = await BackupFixture.start();
  });
  afterAll(() => fixture.close());

  it('should include mails of an object store, restore what it lost, or put all on the disk', async () => {
    const store = await TestObjectStore.start();
    const source = await fixture.installation();
    const app = await fixture.serve(source);
    const user = await app.user();
    const config = await user.api.put('/api/storage/config', store.configuration('backed-up'));
    expect(config.status).toBe(200);
    const archive = await ArchiveFixture.connect(app, user, 'objects-12@sandbox.mailroom.test');
    await archive.archive({ query: 'in:anywhere' });
    await app.close();
    const objects = await store.objects('backed-up');
    expect(objects).toHaveLength(12);
    const folder = fixture.folder('objects');
    await fixture.succeed(source, 'backup', folder);
    const copied = await fileHashes(`${folder}/archive`);
    expect(Object.keys(copied).sort()).toEqual(objects.map(({ key }) => key));

    const lost = objects.slice(0, 5);
    for (const { key } of lost) await store.remove('backed-up', key);
    const [altered, shortened] = objects.slice(5);
    await store.overwrite('backed-up', altered!.key, Buffer.alloc(altered!.size, 'altered'));
    await store.overwrite('backed-up', shortened!.key, Buffer.from('shorter'));
    const keys = { JWT_SECRET: source.JWT_SECRET!, ENCRYPTION_KEY: source.ENCRYPTION_KEY! };
    const target = await fixture.installation(keys);
    expect(await fixture.succeed(target, 'restore', folder)).toContain('put 7 mails back');
    expect(await store.objects('backed-up')).toEqual(objects);
    for (const { key } of objects) {
      expect([key, sha256(await store.read('backed-up', key))]).toEqual([key, copied[key]]);
    }

    const local = await fixture.installation(keys);
    await fixture.succeed(local, 'restore', folder, '--local');
    expect(await fileHashes(local.ARCHIVE_DIR!)).toEqual(copied);
    const storages = await withDatabase(local.DATABASE_URL!, (client) =>
      client.query('SELECT DISTINCT storage FROM archived_mails'),
    );
    expect(storages.rows).toEqual([{ storage: 'local' }]);
  });

  it('should not be delayed by a trickling object store, and report whose mails it could not read', async () => {
    const store = await TestObjectStore.start();
    const trickling = await TricklingStore.before(store.endpoint);
    try {
      const source = await fixture.installation();
      const app = await fixture.serve(source);
      const slow = await app.user();
      const configuration = store.configuration('trickles', { objstoreEndpoint: trickling.endpoint });
      expect((await slow.api.put('/api/storage/config', configuration)).status).toBe(200);
      for (const [user, name] of [
        [slow, 'slow'],
        [await app.user(), 'local'],
      ] as const) {
        const archive = await ArchiveFixture.connect(app, user, `${name}-20@sandbox.mailroom.test`);
        expect((await archive.archive({ query: 'in:anywhere' })).status).toBe('completed');
      }
      trickling.slowDown();
      const timings = Object.assign(new BackupTimings(60_000), {
        pace: { graceMs: 500, bytesPerSecond: 64_000 },
      });
      const backup = new Backup(
        {
          databaseUrl: source.DATABASE_URL!,
          encryptionKey: loadConfig(source).secrets.encryptionKey,
          archiveDir: source.ARCHIVE_DIR!,
          stores: app.app.get(ArchiveStores),
          migrations: MIGRATIONS.map(({ name }) => name),
          tables: app.dataSource.entityMetadatas.map(({ tableName }) => tableName),
          timings,
        },
        new Progress(() => undefined),
      );
      const { manifest, copied } = await backup.take(fixture.folder('trickles'), { prune: false });
      const { mails, problemCount, problems } = manifest.archive;
      expect([mails, copied, problemCount]).toEqual([40, 20, 20]);
      expect(new Set(problems.map(({ problem, reason }) => `${problem}: ${reason}`))).toEqual(
        new Set([
          'unreadable: The object store of this archive is not available: it is too slow. Try again once it is back.',
        ]),
      );
      // Not asked again while the snapshot was open.
      expect(trickling.begun).toBeLessThanOrEqual(8);
      await waitFor('the store to be let go of', () => trickling.trickling === 0);
      await app.close();
    } finally {
      await trickling.close();
    }
  });

  it('should restore the mails of other stores when one is unavailable, and continue without it if told to', async () => {
    const store = await TestObjectStore.start();
    const proxy = await TcpProxy.to(store.endpoint);
    try {
      const source = await fixture.installation();
      const app = await fixture.serve(source);
      const endpoints = { away: proxy.url.replace(/\/$/, ''), there: store.endpoint };
      for (const [bucket, objstoreEndpoint] of Object.entries(endpoints)) {
        const user = await app.user();
        const configuration = store.configuration(bucket, { objstoreEndpoint });
        expect((await user.api.put('/api/storage/config', configuration)).status).toBe(200);
        const archive = await ArchiveFixture.connect(app, user, `${bucket}-6@sandbox.mailroom.test`);
        expect((await archive.archive({ query: 'in:anywhere' })).status).toBe('completed');
      }
      await app.close();
      const folder = fixture.folder('away');
      await fixture.succeed(source, 'backup', folder);
      const objects = await store.objects('there');
      for (const { key } of objects) await store.remove('there', key);

      proxy.vanish();
      const { ENCRYPTION_KEY } = source as { ENCRYPTION_KEY: string };
      const target = await fixture.installation({ ENCRYPTION_KEY, OBJECT_STORE_PATIENCE_SECONDS: '1' });
      const failed = await fixture.command(target, 'restore', folder);
      expect(failed.error?.message).toMatch(
        /^6 mails of 1 object store could not be put back .*not available/,
      );
      expect(await store.objects('there')).toEqual(objects);
      const rest = await fixture.command(target, 'restore', folder, '--without-damaged');
      expect(rest.error?.message).toMatch(/^6 mails could not be restored as archived/);
      const { rows } = await withDatabase(target.DATABASE_URL!, (client) =>
        client.query(`SELECT to_regclass('restore_in_progress') AS marker`),
      );
      expect(rows).toEqual([{ marker: null }]);
    } finally {
      await proxy.close();
    }
  });

  it('should restore objects after a restore that was killed between the rows and them', async () => {
    const store = await TestObjectStore.start();
    const proxy = await TcpProxy.to(store.endpoint);
    try {
      const source = await fixture.installation();
      const app = await fixture.serve(source);
      const user = await app.user();
      const objstoreEndpoint = proxy.url.replace(/\/$/, '');
      const configuration = store.configuration('killed', { objstoreEndpoint });
      expect((await user.api.put('/api/storage/config', configuration)).status).toBe(200);
      const archive = await ArchiveFixture.connect(app, user, 'killed-8@sandbox.mailroom.test');
      await archive.archive({ query: 'in:anywhere' });
      await app.close();
      const folder = fixture.folder('killed');
      await fixture.succeed(source, 'backup', folder);
      const objects = await store.objects('killed');
      for (const { key } of objects) await store.remove('killed', key);

      proxy.stall();
      const target = await fixture.installation({ ENCRYPTION_KEY: source.ENCRYPTION_KEY! });
      for (let round = 1; round <= 2; round += 1) {
        // The second time, the rows are there and only the objects are waited for.
        const moment = async (): Promise<boolean> =>
          withDatabase(target.DATABASE_URL!, async (client) => {
            const { rows } = await client.query(`SELECT to_regclass('restore_in_progress') AS marker`);
            return rows[0].marker !== null;
          });
        expect(await fixture.killed(target, ['restore', folder], moment)).toBe(true);
        expect(await store.objects('killed')).toEqual([]);
      }
      proxy.restore();
      expect(await fixture.succeed(target, 'restore', folder)).toContain('put 8 mails back');
      expect(await store.objects('killed')).toEqual(objects);
      const { rows } = await withDatabase(target.DATABASE_URL!, (client) =>
        client.query('SELECT count(*)::int AS mails FROM archived_mails'),
      );
      expect(rows).toEqual([{ mails: 8 }]);
    } finally {
      await proxy.close();
    }
  });

  it('should restore a backup of an earlier version and upgrade it, and refuse one of a later version', async () => {
    const source = await fixture.installation();
    const earlier = MIGRATIONS.slice(0, 4);
    const options = dataSourceOptions(source.DATABASE_URL!, { entities: [], migrations: earlier }, 2);
    const dataSource = await new DataSource(options).initialize();
    await dataSource.runMigrations();
    await dataSource.query(
      `INSERT INTO users (id, email) VALUES ('01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d', 'old@users.test')`,
    );
    const tables: { name: string }[] = await dataSource.query(
      `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' AND tablename <> 'migrations'`,
    );
    await dataSource.destroy();
    const take = async (migrations: string[], folder: string): Promise<void> => {
      const backup = new Backup(
        {
          databaseUrl: source.DATABASE_URL!,
          encryptionKey: loadConfig(source).secrets.encryptionKey,
          archiveDir: source.ARCHIVE_DIR!,
          stores: {} as ArchiveStores,
          migrations,
          tables: tables.map(({ name }) => name),
          timings: new BackupTimings(60_000),
        },
        new Progress(() => undefined),
      );
      await backup.take(folder, { prune: false });
    };
    const folder = fixture.folder('earlier');
    await take(
      earlier.map(({ name }) => name),
      folder,
    );

    const target = await fixture.installation({ ENCRYPTION_KEY: source.ENCRYPTION_KEY! });
    await (await fixture.serve(target)).close();
    await fixture.succeed(target, 'restore', folder);
    const found = await withDatabase(target.DATABASE_URL!, async (client) => ({
      users: (await client.query('SELECT email FROM users')).rows,
      migrations: (await client.query('SELECT name FROM migrations ORDER BY id')).rows,
    }));
    expect(found.users).toEqual([{ email: 'old@users.test' }]);
    expect(found.migrations).toEqual(MIGRATIONS.map(({ name }) => ({ name })));

    const later = [...earlier.map(({ name }) => name), 'FromTheFuture1999999999999'];
    await withDatabase(source.DATABASE_URL!, (client) =>
      client.query(
        `INSERT INTO migrations (timestamp, name) VALUES (1999999999999, 'FromTheFuture1999999999999')`,
      ),
    );
    await take(later, fixture.folder('later'));
    const { error } = await fixture.command(target, 'restore', fixture.folder('later'));
    expect(error?.message).toContain('whose database this version does not know');
  });
});
