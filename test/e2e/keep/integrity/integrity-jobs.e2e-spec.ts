import { IntegrityChecksService } from '../../../../src/keep/integrity/integrity-checks.service';
import { startTestApp, TestApp } from '../../../support/app';
import { ArchiveFixture } from '../../../support/archive/archive-fixture';
import { eml } from '../../../support/archive/eml';
import { IntegrityTimings } from '../../../../src/keep/integrity/integrity-timings';
import {
  alerts,
  checkEnd,
  checkEverything,
  hurry,
  nextNight,
  StoredFile,
} from '../../../support/integrity/integrity-fixture';
import type { TestUser } from '../../../support/test-user';

/** A rest after the first batch that nothing but an interruption ends. */
const FOR_EVER = 1e6;
const PATH = '/api/admin/integrity/check';

describe('Jobs of the integrity check', () => {
  let app: TestApp;
  let admin: TestUser;
  let archive: ArchiveFixture;
  let mailIds: string[];

  const cancel = async (jobId: string): Promise<void> => {
    expect((await admin.api.delete(`/api/jobs/${jobId}`)).status).toBe(204);
  };

  beforeAll(async () => {
    app = await startTestApp({ own: true, sandbox: { messages: 1 } });
    admin = await app.user('admin');
    archive = await ArchiveFixture.connect(app, admin, 'integrity-0@sandbox.mailroom.test');
    const messages = Array.from({ length: 3 }, (_, number) => eml(`Subject: message ${number}`, '', 'Text.'));
    await archive.insertAndArchive(...messages);
    // In the order of the check: messages of one millisecond have no other.
    const rows: { id: string }[] = await app.dataSource.query(
      'SELECT id FROM archived_mails ORDER BY date, id',
    );
    mailIds = rows.map(({ id }) => id);
  });

  afterAll(() => app?.close());

  it('should be one when requested twice, or one for each key', async () => {
    hurry(app, { requestedRest: FOR_EVER });
    const keyed = { headers: { 'idempotency-key': 'once' } };
    const first = await admin.api.post(PATH, undefined, keyed);
    const repeated = await admin.api.post(PATH, undefined, keyed);
    const joined = await Promise.all([admin.api.post(PATH), admin.api.post(PATH)]);
    expect(first.status).toBe(202);
    for (const { status, body } of [repeated, ...joined]) expect([status, body]).toEqual([202, first.body]);
    const own = await admin.api.post(PATH, undefined, { headers: { 'idempotency-key': 'another' } });
    expect(own.body.jobId).not.toBe(first.body.jobId);
    for (const { body } of [own, first]) await cancel(body.jobId as string);
    for (const { body } of [own, first]) {
      expect((await admin.jobEnd(body.jobId as string)).status).toBe('cancelled');
    }
    expect((await admin.api.post(PATH, undefined, keyed)).body).toEqual(first.body);
    hurry(app);
    const job = await checkEverything(admin);
    expect(job).toMatchObject({ status: 'completed', result: { checked: 3 } });
  });

  it('should start one nightly check for several processes, and find damage once', async () => {
    const file = await StoredFile.of(archive, mailIds[0]!);
    await file.alter();
    const told = (await alerts(app, admin)).length;
    const { app: other } = await app.another();
    try {
      Object.assign(other.get(IntegrityTimings), app.app.get(IntegrityTimings));
      const jobs = async (): Promise<any[]> => (await admin.api.get('/api/jobs')).body;
      const before = (await jobs()).length;
      const now = nextNight(app);
      await Promise.all(
        [other, app.app, other, app.app].map((one) => one.get(IntegrityChecksService).startNight(now)),
      );
      expect(await jobs()).toHaveLength(before + 1);
      await checkEnd(admin);
      // Two checks of everything at the same time, one in each process.
      const keys = ['first', 'second'].map((key) => ({ headers: { 'idempotency-key': key } }));
      const started = await Promise.all(keys.map((key) => admin.api.post(PATH, undefined, key)));
      for (const { body } of started) {
        const job = await admin.jobEnd(body.jobId as string);
        expect(job).toMatchObject({ status: 'completed', result: { checked: 3, altered: 1 } });
      }
      expect(await alerts(app, admin)).toHaveLength(told + 1);
    } finally {
      await other.close();
    }
  });
});
