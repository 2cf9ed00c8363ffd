import { Client } from 'pg';
import { ExpectedJobs } from '../../../../src/platform/jobs/job-registry';
import { RetentionRunsService } from '../../../../src/archive/retention/retention-runs.service';
import { startTestApp, TestApp } from '../../../support/app';
import { ArchiveFixture } from '../../../support/archive/archive-fixture';
import { eml } from '../../../support/archive/eml';
import { EncryptedArchive, PASSPHRASE } from '../../../support/encryption/encrypted-archive';
import { TestImapServer } from '../../../support/imap/imap-server';
import { inMbox, upload } from '../../../support/imports';
import { type HeldAt, HeldJobs } from '../../../support/jobs/held-jobs';
import { ALL_TIERS } from '../../../support/nightly';
import { FaultBox, PROVIDER_JOBS } from '../../../support/provider-faults/provider-jobs';
import { ServiceProcess } from '../../../support/service-process';
import type { TestUser } from '../../../support/test-user';
import { waitFor } from '../../../support/wait';

const MAILS = 8;
const LONG_AGO = new Date('2020-01-01T10:00:00Z');
const IBAN = 'IBAN FR76 3000 6000 0112 3456 7890 189';
/** Several kinds share a queue that runs one job at a time, and on a busy machine few are held up in a round. */
const MAX_ROUNDS = 20;
const SETTLED_MS = 600;

const message = (name: string, n: number): Buffer =>
  eml(
    'From: a@x.test',
    `Subject: ${name} ${n}`,
    `Message-ID: <${name}-${n}@x.test>`,
    'Date: Wed, 1 Jan 2020 10:00:00 +0000',
    '',
    IBAN,
    '',
  );

/** A job that is under way, and what has to come of it. */
interface Started {
  readonly kind: string;
  readonly owner: TestUser;
  readonly jobId: string;
  readonly result: object;
  effects(): Promise<unknown>;
  readonly expected: unknown;
}

/** At its very end a job has perhaps deleted already what it has worked with. */
const PLACES: readonly HeldAt[] = ALL_TIERS ? ['any checkpoint', 'the end'] : ['any checkpoint'];

/**
 * The jobs are started by one process, which runs none, and done by others: each is killed when a job of the kind has
 * done some of its work, or all of it, and is about to say so. What else can be lost of a kind is in the nightly specs.
 */
