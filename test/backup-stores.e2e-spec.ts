import { DataSource } from 'typeorm';
import { ArchiveStores } from '../src/archive/store/archive-store.port';
import { Backup } from '../src/backup/taking/backup';
import { Progress } from '../src/backup/set/progress';
import { dataSourceOptions } from '../src/common/database/data-source-options';
import { loadConfig } from '../src/config/load-config';
import { MIGRATIONS } from '../src/schema';
import { ArchiveFixture } from './support/archive/archive-fixture';
import { BackupFixture, fileHashes, withDatabase } from './support/backup/backup-fixture';
import { TestObjectStore } from './support/object-store/object-store';

jest.setTimeout(120_000);

describe('backup and restore of other installations', () => {
  let fixture: BackupFixture;

  beforeAll(async () => {
    fixture = await BackupFixture.start();
  });
  afterAll(() => fixture.close());

  it('should bring mails of an object store along, put back what it lost, or take all to the disk', async () => {
    const store = await TestObjectStore.start();
    try {
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
      const keys = { JWT_SECRET: source.JWT_SECRET!, ENCRYPTION_KEY: source.ENCRYPTION_KEY! };
      const target = await fixture.installation(keys);
      expect(await fixture.succeed(target, 'restore', folder)).toContain('put 5 mails back');
      expect(await store.objects('backed-up')).toEqual(objects);

      const local = await fixture.installation(keys);
      await fixture.succeed(local, 'restore', folder, '--local');
      expect(await fileHashes(local.ARCHIVE_DIR!)).toEqual(copied);
      const storages = await withDatabase(local.DATABASE_URL!, (client) =>
        client.query('SELECT DISTINCT storage FROM archived_mails'),
      );
      expect(storages.rows).toEqual([{ storage: 'local' }]);
    } finally {
      await store.stop();
    }
  });

  it('should restore a backup of an earlier version and bring it up to date, and refuse one of a later', async () => {
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
          stores: {} as ArchiveStores,
          migrations,
          tables: tables.map(({ name }) => name),
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
