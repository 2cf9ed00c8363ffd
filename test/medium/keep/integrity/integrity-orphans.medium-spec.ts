import { mkdir, mkdtemp, readdir, rm, symlink, unlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseForArchive } from '../../../../src/archive/mails/archiving/parse-message.task';
import { FileDeletions } from '../../../../src/archive/files/file-deletions';
import { LocalArchiveStore } from '../../../../src/archive/files/local-archive-store';
import { ArchiveWriter } from '../../../../src/archive/mails/writing/archive-writer';
import { IntegrityModule } from '../../../../src/keep/integrity/integrity.module';
import { newId } from '../../../../src/platform/crypto/ids';
import { ArchiveFixture } from '../../../support/archive/archive-fixture';
import { eml } from '../../../support/archive/eml';
import {
  checkEverything,
  checkTonight,
  hurry,
  makeAdministrator,
} from '../../../support/integrity/integrity-fixture';
import { startFeature, type Feature, type FeatureUser } from '../../../support/medium/feature';

const HOUR = 3_600_000;
const CONTENT = 'Subject: left behind\r\n\r\n';

describe('The orphan sweeper', () => {
  let app: Feature;
  let admin: FeatureUser;
  let archive: ArchiveFixture;

  const path = (key: string): string => join(app.archiveDir, key);

  /** A file of an age, in hours. @returns its key */
  const put = async (key: string, hours: number): Promise<string> => {
    await mkdir(dirname(path(key)), { recursive: true });
    await writeFile(path(key), CONTENT);
    await age(key, hours);
    return key;
  };

  const age = async (key: string, hours: number): Promise<void> => {
    const then = new Date(Date.now() - hours * HOUR);
    await utimes(path(key), then, then);
  };

  const keyOf = (userId: string, accountId: string): string =>
    `${userId}/${accountId}/2024/05/${newId()}.eml`;
  const ownKey = (): string => keyOf(archive.user.id, archive.accountId);

  /** Every file and link of the archive, temporary ones apart. */
  const files = async (): Promise<string[]> => {
    const entries = await readdir(app.archiveDir, { recursive: true, withFileTypes: true });
    return entries
      .filter((entry) => !entry.isDirectory())
      .map((entry) => join(entry.parentPath, entry.name).slice(app.archiveDir.length + 1))
      .filter((path) => !path.startsWith('.tmp/'))
      .sort();
  };

  beforeAll(async () => {
    app = await startFeature({ modules: [IntegrityModule], env: { ORPHAN_GRACE_HOURS: '24' } });
    hurry(app);
    admin = await app.user('admin');
    await makeAdministrator(app, admin);
  });

  beforeEach(async () => {
    const user = await app.user();
    archive = await ArchiveFixture.connect(app, user, `orphans-${user.id}@sandbox.mailroom.test`);
    await archive.insertAndArchive(eml('Subject: one', '', 'One.'), eml('Subject: two', '', 'Two.'));
    for (const key of await archive.files()) await age(key, 1_000);
  });

  afterEach(async () => {
    for (const entry of await readdir(app.archiveDir)) {
      if (entry !== '.tmp') await rm(join(app.archiveDir, entry), { recursive: true });
    }
    await app.query('DELETE FROM archived_mails');
  });

  afterAll(() => app?.close());

  it('should delete unreferenced files once they are older than the grace period, and nothing else', async () => {
    const whole = await files();
    const gone = await put(ownKey(), 25);
    const young = await put(ownKey(), 23);
    const job = await checkTonight(app, archive.user);
    expect(job.result).toMatchObject({
      checked: 1,
      orphansRemoved: 1,
      orphanBytes: CONTENT.length,
      orphansKept: 0,
      unknownFiles: 0,
    });
    expect(await files()).toEqual([...whole, young].sort());
    expect(await files()).not.toContain(gone);
    await age(young, 25);
    expect((await checkTonight(app, archive.user)).result).toMatchObject({ orphansRemoved: 1 });
    expect(await files()).toEqual(whole);
  });

  it('should keep files for long that may belong to mail missing in a restored backup', async () => {
    const whole = await files();
    const old = await put(ownKey(), 72);
    await app.query(
      `INSERT INTO restored_backups (backup_id, restored_at) VALUES (gen_random_uuid(), now() - interval '2 days')`,
    );
    try {
      const kept = await checkTonight(app, archive.user);
      expect(kept.result).toMatchObject({ orphansRemoved: 0, orphansKept: 1 });
      expect(await files()).toEqual([...whole, old].sort());
      await app.query(`UPDATE restored_backups SET restored_at = now() - interval '91 days'`);
      expect((await checkTonight(app, archive.user)).result).toMatchObject({ orphansRemoved: 1 });
      expect(await files()).toEqual(whole);
    } finally {
      await app.query('DELETE FROM restored_backups');
    }
  });

  it('should ignore files that it did not write, and count them', async () => {
    const { id } = archive.user;
    const foreign = [
      `${id}/notes.txt`,
      `${id}/${archive.accountId}/2024/05/${newId()}.eml.bak`,
      `${id}/${archive.accountId}/2024/13/${newId()}.eml`,
      `${id}/${archive.accountId}/2024/05/deeper/${newId()}.eml`,
      `lost+found/${newId()}.eml`,
      'readme.txt',
    ];
    for (const key of foreign) await put(key, 1_000);
    const before = await files();
    const job = await checkEverything(admin);
    expect(job.result).toMatchObject({ orphansRemoved: 0, unknownFiles: 4 });
    expect(await files()).toEqual(before);
  });

  it('should follow no link', async () => {
    const elsewhere = await mkdtemp(join(tmpdir(), 'mailroom-elsewhere-'));
    try {
      const [userId, accountId] = [newId(), newId()];
      const target = join(elsewhere, accountId, '2024/05', `${newId()}.eml`);
      await mkdir(dirname(target), { recursive: true });
      await writeFile(target, CONTENT);
      const then = new Date(Date.now() - 1_000 * HOUR);
      await utimes(target, then, then);
      await symlink(elsewhere, path(userId));
      await symlink(join(elsewhere, accountId), path(`${archive.user.id}/${accountId}`));
      const link = ownKey();
      await mkdir(dirname(path(link)), { recursive: true });
      await symlink(target, path(link));
      const before = await files();
      const job = await checkEverything(admin);
      expect(job.result).toMatchObject({ orphansRemoved: 0 });
      expect(await files()).toEqual(before);
      expect(await readdir(dirname(target))).toHaveLength(1);
      await unlink(path(userId));
    } finally {
      await rm(elsewhere, { recursive: true });
    }
  });

  it('should delete the folders of deleted accounts and users, on the local disk', async () => {
    const whole = await files();
    await put(keyOf(archive.user.id, newId()), 25);
    await put(keyOf(newId(), newId()), 25);
    const young = await put(keyOf(newId(), newId()), 1);
    // A user has no say in what is not theirs.
    expect((await checkTonight(app, archive.user)).result).toMatchObject({ orphansRemoved: 1 });
    const nightly = (await admin.api.get('/api/jobs')).body[0];
    const ofAdmin = await admin.jobEnd(nightly.queue_id as string);
    expect(ofAdmin).toMatchObject({ payload: { scope: 'rotation', strays: true } });
    expect(ofAdmin.result).toMatchObject({ checked: 0, orphansRemoved: 1 });
    expect(await files()).toEqual([...whole, young].sort());
  });

  it('should keep files of mail that is now stored elsewhere, or under another id', async () => {
    const rows = [...(await archive.rows()).values()];
    await app.query('UPDATE archived_mails SET storage = $2 WHERE id = $1', [rows[0].id, newId()]);
    const key = await put(ownKey(), 1_000);
    await app.query('UPDATE archived_mails SET storage_key = $2 WHERE id = $1', [rows[1].id, key]);
    await rm(path(rows[1].storage_key as string));
    const before = await files();
    await checkTonight(app, archive.user);
    expect(await files()).toEqual(before);
  });

  it('should keep everything when rows seem to be missing rather than files superfluous', async () => {
    const keys = Array.from({ length: 1_001 }, ownKey);
    for (const key of keys) await put(key, 1_000);
    const before = await files();
    const kept = await checkTonight(app, archive.user);
    expect(kept.result).toMatchObject({ orphansRemoved: 0, orphansKept: 1_001 });
    expect(await files()).toEqual(before);

    await rm(path(keys[0]!));
    const swept = await checkTonight(app, archive.user);
    expect(swept.result).toMatchObject({ orphansRemoved: 1_000, orphansKept: 0 });
    expect(await archive.files()).toHaveLength(2);
  });

  it('should delete the rest of an account whose purge was requested', async () => {
    const accountId = newId();
    await app.query(
      `INSERT INTO jobs (id, type, lane, user_id, payload, status, completed_at, is_cleared)
       VALUES (gen_random_uuid(), 'purge_account', 'maintenance', $1, $2, 'failed', now(), false),
              (gen_random_uuid(), 'purge_account', 'maintenance', $1, '{}', 'completed', now(), true)`,
      [archive.user.id, { accountId }],
    );
    for (let index = 0; index < 1_100; index += 1) await put(keyOf(archive.user.id, accountId), 1_000);
    const { result } = await checkTonight(app, archive.user);
    expect(result).toMatchObject({ orphansRemoved: 1_100, orphansKept: 0 });
    expect(await archive.files()).toHaveLength(2);
  });

  describe('and a writer', () => {
    const raw = eml('Subject: three', '', 'Three.');

    /** Archives a message. */
    const write = async (): Promise<string> => {
      const owner = { userId: archive.user.id, accountId: archive.accountId };
      const mail = {
        messageId: 'the-third',
        threadId: 'the-third',
        date: new Date('2024-05-01T12:00:00Z'),
        receivedAt: new Date('2024-05-01T12:00:00Z'),
        dateSource: 'arrival' as const,
        labelIds: [],
        snippet: '',
        raw,
        parsed: parseForArchive({ raw }),
      };
      await app.get(ArchiveWriter).write(owner, [mail], { replace: false });
      return (await archive.rows()).get('the-third').storage_key as string;
    };

    /** Leaves the file of a mail whose row was never written. */
    const orphaned = async (): Promise<string> => {
      const key = await write();
      await app.query(`DELETE FROM archived_mails WHERE mailbox_message_id = 'the-third'`);
      await age(key, 1_000);
      return key;
    };

    const expectWhole = async (): Promise<void> => {
      const { body } = await archive.user.api.get(`${archive.path}/mails?limit=100`);
      expect(body.total).toBe(3);
      const job = await checkEverything(admin);
      expect(job.result).toMatchObject({ missing: 0, altered: 0, orphansRemoved: 0 });
      expect(await archive.files()).toHaveLength(3);
    };

    it('should not delete the file of a mail that is committed after the file was listed', async () => {
      const store = LocalArchiveStore.prototype;
      const { list, put } = store;
      let commit = (): void => undefined;
      const committing = new Promise<void>((resolve) => (commit = resolve));
      let wrote = (_key: string): void => undefined;
      const written = new Promise<string>((resolve) => (wrote = resolve));
      const puts = jest.spyOn(store, 'put').mockImplementation(async function (
        this: LocalArchiveStore,
        key,
        bytes,
      ) {
        await put.call(this, key, bytes);
        wrote(key);
        await committing;
      });
      const writing = write();
      await age(await written, 1_000);
      const lists = jest.spyOn(store, 'list').mockImplementation(async function* (
        this: LocalArchiveStore,
        prefix,
      ) {
        yield* list.call(this, prefix);
        lists.mockRestore();
        commit();
        await writing;
      });
      const { result } = await checkTonight(app, archive.user);
      puts.mockRestore();
      expect(result).toMatchObject({ orphansRemoved: 0 });
      await expectWhole();
    });

    it('should not delete a file that is being written, however long that takes', async () => {
      const key = ownKey();
      const owner = { userId: archive.user.id, accountId: archive.accountId };
      const fileDeletions = app.get(FileDeletions);
      const reserved = await fileDeletions.reserve([{ ...owner, storage: 'local', storageKey: key }]);
      await put(key, 1_000);
      expect((await checkTonight(app, archive.user)).result).toMatchObject({ orphansRemoved: 0 });
      expect(await archive.files()).toContain(key);
      await reserved.release();
      await fileDeletions.drain(archive.accountId);
      expect(await archive.files()).not.toContain(key);
    });

    it('should delete the writer’s leftovers, and keep the mail that is written again', async () => {
      for (let round = 0; round < 4; round += 1) {
        const key = await orphaned();
        const [{ result }, second] = await Promise.all([checkTonight(app, archive.user), write()]);
        expect(result).toMatchObject({ orphansRemoved: 1 });
        expect(await archive.files()).not.toContain(key);
        await expectWhole();
        await app.query(`DELETE FROM archived_mails WHERE mailbox_message_id = 'the-third'`);
        await rm(path(second));
      }
    });
  });
});
