import { mkdir, rename } from 'node:fs/promises';
import { LocalArchiveStore } from '../../../../src/archive/files/local-archive-store';
import { IntegrityChecksService } from '../../../../src/keep/integrity/integrity-checks.service';
import { IntegrityModule } from '../../../../src/keep/integrity/integrity.module';
import { AccountRemovalModule } from '../../../../src/operations/account-deletion/account-removal.module';
import { ArchiveFixture } from '../../../support/archive/archive-fixture';
import { eml } from '../../../support/archive/eml';
import { encryptMails } from '../../../support/encryption/encrypted-mail';
import {
  alerts,
  checkEnd,
  checkEverything,
  checkTonight,
  hurry,
  makeAdministrator,
  nextNight,
  StoredFile,
} from '../../../support/integrity/integrity-fixture';
import { startFeature, type Feature, type FeatureUser } from '../../../support/medium/feature';
import type { ServiceUser } from '../../../support/tested-service';

describe('The integrity check', () => {
  let app: Feature;
  let admin: FeatureUser;
  let boxes = 0;

  const message = (number: number): Buffer =>
    eml(`Subject: message ${number}`, 'From: alice@example.com', '', `The text of ${number}.`);

  /** A user of their own with an archive of so many mails. */
  const archiveOf = async (count: number): Promise<{ archive: ArchiveFixture; mailIds: string[] }> => {
    const archive = await connect(await app.user());
    const mailIds = await archive.insertAndArchive(...Array.from({ length: count }, (_, i) => message(i)));
    return { archive, mailIds };
  };

  const connect = (user: FeatureUser): Promise<ArchiveFixture> =>
    ArchiveFixture.connect(app, user, `integrity${(boxes += 1)}-0@sandbox.mailroom.test`);

  const findings = (archive: ArchiveFixture): Promise<any[]> =>
    app.query('SELECT mail_id, problem FROM integrity_findings WHERE account_id = $1 ORDER BY mail_id', [
      archive.accountId,
    ]);

  beforeAll(async () => {
    app = await startFeature({ modules: [IntegrityModule, AccountRemovalModule] });
    hurry(app);
    admin = await app.user('admin');
    await makeAdministrator(app, admin);
  });

  afterAll(() => app?.close());

  describe('of an archive with damage', () => {
    let archive: ArchiveFixture;
    let damaged: StoredFile[];

    beforeAll(async () => {
      const made = await archiveOf(6);
      archive = made.archive;
      damaged = await Promise.all(made.mailIds.slice(0, 4).map((id) => StoredFile.of(archive, id)));
      await damaged[0]!.remove();
      await damaged[1]!.alter();
      await damaged[2]!.truncate();
      await damaged[3]!.extend();
    });

    it('should notify the owner, not the administrator, of missing and altered files', async () => {
      const job = await checkEverything(admin);
      expect(job).toMatchObject({ status: 'completed', progress: 100, failed: 0 });
      expect(job.total).toBe(job.processed);
      expect(job.result).toMatchObject({ missing: 1, altered: 3, resolved: 0 });
      const { accountId } = archive;
      expect(job.result.problems).toHaveLength(4);
      expect(job.result.problems).toEqual(
        expect.arrayContaining([
          { mailId: damaged[0]!.mailId, accountId, problem: 'missing' },
          ...damaged.slice(1).map(({ mailId }) => ({ mailId, accountId, problem: 'altered' })),
        ]),
      );
      expect(await alerts(app, admin)).toEqual([]);
      const told = await alerts(app, archive.user);
      expect(told).toHaveLength(1);
      expect(told[0].title).toBe('Archived mail is damaged');
      expect(told[0].data).toMatchObject({ accountId, checked: 6, missing: 1, altered: 3 });
      expect([...told[0].data.mailIds].sort()).toEqual(damaged.map(({ mailId }) => mailId).sort());
      expect(await findings(archive)).toHaveLength(4);
    });

    it('should show nothing of an archive that was never checked', async () => {
      const { archive: fresh } = await archiveOf(1);
      expect((await fresh.user.api.get(`/api/archive/${fresh.accountId}/integrity`)).body).toEqual({
        total: 1,
        checkedThisWeek: 0,
        lastCheckedAt: null,
        damagedCount: 0,
        damaged: [],
      });
    });

    it('should report it again but notify of it once', async () => {
      const job = await checkEverything(admin);
      expect(job.result).toMatchObject({ missing: 1, altered: 3 });
      expect(await alerts(app, archive.user)).toHaveLength(1);
    });

    it('should notify of new damage only', async () => {
      const { archive: own, mailIds } = await archiveOf(2);
      const [first, second] = await Promise.all(mailIds.map((id) => StoredFile.of(own, id)));
      await first!.alter();
      await checkEverything(admin);
      await second!.alter();
      await checkEverything(admin);
      const told = await alerts(app, own.user);
      expect(told.map(({ data }) => data.mailIds)).toEqual([[second!.mailId], [first!.mailId]]);
    });

    it('should clear repaired findings, and notify of them when the files are damaged again', async () => {
      for (const file of damaged) await file.repair();
      const repaired = await checkEverything(admin);
      expect(repaired.result).toMatchObject({ resolved: 4 });
      expect(await findings(archive)).toEqual([]);
      expect(await alerts(app, archive.user)).toHaveLength(1);
      await damaged[1]!.alter();
      await checkEverything(admin);
      const told = await alerts(app, archive.user);
      expect([told.length, told[0].data.mailIds]).toEqual([2, [damaged[1]!.mailId]]);
      await damaged[1]!.repair();
      await checkEverything(admin);
    });

    it('should not notify users who switched it off', async () => {
      const { archive: own, mailIds } = await archiveOf(1);
      await own.user.api.put('/api/notifications/preferences', { integrity_alert: false });
      await (await StoredFile.of(own, mailIds[0]!)).remove();
      const job = await checkEverything(admin);
      expect(job.result.problems).toContainEqual({
        mailId: mailIds[0],
        accountId: own.accountId,
        problem: 'missing',
      });
      expect(await alerts(app, own.user)).toEqual([]);
    });

    it('should report a folder in place of a file as damage', async () => {
      const { archive: own, mailIds } = await archiveOf(1);
      const file = await StoredFile.of(own, mailIds[0]!);
      await file.remove();
      await mkdir(file.path);
      const job = await checkEverything(admin);
      expect(job).toMatchObject({ status: 'completed' });
      expect(await findings(own)).toEqual([{ mail_id: mailIds[0], problem: 'altered' }]);
    });

    it('should check disconnected accounts, and encrypted files by their own hash', async () => {
      const { archive: own, mailIds } = await archiveOf(2);
      await encryptMails(own, [mailIds[0]!]);
      const other = await StoredFile.of(own, mailIds[1]!);
      await other.alter();
      expect((await own.user.api.delete(`/api/auth/mailbox/${own.accountId}`)).status).toBe(204);
      await checkEverything(admin);
      expect(await findings(own)).toEqual([{ mail_id: other.mailId, problem: 'altered' }]);
    });
  });

  describe('of a night', () => {
    it('should reach every mail within seven nights, whatever is added', async () => {
      const { archive } = await archiveOf(20);
      const { user } = archive;
      const files = new Map<string, number>();
      const damageAll = async (ids: Iterable<string>): Promise<void> => {
        for (const id of ids) await (await StoredFile.of(archive, id)).alter();
      };
      await damageAll([...(await archive.rows()).values()].map(({ id }) => id as string));
      for (let night = 0; night < 7; night += 1) {
        const job = await checkTonight(app, user);
        expect(job).toMatchObject({ status: 'completed', progress: 100 });
        expect(job.result.checked).toBeGreaterThan(0);
        files.set(`night ${night}`, job.result.checked);
        if (night === 2) await archive.insertAndArchive(message(100), message(101), message(102));
      }
      const rows = [...(await archive.rows()).values()];
      expect((await findings(archive)).length).toBe(20);
      expect(rows).toHaveLength(23);
      // A part each night, not everything in the first one.
      expect(files.get('night 0')).toBe(Math.ceil(20 / 6));
      // Each was told of in the night that found it: four a night.
      expect((await alerts(app, user)).length).toBe(5);
    });

    it('should create one job for each user with an archive, however often it is started', async () => {
      const { archive } = await archiveOf(1);
      const idle = await app.user();
      const checks = app.get(IntegrityChecksService);
      const now = nextNight(app);
      await Promise.all([checks.startNight(now), checks.startNight(now), checks.startNight(now)]);
      await checkEnd(archive.user);
      await checks.startNight(now);
      const jobsOf = async (user: ServiceUser): Promise<any[]> => (await user.api.get('/api/jobs')).body;
      const nightly = (await jobsOf(archive.user)).filter(({ type }) => type === 'check_integrity');
      expect(nightly).toHaveLength(1);
      expect(nightly[0].payload).toEqual({
        scope: 'rotation',
        night: now.toISOString().slice(0, 10),
        strays: false,
      });
      expect(await jobsOf(idle)).toEqual([]);
      // That all is well goes without saying.
      const { body } = await archive.user.api.get('/api/notifications');
      expect(JSON.stringify(body)).not.toContain('check_integrity');
    });

    it('should be made up for when it was missed', async () => {
      const { archive } = await archiveOf(1);
      const checks = app.get(IntegrityChecksService);
      const count = async (): Promise<number> =>
        (await archive.user.api.get('/api/jobs')).body.filter(
          ({ type }: { type: string }) => type === 'check_integrity',
        ).length;
      await checks.startMissed(new Date());
      expect(await count()).toBe(0);
      await checks.startMissed(new Date(Date.now() + 37 * 3_600_000));
      await checkEnd(archive.user);
      expect(await count()).toBe(1);
    });
  });

  describe('while mail is added and deleted', () => {
    it('should not report mail as damaged that is removed or replaced in the meantime', async () => {
      const { archive, mailIds } = await archiveOf(3);
      const [removed, replaced] = await Promise.all(mailIds.map((id) => StoredFile.of(archive, id)));
      const change = async (): Promise<void> => {
        await removed!.remove();
        await app.query('DELETE FROM archived_mails WHERE id = $1', [removed!.mailId]);
        await replaced!.extend();
        await app.query(
          `UPDATE archived_mails SET size_bytes = size_bytes + 4, sha256 = encode(sha256($2::bytea), 'hex')
           WHERE id = $1`,
          [replaced!.mailId, Buffer.concat([replaced!.bytes, Buffer.from('more')])],
        );
      };
      const { get } = LocalArchiveStore.prototype;
      let changed: Promise<void> | undefined;
      const reads = jest.spyOn(LocalArchiveStore.prototype, 'get').mockImplementation(async function (
        this: LocalArchiveStore,
        ...read
      ) {
        // After the rows were read, before the files are.
        if (read[0].includes(archive.accountId)) await (changed ??= change());
        return get.apply(this, read);
      });
      // Six mails in two accounts would be looked at by the rotation in part only.
      const job = await checkEverything(admin);
      reads.mockRestore();
      expect(changed).toBeDefined();
      expect(job.status).toBe('completed');
      expect(await findings(archive)).toEqual([]);
      expect(await alerts(app, archive.user)).toEqual([]);
    });
  });

  describe('when the archive directory is not there', () => {
    it('should fail with an error, find nothing, and continue when it is back', async () => {
      const { archive } = await archiveOf(2);
      const away = `${app.archiveDir}-away`;
      await rename(app.archiveDir, away);
      await mkdir(app.archiveDir);
      const failed = await checkTonight(app, archive.user);
      expect(failed).toMatchObject({ status: 'failed', error: expect.stringContaining('mounted') });
      expect(await findings(archive)).toEqual([]);
      await rename(app.archiveDir, `${away}-empty`);
      await rename(away, app.archiveDir);
      const job = await checkTonight(app, archive.user);
      expect(job.result).toMatchObject({ missing: 0, altered: 0 });
    });
  });

  describe('when a store cannot be read', () => {
    /** Lets reads of an archive's files fail. */
    const refuse = ({ accountId }: ArchiveFixture, times: number): jest.SpyInstance => {
      const { get } = LocalArchiveStore.prototype;
      let refused = 0;
      return jest.spyOn(LocalArchiveStore.prototype, 'get').mockImplementation(async function (
        this: LocalArchiveStore,
        ...read
      ) {
        if (!read[0].includes(accountId) || refused === times) return get.apply(this, read);
        refused += 1;
        throw Object.assign(new Error('EACCES: not now'), { code: 'EACCES' });
      });
    };

    it('should retry, and find nothing', async () => {
      const { archive } = await archiveOf(1);
      const reads = refuse(archive, 1);
      const job = await checkTonight(app, archive.user);
      const ofArchive = reads.mock.calls.filter(([key]) => key.includes(archive.accountId));
      reads.mockRestore();
      expect(job).toMatchObject({ status: 'completed', result: { checked: 1, missing: 0, altered: 0 } });
      expect(ofArchive).toHaveLength(2);
    });

    it('should eventually fail, and continue with the same mails the next night', async () => {
      const { archive } = await archiveOf(6);
      const reads = refuse(archive, Infinity);
      const failed = await checkTonight(app, archive.user);
      reads.mockRestore();
      expect(failed).toMatchObject({ status: 'failed', error: expect.any(String) });
      expect(failed.error).not.toContain('EACCES');
      expect(await findings(archive)).toEqual([]);
      const { body } = await archive.user.api.get('/api/notifications');
      expect(JSON.stringify(body)).toContain('Integrity check failed');
      for (let night = 0; night < 6; night += 1) {
        expect((await checkTonight(app, archive.user)).result.checked).toBe(1);
      }
      const [{ checked }] = await app.query('SELECT checked FROM integrity_states WHERE account_id = $1', [
        archive.accountId,
      ]);
      expect(Number(checked)).toBe(6);
    });

    it('should not keep mail in other stores from being checked, nor report a store without access as damage', async () => {
      const user = await app.user();
      const [lost, whole] = [await connect(user), await connect(user)].sort((a, b) =>
        a.accountId < b.accountId ? -1 : 1,
      ) as [ArchiveFixture, ArchiveFixture];
      await lost.insertAndArchive(message(1));
      const [mailId] = await whole.insertAndArchive(message(2));
      await app.query(`UPDATE archived_mails SET storage = $2 WHERE account_id = $1`, [
        lost.accountId,
        '01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d',
      ]);
      await (await StoredFile.of(whole, mailId!)).alter();
      const job = await checkTonight(app, user);
      expect(job).toMatchObject({ status: 'failed', error: expect.stringContaining('not configured') });
      expect(await findings(lost)).toEqual([]);
      expect(await findings(whole)).toHaveLength(1);
      expect(await alerts(app, user)).toHaveLength(1);
      await app.query(`UPDATE archived_mails SET storage = 'local' WHERE account_id = $1`, [lost.accountId]);
    });
  });
});
