import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { FileDeletions } from '../../../../src/archive/files/file-deletions';
import { RetentionRunsService } from '../../../../src/archive/retention/retention-runs.service';
import { startTestApp, TestApp } from '../../../support/app';
import { AgedMails } from '../../../support/retention/aged-mails';
import { ServiceProcess } from '../../../support/service-process';
import type { TestUser } from '../../../support/test-user';
import { waitFor } from '../../../support/wait';

const DOOMED = 7_000;
const KEPT = 500;

/** The job is started by one process, which runs none, and done by others, which are killed. */
describe('A nightly retention run in a killed service', () => {
  let app: TestApp;
  let user: TestUser;
  let mails: AgedMails;
  let service: ServiceProcess;

  beforeAll(async () => {
    app = await startTestApp({ sandbox: { messages: 1 }, env: { ROLE: 'api' } });
    user = await app.user();
    mails = await AgedMails.connect(app, user, 'killed');
  });

  afterAll(async () => {
    await service?.stop();
    await app?.close();
  });

  async function fill(): Promise<void> {
    const rows: { storage_key: string }[] = await app.dataSource.query(
      `INSERT INTO archived_mails (id, user_id, account_id, mailbox_message_id, thread_id, subject, sender, recipient,
         date, received_at, date_source, size_bytes, has_attachments, label_ids, snippet, storage, storage_key, sha256)
       SELECT id, $1::uuid, $2::uuid, 'm' || n, 't' || n % 700, 'Subject', 'a@b.example', '',
         now() - make_interval(days => CASE WHEN n <= $3 THEN 100 ELSE 3 END, secs => n),
         now() - make_interval(days => CASE WHEN n <= $3 THEN 100 ELSE 3 END, secs => n), 'header', 4, false, '{INBOX}', '',
         'local', concat($1::uuid, '/', $2::uuid, '/2020/', to_char(n % 12 + 1, 'FM00'), '/', id, '.eml'), repeat('0', 64)
       FROM (SELECT n, gen_random_uuid() AS id FROM generate_series(1, $3::int + $4::int) n) numbered
       RETURNING storage_key`,
      [user.id, mails.accountId, DOOMED, KEPT],
    );
    const paths = rows.map(({ storage_key: key }) => join(app.archiveDir, key));
    for (const directory of new Set(paths.map((path) => dirname(path)))) {
      await mkdir(directory, { recursive: true });
    }
    for (const path of paths) await writeFile(path, 'mail');
  }

  const deletedCount = async (): Promise<number> => {
    const { body } = await user.api.get('/api/retention');
    return body[0].deleted_count as number;
  };

  it('should lose no kept mail, leave nothing of deleted mail, and count exactly', async () => {
    await fill();
    const { body: policy } = await user.api.post('/api/retention', { name: 'Old', maxAgeDays: 30 });
    await app.app.get(RetentionRunsService).startNight('2003-01-01');
    const { body: jobs } = await user.api.get('/api/jobs');
    const job = jobs.find(({ type }: { type: string }) => type === 'run_retention');

    const killedAt: number[] = [];
    for (let killed = 0; killed < 2; killed += 1) {
      const before = await deletedCount();
      service = await ServiceProcess.start({ ...app.env, ROLE: 'all' });
      await waitFor('the run to be midway', async () => (await deletedCount()) > before, 120_000);
      await service.kill();
      // The lease of the killed process ends now.
      await app.dataSource.query('UPDATE jobs SET lease_until = now() WHERE id = $1', [job.id]);
      killedAt.push(await deletedCount());
      // Rows and count are of one transaction, and no row is without its file.
      const left = await mails.left();
      expect(left).toHaveLength(DOOMED + KEPT - killedAt[killed]!);
      const files = new Set(await mails.archive.files());
      const keys: { storage_key: string }[] = await app.dataSource.query(
        'SELECT storage_key FROM archived_mails WHERE account_id = $1',
        [mails.accountId],
      );
      expect(keys.filter(({ storage_key: key }) => !files.has(key))).toEqual([]);
    }
    expect(killedAt[1]).toBeGreaterThan(killedAt[0]!);
    expect(killedAt[1]).toBeLessThan(DOOMED);

    service = await ServiceProcess.start({ ...app.env, ROLE: 'all' });
    const done = await user.jobEnd(job.queue_id as string, 120_000);
    expect(done).toMatchObject({
      status: 'completed',
      total: DOOMED,
      processed: DOOMED,
      result: {
        policiesRun: 1,
        totalDeleted: DOOMED,
        perPolicy: [{ policyId: policy.id, name: 'Old', deleted: DOOMED }],
      },
    });
    expect(await deletedCount()).toBe(DOOMED);
    // Files that the killed processes had not deleted are registered; the schedule would delete them within a minute.
    await app.app.get(FileDeletions).drain(mails.accountId);
    const keys: { storage_key: string }[] = await app.dataSource.query(
      'SELECT storage_key FROM archived_mails WHERE account_id = $1 ORDER BY storage_key',
      [mails.accountId],
    );
    expect(keys).toHaveLength(KEPT);
    expect(await mails.archive.files()).toEqual(keys.map(({ storage_key: key }) => key));
    const { kept, counted } = await mails.archive.totals();
    expect(kept).toEqual(counted);
  }, 240_000);
});
