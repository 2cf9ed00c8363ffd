import { IntegrityChecksService } from '../../../../src/keep/integrity/integrity-checks.service';
import { IntegrityModule } from '../../../../src/keep/integrity/integrity.module';
import { ArchiveFixture } from '../../../support/archive/archive-fixture';
import { eml } from '../../../support/archive/eml';
import {
  alerts,
  checkEverything,
  hurry,
  makeAdministrator,
  nextNight,
  StoredFile,
} from '../../../support/integrity/integrity-fixture';
import { startFeature, type Feature, type FeatureUser } from '../../../support/medium/feature';
import { waitFor } from '../../../support/wait';

/** A rest after the first batch that nothing but an interruption ends. */
const FOR_EVER = 1e6;

describe('Jobs of the integrity check', () => {
  let app: Feature;
  let admin: FeatureUser;
  let archive: ArchiveFixture;
  let mailIds: string[];

  const cancel = async (jobId: string): Promise<void> => {
    expect((await admin.api.delete(`/api/jobs/${jobId}`)).status).toBe(204);
  };

  const newestJob = async (): Promise<string> => {
    const [job] = (await admin.api.get('/api/jobs')).body;
    return job.queue_id as string;
  };

  const found = (): Promise<any[]> => app.query('SELECT * FROM integrity_findings');

  beforeAll(async () => {
    app = await startFeature({ modules: [IntegrityModule] });
    admin = await app.user('admin');
    await makeAdministrator(app, admin);
    archive = await ArchiveFixture.connect(app, admin, 'integrity-0@sandbox.mailroom.test');
    const messages = Array.from({ length: 3 }, (_, number) => eml(`Subject: message ${number}`, '', 'Text.'));
    await archive.insertAndArchive(...messages);
    // In the order of the check: messages of one millisecond have no other.
    const rows: { id: string }[] = await app.query('SELECT id FROM archived_mails ORDER BY date, id');
    mailIds = rows.map(({ id }) => id);
  });

  afterAll(() => app?.close());

  it('should stop between batches when cancelled, and notify of its findings', async () => {
    const file = await StoredFile.of(archive, mailIds[0]!);
    await file.alter();
    hurry(app, { nightlyRest: FOR_EVER });
    await app.get(IntegrityChecksService).startNight(nextNight(app));
    const jobId = await newestJob();
    const ending = admin.jobEnd(jobId);
    await waitFor('the damage to be found', async () => (await found()).length === 1);
    await cancel(jobId);
    expect(await ending).toMatchObject({
      type: 'check_integrity',
      status: 'cancelled',
      processed: 1,
    });
    const told = await alerts(app, admin);
    expect(told.map(({ data }) => data)).toEqual([
      { accountId: archive.accountId, checked: 1, missing: 0, altered: 1, mailIds: [mailIds[0]] },
    ]);
    await file.repair();
    hurry(app);
    expect((await checkEverything(admin)).result).toMatchObject({ checked: 3, resolved: 1 });
  });

  it('should stop while it waits for a second check', async () => {
    const file = await StoredFile.of(archive, mailIds[0]!);
    await file.alter();
    hurry(app, { recheckAfterMs: 600_000 });
    const jobId = (await admin.api.post('/api/admin/integrity/check')).body.jobId as string;
    const ending = admin.jobEnd(jobId);
    await waitFor('the check to run', async () => {
      const job = await admin.job(jobId);
      return job.status === 'active' && job.total === 3;
    });
    await cancel(jobId);
    expect((await ending).status).toBe('cancelled');
    expect(await found()).toEqual([]);
    await file.repair();
  });

  it('should not start a nightly check while the previous one is running', async () => {
    hurry(app, { nightlyRest: FOR_EVER });
    const checks = app.get(IntegrityChecksService);
    expect(await checks.startNight(nextNight(app))).toBe(1);
    const jobId = await newestJob();
    // Neither before it has begun nor while it rests.
    expect(await checks.startNight(nextNight(app))).toBe(0);
    const ending = admin.jobEnd(jobId);
    await waitFor('the check to run', async () => (await admin.job(jobId)).status === 'active');
    expect(await checks.startNight(nextNight(app))).toBe(0);
    await cancel(jobId);
    expect((await ending).status).toBe('cancelled');
    hurry(app);
    expect(await checks.startNight(nextNight(app))).toBe(1);
    expect(await admin.jobEnd(await newestJob())).toMatchObject({ status: 'completed' });
  });
});
