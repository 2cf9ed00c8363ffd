import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { HEADER_BYTES, MAGIC } from '../../../../src/archive/passphrases/encrypted-file';
import { PassphrasesService } from '../../../../src/archive/passphrases/passphrases.service';
import { ArchiveStores } from '../../../../src/archive/files/archive-store.port';
import { ArchiveListEntry } from '../../../../src/operations/backup/archive-list';
import { readJsonLines } from '../../../../src/operations/backup/files';
import { parseManifest, type Manifest } from '../../../../src/operations/backup/manifest';
import { BackupTimings } from '../../../../src/operations/backup/backup-timings';
import { Progress } from '../../../../src/operations/backup/progress';
import { Backup } from '../../../../src/operations/backup/backup';
import { MIGRATIONS } from '../../../../src/schema';
import { TestApp } from '../../../support/app';
import { ArchiveFixture } from '../../../support/archive/archive-fixture';
import { eml, emlWithAttachment } from '../../../support/archive/eml';
import { BackupFixture, fileHashes, tableHashes, withDatabase } from '../../../support/backup/backup-fixture';
import { encryptMails, PASSPHRASE } from '../../../support/encryption/encrypted-mail';
import { TestObjectStore } from '../../../support/object-store/object-store';
import { TestUser } from '../../../support/test-user';

jest.setTimeout(120_000);

