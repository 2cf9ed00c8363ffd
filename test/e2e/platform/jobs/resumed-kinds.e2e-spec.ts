import { definedJobs } from '../../../../src/platform/jobs/job-definition';
import { startTestApp, TestApp } from '../../../support/app';
import { ArchiveFixture } from '../../../support/archive/archive-fixture';
import { eml } from '../../../support/archive/eml';
import { inMbox, upload } from '../../../support/imports';
import { FaultBox, PROVIDER_JOBS } from '../../../support/provider-faults/provider-jobs';
import type { TestUser } from '../../../support/test-user';

const MAILS = 8;
const IBAN = 'IBAN FR76 3000 6000 0112 3456 7890 189';
/** Another job does the rest of these. */
const STARTED_ANEW = [
  'delete_user',
  'encrypt_archives',
  'import_imap',
  'offload_messages',
  'plan_offload',
  'restore_mails',
  'run_retention',
  'run_rule',
];

const message = (name: string, n: number): Buffer =>
  eml('From: a@x.test', `Subject: ${name} ${n}`, `Message-ID: <${name}-${n}@x.test>`, '', IBAN, '');

interface Started {
  readonly kind: string;
  readonly owner: TestUser;
  readonly jobId: string;
  readonly result: object;
  effects(): Promise<unknown>;
  readonly expected: unknown;
}

/**
 * Every kind that says it can be taken up again fails with its second checkpoint, its first if it has no second, or in the
 * middle if it has none.
 */
describe('A kind of job that is resumed after its failure', () => {
  let app: TestApp;

  beforeAll(async () => {
    app = await startTestApp({ sandbox: { messages: 1 }, own: true });
  });

  afterAll(() => app?.close());

  const rows = async (sql: string, parameter: string): Promise<number> => {
    const [row] = await app.dataSource.query(`SELECT count(*)::int AS count FROM ${sql}`, [parameter]);
    return row.count as number;
  };

  async function failCheckpoints(): Promise<void> {
    await app.dataSource.query(
      `CREATE FUNCTION fail_checkpoint() RETURNS trigger LANGUAGE plpgsql AS
         $$ BEGIN RAISE EXCEPTION 'no checkpoint' USING ERRCODE = '23514'; END $$`,
    );
    await app.dataSource.query(
      `CREATE TRIGGER fail_checkpoint BEFORE UPDATE ON jobs FOR EACH ROW
         WHEN (NEW.checkpoint IS DISTINCT FROM OLD.checkpoint AND NEW.checkpoint IS NOT NULL
               AND (OLD.checkpoint IS NOT NULL OR NEW.type IN ('delete_archived_mails', 'keep_copies', 'scan_pii', 'scan_tracking')))
         EXECUTE FUNCTION fail_checkpoint()`,
    );
    await app.dataSource.query(
      'CREATE TRIGGER fail_checkpoint BEFORE DELETE ON mailbox_accounts FOR EACH ROW EXECUTE FUNCTION fail_checkpoint()',
    );
  }

  async function archived(user: TestUser, name: string): Promise<ArchiveFixture> {
    const box = await ArchiveFixture.connect(app, user, `${name}-0@sandbox.mailroom.test`);
    const ids = Array.from({ length: MAILS }, (_, n) => box.mailbox.insert(message(name, n)));
    expect(await box.archive({ messageIds: ids })).toMatchObject({ processed: MAILS, failed: 0 });
    return box;
  }

  async function startAll(): Promise<Started[]> {
    const user = await app.user();
    const [scanned, purged, deleted] = [
      await archived(user, 'pii'),
      await archived(user, 'purge'),
      await archived(user, 'delete'),
    ];
    const imported = await user.connect('mbox-0@sandbox.mailroom.test');
    const boxes: FaultBox[] = [];
    const kinds = PROVIDER_JOBS.filter(({ name }) => !STARTED_ANEW.includes(name));
    for (const job of kinds) {
      const box = await FaultBox.connect(app, await app.user());
      await job.prepare?.(box);
      boxes.push(box);
    }
    await failCheckpoints();
    const started: Started[] = [];
    for (const [n, job] of kinds.entries()) {
      started.push({
        kind: job.name,
        owner: boxes[n]!.user,
        jobId: await job.start(boxes[n]!),
        result: job.result,
        effects: () => job.effectsOf(boxes[n]!),
        expected: job.effects,
      });
    }
    const file = Array.from({ length: MAILS }, (_, n) => inMbox(message('mbox', n).toString())).join('');
    started.push({
      kind: 'import_mbox',
      owner: user,
      jobId: (await upload(user, imported, file)).body.jobId as string,
      result: { imported: MAILS, duplicates: 0, failed: 0 },
      effects: () => rows('archived_mails WHERE account_id = $1', imported),
      expected: MAILS,
    });
    started.push({
      kind: 'scan_pii',
      owner: user,
      jobId: (await user.api.post(`/api/privacy/${scanned.accountId}/pii/scan`)).body.jobId as string,
      result: {},
      effects: () => rows('pii_findings WHERE account_id = $1', scanned.accountId),
      expected: MAILS,
    });
    const deletion = await user.api.post(`${deleted.path}/delete`, { filter: {}, confirmedCount: MAILS });
    started.push({
      kind: 'delete_archived_mails',
      owner: user,
      jobId: deletion.body.jobId as string,
      result: { deleted: MAILS },
      effects: () => rows('archived_mails WHERE account_id = $1', deleted.accountId),
      expected: 0,
    });
    expect((await user.api.delete(`/api/auth/mailbox/${purged.accountId}?purge=true`)).status).toBe(204);
    const [purge] = await app.dataSource.query(
      `SELECT type || '-' || number AS id FROM jobs WHERE type = 'purge_account'`,
    );
    started.push({
      kind: 'purge_account',
      owner: user,
      jobId: purge.id as string,
      result: { accountRemoved: true },
      effects: () => rows('mailbox_accounts WHERE id = $1', purged.accountId),
      expected: 0,
    });
    return started;
  }

  it('should do the rest, everything once', async () => {
    const started = await startAll();
    const resuming = definedJobs().filter(({ resumes }) => resumes);
    expect(started.map(({ kind }) => kind).sort()).toEqual(resuming.map(({ kind }) => kind).sort());
    const failed: object[] = [];
    for (const { kind, owner, jobId } of started) {
      const { status, error_code: code } = await owner.jobEnd(jobId);
      failed.push({ kind, status, code });
    }
    expect(failed).toEqual(started.map(({ kind }) => ({ kind, status: 'failed', code: 'internal-error' })));
    await app.dataSource.query('DROP FUNCTION fail_checkpoint CASCADE');
    const ends: object[] = [];
    for (const { kind, owner, jobId, effects } of started) {
      expect((await owner.api.post(`/api/jobs/${jobId}/resume`)).status).toBe(202);
      const { status, result } = await owner.jobEnd(jobId);
      ends.push({ kind, status, result, effects: await effects() });
    }
    expect(ends).toEqual(
      started.map(({ kind, result, expected }) => ({
        kind,
        status: 'completed',
        result: expect.objectContaining(result),
        effects: expected,
      })),
    );
    const acts: { action: string }[] = await app.dataSource.query(
      `SELECT DISTINCT action FROM audit_entries WHERE action LIKE '%-resumed' ORDER BY action`,
    );
    expect(acts.map(({ action }) => action)).toEqual([
      'account.purge-resumed',
      'mails.archive-resumed',
      'mails.delete-resumed',
      'mails.import-resumed',
      'messages.bulk-resumed',
      'messages.undo-resumed',
    ]);
  }, 120_000);
});