describe.each(PLACES)('A kind of job whose process is killed at %s', (at) => {
  let app: TestApp;
  let imap: TestImapServer;
  let session: Client;
  let worker: ServiceProcess | undefined;
  let held: HeldJobs;

  const kinds = (): string[] =>
    app.app
      .get(ExpectedJobs)
      .list()
      .map(({ kind }) => kind);

  beforeAll(async () => {
    [app, imap] = await Promise.all([
      startTestApp({ sandbox: { messages: 1 }, env: { ROLE: 'api' } }),
      TestImapServer.start(),
    ]);
    session = new Client({ connectionString: app.env.DATABASE_URL });
    await session.connect();
  });

  afterAll(async () => {
    await worker?.kill();
    await session?.end();
    await Promise.all([app?.close(), imap?.stop()]);
  });

  const startWorker = async (): Promise<void> => {
    // Each job that is held up holds a connection.
    worker = await ServiceProcess.start({ ...app.env, ROLE: 'worker', DATABASE_POOL_SIZE: '32' });
  };

  const count = async (sql: string, parameter: string): Promise<number> => {
    const [row] = await app.dataSource.query(`SELECT count(*)::int AS count FROM ${sql}`, [parameter]);
    return row.count as number;
  };

  const jobOf = async (type: string, userId: string): Promise<string> => {
    const [row] = await app.dataSource.query(
      `SELECT type || '-' || number AS id FROM jobs WHERE type = $1 AND user_id = $2`,
      [type, userId],
    );
    return row.id as string;
  };

  async function archived(user: TestUser, name: string): Promise<ArchiveFixture> {
    const box = await ArchiveFixture.connect(app, user, `${name}-0@sandbox.mailroom.test`);
    const ids = Array.from({ length: MAILS }, (_, n) =>
      box.mailbox.insert(message(name, n), { labelIds: ['INBOX'], internalDate: LONG_AGO }),
    );
    expect(await box.archive({ messageIds: ids })).toMatchObject({ processed: MAILS, failed: 0 });
    return box;
  }

  async function startAll(): Promise<Started[]> {
    const admin = await app.user('admin');
    const [user, encrypting, keeping, leaving, deleting] = await Promise.all(
      ['user', 'encrypting', 'keeping', 'leaving', 'deleting'].map((name) => app.user(name)),
    );
    await startWorker();
    const encrypted = await EncryptedArchive.connect(app, encrypting!, 'encrypt-0@sandbox.mailroom.test');
    const [scanned, purged, deleted, left, , aged] = await Promise.all([
      archived(user!, 'pii'),
      archived(user!, 'purge'),
      archived(deleting!, 'delete'),
      archived(user!, 'disconnect'),
      archived(leaving!, 'leave'),
      archived(keeping!, 'keep'),
      encrypted.insertAndArchive(...Array.from({ length: MAILS }, (_, n) => message('encrypt', n))),
    ]);
    await encrypted.setUp();
    const boxes: FaultBox[] = [];
    for (const job of PROVIDER_JOBS) {
      const box = await FaultBox.connect(app, await app.user(job.name));
      await job.prepare?.(box);
      boxes.push(box);
    }
    const [fromFile, fromServer] = [
      await user!.connect('mbox-0@sandbox.mailroom.test'),
      await user!.connect('imap-0@sandbox.mailroom.test'),
    ];
    await imap.append(
      'old',
      Array.from({ length: MAILS }, (_, n) => message('imap', n)),
    );
    await keeping!.api.post('/api/retention', { name: 'Old', maxAgeDays: 30 });
    held = await HeldJobs.hold(session, kinds(), at);

    const post = async (owner: TestUser, path: string, body: object = {}): Promise<string> => {
      const answer = await owner.api.post(path, body);
      if (answer.status !== 202)
        throw new Error(`${path} answered ${answer.status}: ${answer.bytes.toString()}`);
      return answer.body.jobId as string;
    };
    const started: Started[] = [];
    for (const [n, job] of PROVIDER_JOBS.entries()) {
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
    const uploaded = await upload(user!, fromFile, file);
    const imported = { imported: MAILS, duplicates: 0, failed: 0 };
    const rows = (accountId: string): Promise<number> =>
      count('archived_mails WHERE account_id = $1', accountId);
    started.push({
      kind: 'import_mbox',
      owner: user!,
      jobId: uploaded.body.jobId as string,
      result: imported,
      effects: () => rows(fromFile),
      expected: MAILS,
    });
    started.push({
      kind: 'import_imap',
      owner: user!,
      jobId: await post(user!, `/api/import/${fromServer}/imap`, {
        ...{
          host: imap.host,
          port: imap.port,
          secure: false,
          user: imap.user,
          pass: imap.pass,
          folder: 'old',
        },
      }),
      result: imported,
      effects: () => rows(fromServer),
      expected: MAILS,
    });
    started.push({
      kind: 'scan_pii',
      owner: user!,
      jobId: await post(user!, `/api/privacy/${scanned.accountId}/pii/scan`),
      result: {},
      effects: () => count('pii_findings WHERE account_id = $1', scanned.accountId),
      expected: MAILS,
    });
    started.push({
      kind: 'delete_archived_mails',
      owner: deleting!,
      jobId: await post(deleting!, `${deleted.path}/delete`, { filter: {}, confirmedCount: MAILS }),
      result: { deleted: MAILS },
      effects: async () => [await rows(deleted.accountId), await deleted.files()],
      expected: [0, []],
    });
    started.push({
      kind: 'encrypt_archives',
      owner: encrypting!,
      jobId: await post(encrypting!, `${encrypted.encryptionPath}/encrypt`, { passphrase: PASSPHRASE }),
      result: { encrypted: MAILS, skipped: 0, failed: 0 },
      effects: async () => {
        const { problems, plain, encrypted: sealed } = await encrypted.inspect({ leftoversAllowed: true });
        return { problems, plain, sealed };
      },
      expected: { problems: [], plain: 0, sealed: MAILS },
    });
    started.push({
      kind: 'check_integrity',
      owner: admin,
      jobId: await post(admin, '/api/admin/integrity/check'),
      result: {},
      effects: () => count('integrity_findings WHERE $1::uuid IS NOT NULL', admin.id),
      expected: 0,
    });
    await app.app.get(RetentionRunsService).startNight('2003-01-01');
    started.push({
      kind: 'run_retention',
      owner: keeping!,
      jobId: await jobOf('run_retention', keeping!.id),
      result: { policiesRun: 1, totalDeleted: MAILS },
      effects: () => rows(aged.accountId),
      expected: 0,
    });
    expect((await user!.api.delete(`/api/auth/mailbox/${purged.accountId}?purge=true`)).status).toBe(204);
    started.push({
      kind: 'purge_account',
      owner: user!,
      jobId: await jobOf('purge_account', user!.id),
      result: {},
      effects: async () => [
        await rows(purged.accountId),
        await count('mailbox_accounts WHERE id = $1', purged.accountId),
      ],
      expected: [0, 0],
    });
    const indexed = await user!.api.get(`/api/dashboard/${left.accountId}/stats`);
    expect(indexed.body).toMatchObject({ totalMessages: MAILS });
    expect((await user!.api.delete(`/api/auth/mailbox/${left.accountId}`)).status).toBe(204);
    started.push({
      kind: 'delete_mailbox_data',
      owner: user!,
      jobId: await jobOf('delete_mailbox_data', user!.id),
      result: {},
      effects: async () => [
        await rows(left.accountId),
        await count('mailbox_messages WHERE account_id = $1', left.accountId),
        await count('mailbox_index_states WHERE account_id = $1', left.accountId),
      ],
      expected: [MAILS, 0, 0],
    });
    const deletion = await admin.api.delete(`/api/admin/users/${leaving!.id}`);
    expect(deletion.status).toBe(202);
    started.push({
      kind: 'delete_user',
      owner: admin,
      jobId: deletion.body.jobId as string,
      result: {},
      effects: async () => [
        await count('users WHERE id = $1', leaving!.id),
        await count('archived_mails WHERE user_id = $1', leaving!.id),
      ],
      expected: [0, 0],
    });
    return started;
  }

  /** Nobody need wait for the leases of the dead, and no job is given up because others were killed before it. */
  async function endLeases(): Promise<void> {
    const tables: { name: string }[] = await app.dataSource.query(
      `SELECT table_name AS name FROM information_schema.columns
       WHERE table_schema = 'public' AND column_name = 'lease_until'`,
    );
    for (const { name } of tables)
      await app.dataSource.query(`UPDATE "${name}" SET lease_until = now() WHERE lease_until > now()`);
    await app.dataSource.query('UPDATE file_deletions SET due_at = now() WHERE due_at > now()');
    await app.dataSource.query(
      'UPDATE jobs SET lost_attempts = least(lost_attempts, 1) WHERE completed_at IS NULL',
    );
  }

  /** Waits until jobs are held up and no more come to it. */
  async function heldUp(): Promise<string[]> {
    let before: string[] = [];
    return waitFor(
      'jobs to be held up',
      async () => {
        const waiting = (await held.waiting()).sort();
        const isAll = waiting.length > 0 && waiting.join() === before.join();
        before = waiting;
        return isAll && waiting;
      },
      60_000,
      SETTLED_MS,
    );
  }

  it('should be finished by the next process, with everything done once', async () => {
    const started = await startAll();
    expect(started.map(({ kind }) => kind).sort()).toEqual(kinds().sort());

    const killed: string[] = [];
    for (let round = 0; held.left.length > 0 && round < MAX_ROUNDS; round += 1) {
      const waiting = await heldUp();
      await worker!.kill();
      await held.letOn(waiting);
      killed.push(...waiting);
      await endLeases();
      await startWorker();
    }
    expect(killed.sort()).toEqual(kinds().sort());

    const ends: object[] = [];
    for (const { kind, owner, jobId, effects } of started) {
      const { status, failed, result } = await owner.jobEnd(jobId);
      ends.push({ kind, status, failed, result, effects: await effects() });
    }
    expect(ends).toEqual(
      started.map(({ kind, result, expected }) => ({
        kind,
        status: 'completed',
        failed: 0,
        result: expect.objectContaining(result),
        effects: expected,
      })),
    );
  }, 360_000);
});