describe('backup and restore of encrypted mails', () => {
  let fixture: BackupFixture;
  let source: Readonly<Record<string, string>>;
  let app: TestApp;
  let user: TestUser;
  let archive: ArchiveFixture;
  let folders = 0;

  beforeEach(async () => {
    fixture = await BackupFixture.start();
    source = await fixture.installation();
    app = await fixture.serve(source);
    user = await app.user();
    archive = await ArchiveFixture.connect(app, user, 'encrypted-30@sandbox.mailroom.test');
    await archive.archive({ query: 'in:anywhere' });
  });

  afterEach(async () => {
    await app.close();
    await fixture.close();
  });

  const newFolder = (): string => fixture.folder(`backup-${(folders += 1)}`);
  const setUp = (): Promise<void> => app.app.get(PassphrasesService).setUp(user.id, PASSPHRASE);
  const manifestOf = async (path: string): Promise<Manifest> =>
    parseManifest(await readFile(join(path, 'manifest.json'), 'utf8'));
  const listOf = async (path: string): Promise<ArchiveListEntry[]> => {
    const entries: ArchiveListEntry[] = [];
    const { file } = (await manifestOf(path)).archive.list;
    for await (const entry of readJsonLines<ArchiveListEntry>(join(path, file))) entries.push(entry);
    return entries;
  };
  const empty = (settings: Record<string, string> = {}) =>
    fixture.installation({
      JWT_SECRET: source.JWT_SECRET!,
      ENCRYPTION_KEY: source.ENCRYPTION_KEY!,
      ...settings,
    });
  /** Each mail's file is there and is what its row says. */
  const expectWhole = async (env: Readonly<Record<string, string>>): Promise<any[]> => {
    const files = await fileHashes(env.ARCHIVE_DIR!);
    const rows = await withDatabase(env.DATABASE_URL!, async (client) => {
      const result = await client.query(
        `SELECT mail.*, words.words::text AS words FROM archived_mails mail
           JOIN archived_mail_words words ON words.mail_id = mail.id ORDER BY mail.id`,
      );
      return result.rows;
    });
    expect(Object.fromEntries(rows.map((row) => [row.storage_key, row.sha256]))).toEqual(files);
    return rows;
  };

  it('should restore them unchanged, with the hash of the passphrase', async () => {
    await setUp();
    const ids = [...(await archive.rows()).values()].map(({ id }) => id as string);
    await encryptMails(archive, ids.slice(0, 20));
    await app.close();
    const folder = newFolder();
    const output = await fixture.succeed(source, 'backup', folder);
    expect(output).toContain('copied 30 new files,');
    const { archive: archived, database } = await manifestOf(folder);
    expect(archived).toMatchObject({ mails: 30, problemCount: 0 });
    expect(database.tables.find(({ table }) => table === 'encryption_passphrases')).toMatchObject({
      rows: 1,
    });
    expect(await fileHashes(join(folder, 'archive'))).toEqual(await fileHashes(source.ARCHIVE_DIR!));
    expect(await fixture.succeed(source, 'backup', folder)).toContain('copied 0 new files,');

    const target = await empty();
    await fixture.succeed(target, 'restore', folder);
    const [before, after] = [
      await tableHashes(source.DATABASE_URL!),
      await tableHashes(target.DATABASE_URL!),
    ];
    for (const table of ['archived_mails', 'archived_mail_words', 'encryption_passphrases', 'archive_totals'])
      expect([table, after[table]]).toEqual([table, before[table]]);
    expect(after.encryption_passphrases).toMatch(/^1 rows/);
    await expectWhole(target);
    app = await fixture.serve(target);
    expect(await app.app.get(PassphrasesService).verify(user.id, PASSPHRASE)).toBe(true);
  });

  it('should detect in the backup those that were altered', async () => {
    await encryptMails(archive);
    const folder = newFolder();
    await fixture.succeed(source, 'backup', folder);
    expect(await fixture.succeed(source, 'restore', folder, '--verify-only')).toContain(
      'The backup is whole',
    );
    const [entry] = await listOf(folder);
    const file = join(folder, 'archive', entry!.path!);
    const bytes = await readFile(file);
    bytes.writeUInt8(bytes.readUInt8(HEADER_BYTES) ^ 1, HEADER_BYTES);
    await writeFile(file, bytes);
    const { error } = await fixture.command(source, 'restore', folder, '--verify-only');
    expect(error?.message).toContain(entry!.path);
  });

  it('should copy the files of mails encrypted since, and delete the plain ones only with --prune', async () => {
    const folder = newFolder();
    await fixture.succeed(source, 'backup', folder);
    const plain = Object.keys(await fileHashes(join(folder, 'archive')));
    // In the order of keys such a folder lies between the mails of its month.
    const rows = [...(await archive.rows()).values()].sort((a, b) =>
      a.storage_key < b.storage_key ? -1 : 1,
    );
    const middle = rows[15].id as string;
    const old = `${middle.slice(0, 8)}${'f'.repeat(8)}`;
    const encrypted = await encryptMails(archive, [middle], { folder: old });
    for (const [id, row] of await encryptMails(archive, [rows[3].id as string])) encrypted.set(id, row);
    expect(await fixture.succeed(source, 'backup', folder)).toContain('copied 2 new files,');
    const both = Object.keys(await fileHashes(join(folder, 'archive')));
    const added = [...encrypted.values()].map((row) => row.storage_key as string);
    expect(both.sort()).toEqual([...plain, ...added].sort());

    expect(await fixture.succeed(source, 'backup', folder, '--prune')).toContain('Removed 2 files ');
    expect(await fileHashes(join(folder, 'archive'))).toEqual(await fileHashes(source.ARCHIVE_DIR!));
    expect(await fixture.succeed(source, 'backup', folder, '--prune')).not.toContain('Removed');
    const target = await empty();
    await fixture.succeed(target, 'restore', folder);
    expect(await expectWhole(target)).toHaveLength(30);
  });

  /** A backup of this process, with a say in what happens when a file is read. */
  const backupWith = async (path: string, beforeRead: (key: string) => Promise<void>): Promise<Manifest> => {
    const stores = app.app.get(ArchiveStores);
    const local = await stores.find('local');
    const reading = new Proxy(local, {
      get: (store, property) => {
        if (property !== 'read') return Reflect.get(store, property);
        return async (key: string) => {
          await beforeRead(key);
          return local.read(key);
        };
      },
    });
    const backup = new Backup(
      {
        databaseUrl: source.DATABASE_URL!,
        encryptionKey: Buffer.from(source.ENCRYPTION_KEY!, 'hex'),
        archiveDir: source.ARCHIVE_DIR!,
        stores: { find: async () => reading } as unknown as ArchiveStores,
        migrations: MIGRATIONS.map(({ name }) => name),
        tables: app.dataSource.entityMetadatas.map(({ tableName }) => tableName),
        timings: new BackupTimings(60_000),
      },
      new Progress(() => undefined),
    );
    return (await backup.take(path, { prune: false })).manifest;
  };

  const restored = async (
    path: string,
  ): Promise<{ rows: any[]; target: Readonly<Record<string, string>> }> => {
    const target = await empty();
    const { error, lines } = await fixture.command(target, 'restore', path, '--new-key');
    expect([lines.filter((line) => line.includes('altered')), error]).toEqual([[], null]);
    return { target, rows: await expectWhole(target) };
  };

  it('should miss none that is encrypted while the first pass looks for its file', async () => {
    const rows = [...(await archive.rows()).values()];
    let isEncrypted = false;
    const path = newFolder();
    const manifest = await backupWith(path, async () => {
      if (isEncrypted) return;
      isEncrypted = true;
      await encryptMails(archive);
    });
    expect(manifest.archive).toMatchObject({ mails: rows.length, problemCount: 0 });
    const list = await listOf(path);
    expect(list.map(({ state }) => state)).toEqual(rows.map(() => 'sound'));
    const { rows: after } = await restored(path);
    expect(after.map((row) => row.is_encrypted)).toEqual(rows.map(() => true));
    // Nothing is copied under a name of its own, as what is altered would be.
    expect(
      Object.keys(await fileHashes(join(path, 'archive'))).filter((key) => !key.endsWith('.eml')),
    ).toEqual([]);
  });

  it('should back up the new row and file of one encrypted while the second pass looks for it', async () => {
    let late: string[] = [];
    const path = newFolder();
    const manifest = await backupWith(path, async (key) => {
      if (late.length === 0) {
        late = [''];
        // After the first pass has listed the mails: only the second one knows these.
        late = await archive.insertAndArchive(
          eml('Subject: encrypted late', '', 'Rhinoceros.'),
          eml('Subject: stays plain', '', 'Hippopotamus.'),
        );
      }
      const row = [...(await archive.rows()).values()].find(({ id }) => id === late[0]);
      if (!row || row.is_encrypted || row.storage_key !== key) return;
      // The passphrase, too, is younger than the snapshot.
      await setUp();
      await encryptMails(archive, [late[0]!]);
    });
    expect(manifest.archive).toMatchObject({ mails: 32, problems: [], problemCount: 0 });
    expect(manifest.database.tables.find(({ table }) => table === 'encryption_passphrases')?.rows).toBe(1);
    const { rows, target } = await restored(path);
    expect(rows).toHaveLength(32);
    const encrypted = rows.filter((row) => row.is_encrypted);
    expect(encrypted.map(({ id }) => id as string)).toEqual([late[0]]);
    const [now] = [...(await archive.rows()).values()].filter(({ id }) => id === late[0]);
    expect(encrypted[0]).toMatchObject({
      ...now,
      // The restore has another key: contents are compared anew.
      content_mac: null,
      // The message may have been offloaded since the backup.
      may_be_offloaded: true,
    });
    expect(encrypted[0].words).toContain('late');
    expect(encrypted[0].words).not.toContain('rhinoceros');
    expect(rows.find(({ id }) => id === late[1]).words).toContain('hippopotamus');
    const bytes = await readFile(join(target.ARCHIVE_DIR!, encrypted[0].storage_key as string));
    expect(bytes.subarray(0, MAGIC.length)).toEqual(MAGIC);
    const totals = await withDatabase(target.DATABASE_URL!, (client) =>
      client.query('SELECT mails, encrypted FROM archive_totals'),
    );
    expect(totals.rows).toEqual([{ mails: 32, encrypted: 1 }]);
  });

  it('should back up the new version of a mail archived again while the second pass looks for it', async () => {
    let late: string[] = [];
    const path = newFolder();
    const rowOf = async (id: string): Promise<any> =>
      [...(await archive.rows()).values()].find((row) => row.id === id);
    let messageId = '';
    const manifest = await backupWith(path, async (key) => {
      if (late.length === 0) {
        late = [''];
        const attached = emlWithAttachment({
          disposition: 'filename="a.txt"',
          content: Buffer.from('attached'),
        });
        late = await archive.insertAndArchive(attached);
      }
      const row = await rowOf(late[0]!);
      if (row?.storage_key !== key) return;
      messageId = row.mailbox_message_id as string;
      // What is archived again because its file was lost gets a new row and a new key.
      await rm(join(source.ARCHIVE_DIR!, key));
      await archive.archive({ messageIds: [messageId], differential: false });
    });
    const now = (await archive.rows()).get(messageId);
    expect(now.id).not.toBe(late[0]);
    expect(manifest.archive).toMatchObject({ mails: 31, problems: [], problemCount: 0 });
    const { rows, target } = await restored(path);
    expect(rows).toHaveLength(31);
    expect(rows.find(({ mailbox_message_id: id }) => id === messageId)).toMatchObject({
      id: now.id,
      storage_key: now.storage_key,
      words: expect.stringContaining('attach'),
    });
    const attachments = await withDatabase(target.DATABASE_URL!, (client) =>
      client.query('SELECT filename FROM archived_attachments WHERE mail_id = $1', [now.id]),
    );
    expect(attachments.rows).toEqual([{ filename: 'a.txt' }]);
  });

  it('should include those of an object store, and restore them', async () => {
    const store = await TestObjectStore.start();
    expect((await user.api.put('/api/storage/config', store.configuration('encrypted'))).status).toBe(200);
    const objects = await ArchiveFixture.connect(app, user, 'objects-12@sandbox.mailroom.test');
    await objects.archive({ query: 'in:anywhere' });
    const ids = [...(await objects.rows()).values()].map(({ id }) => id as string);
    await encryptMails(objects, ids.slice(0, 8));
    await app.close();
    const folder = newFolder();
    expect(await fixture.succeed(source, 'backup', folder)).toContain('copied 42 new files,');
    const before = await store.objects('encrypted');
    expect(before).toHaveLength(12);
    const lost = before.filter((_object, index) => index % 3 === 0);
    for (const { key } of lost) await store.remove('encrypted', key);
    const target = await empty();
    expect(await fixture.succeed(target, 'restore', folder)).toContain(`put ${lost.length} mails back`);
    expect(await store.objects('encrypted')).toEqual(before);
  });
});
