import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { MailScanner } from '../../../../src/privacy/pii/mail-scanner';
import { ArchiveStores } from '../../../../src/archive/files/archive-store.port';
import { startTestApp, TestApp } from '../../../support/app';
import { ArchiveFixture } from '../../../support/archive/archive-fixture';
import { eml } from '../../../support/archive/eml';
import { StoreDouble } from '../../../support/archive/store-double';
import { EncryptedArchive } from '../../../support/encryption/encrypted-archive';
import { TestObjectStore } from '../../../support/object-store/object-store';
import { StatementGate } from '../../../support/statement-gate';
import { ServiceProcess } from '../../../support/service-process';
import { TcpProxy } from '../../../support/tcp-proxy';
import type { TestUser } from '../../../support/test-user';
import { waitFor } from '../../../support/wait';

/** A scan writes its findings this often. */
const BATCH = 500;
/** More than one batch, and so many in the second that it is seen. */
const MAILS = 560;

/** Mails a minute apart, every other one with a card and two phone numbers. */
const mail = (n: number): Buffer =>
  eml(
    'From: Carol Example <carol@example.com>',
    `Subject: number ${n}`,
    `Message-ID: <${n}@example.com>`,
    '',
    n % 2 === 0 ? 'card 4111 1111 1111 1111, call 06 12 34 56 78 or 07 98 76 54 32' : 'nothing in here',
    '',
  );

/** Summary of a scan of the first `mails` mails. */
const summaryOf = (mails: number): object => {
  const affected = Math.ceil(mails / 2);
  return {
    scanned: mails,
    skippedEncrypted: 0,
    findings: affected * 3,
    affectedMails: affected,
    byType: { credit_card: affected, iban: 0, french_ssn: 0, password_plain: 0, phone_fr: affected * 2 },
    truncated: 0,
    failures: [],
  };
};

const insert = ({ mailbox }: ArchiveFixture, from: number, to: number): string[] =>
  Array.from({ length: to - from }, (_, index) =>
    mailbox.insert(mail(from + index), {
      labelIds: ['INBOX'],
      internalDate: new Date(Date.UTC(2024, 0, 1, 0, from + index)),
    }),
  );

const startScan = async ({ user, accountId }: ArchiveFixture): Promise<string> => {
  const { status, body } = await user.api.post(`/api/privacy/${accountId}/pii/scan`);
  expect(status).toBe(202);
  return body.jobId as string;
};

/** Stored findings, oldest mail first, without the columns that every scan writes anew. */
const findings = ({ app, accountId }: ArchiveFixture): Promise<any[]> =>
  app.dataSource.query(
    `SELECT mail_id, mail_date, pii_type, is_first, count, snippet FROM pii_findings
      WHERE account_id = $1 ORDER BY mail_date, mail_id, pii_type`,
    [accountId],
  );

const stats = async ({ user, accountId }: ArchiveFixture): Promise<any> =>
  (await user.api.get(`/api/privacy/${accountId}/pii/stats`)).body;

/** The job is started by one process, which runs none, and done by others, which are killed. */
describe('A scan for personal data whose service is killed', () => {
  let app: TestApp;
  let user: TestUser;
  let box: ArchiveFixture;
  let gate: StatementGate;
  let service: ServiceProcess | undefined;

  beforeAll(async () => {
    app = await startTestApp({ sandbox: { messages: 1 }, env: { ROLE: 'api' } });
    user = await app.user();
    box = await ArchiveFixture.connect(app, user, 'killed-0@sandbox.mailroom.test');
    gate = new StatementGate(app.dataSource);
  });

  afterAll(async () => {
    await gate?.open();
    await service?.stop();
    await app?.close();
  });

  const start = async (): Promise<void> => {
    service = await ServiceProcess.start({ ...app.env, ROLE: 'all' });
  };

  async function killAtGate(): Promise<void> {
    await gate.reached();
    await service!.kill();
    await gate.open({ drop: true });
    // The lease of the killed process ends now.
    await app.dataSource.query(
      `UPDATE jobs SET lease_until = now(), lost_attempts = 0 WHERE type = 'scan_pii'`,
    );
  }

  it('should continue after the last checkpoint, count nothing twice, and have the findings of an undisturbed scan', async () => {
    await start();
    const messageIds = insert(box, 0, MAILS);
    expect(await box.archive({ messageIds }, 120_000)).toMatchObject({ processed: MAILS, failed: 0 });

    // The findings of the first batch are written, that it is done is not.
    await gate.close(
      'jobs',
      'UPDATE',
      `NEW.type = 'scan_pii' AND NEW.checkpoint IS DISTINCT FROM OLD.checkpoint`,
    );
    const jobId = await startScan(box);
    await killAtGate();
    expect(await findings(box)).toHaveLength(BATCH);
    expect((await user.api.get(`/api/jobs/${jobId}`)).body.status).toBe('active');

    // The first batch is done, the second one is being written.
    await gate.close(
      'pii_findings',
      'INSERT',
      `NEW.mail_date >= '2024-01-01T00:00Z'::timestamptz + interval '${BATCH} minutes'`,
    );
    await start();
    await killAtGate();
    expect(await findings(box)).toHaveLength(BATCH);
    expect((await user.api.get(`/api/jobs/${jobId}`)).body).toMatchObject({ processed: BATCH, total: MAILS });

    await start();
    const job = await user.jobEnd(jobId, 90_000);
    expect(job).toMatchObject({
      status: 'completed',
      total: MAILS,
      processed: MAILS,
      failed: 0,
      progress: 100,
    });
    expect(job.result).toEqual(summaryOf(MAILS));
    const found = await findings(box);
    expect(found).toHaveLength(MAILS);
    expect(await stats(box)).toMatchObject({ totalFindings: (MAILS / 2) * 3, affectedMails: MAILS / 2 });

    const undisturbed = await user.jobEnd(await startScan(box), 90_000);
    expect(undisturbed.result).toEqual(job.result);
    expect(await findings(box)).toEqual(found);
  }, 240_000);
});

describe('A scan for personal data that is disturbed', () => {
  let app: TestApp;
  let user: TestUser;
  let objects: TestObjectStore;
  let proxy: TcpProxy;
  let stores: StoreDouble;
  let gate: StatementGate;
  let boxes = 0;

  beforeAll(async () => {
    [app, objects] = await Promise.all([
      startTestApp({ sandbox: { messages: 1 }, env: { OBJECT_STORE_PATIENCE_SECONDS: '6' } }),
      TestObjectStore.start(),
    ]);
    proxy = await TcpProxy.to(objects.endpoint);
    user = await app.user();
    await app.dataSource.query('UPDATE users SET max_mailbox_accounts = 50');
    stores = StoreDouble.over(app.app.get(ArchiveStores));
    gate = new StatementGate(app.dataSource);
    await (await connect()).setUp();
  }, 120_000);

  afterEach(async () => {
    jest.restoreAllMocks();
    stores.behave({});
    proxy.restore();
    await gate.open();
  });

  afterAll(async () => {
    await app?.close();
    await proxy?.close();
  });

  const connect = (): Promise<EncryptedArchive> =>
    EncryptedArchive.connect(app, user, `disturbed${(boxes += 1)}-0@sandbox.mailroom.test`);

  async function archived(box: ArchiveFixture, from: number, to: number): Promise<string[]> {
    const messageIds = insert(box, from, to);
    expect(await box.archive({ messageIds }, 120_000)).toMatchObject({ processed: to - from, failed: 0 });
    const rows = await box.rows();
    return messageIds.map((id) => rows.get(id)!.id as string);
  }

  const useBucket = async (): Promise<void> => {
    const changes = { objstoreEndpoint: proxy.url.replace(/\/$/, '') };
    const { status } = await user.api.put('/api/storage/config', objects.configuration('scanned', changes));
    expect(status).toBe(200);
  };

  /** Removes the first of the mails and has the others encrypted. */
  async function removeOneAndEncryptTheRest(box: EncryptedArchive, [removed]: string[]): Promise<void> {
    const [{ storage_key: key }] = await app.dataSource.query(
      'SELECT storage_key FROM archived_mails WHERE id = $1',
      [removed],
    );
    await app.dataSource.query('DELETE FROM archived_mails WHERE id = $1', [removed]);
    await rm(join(app.archiveDir, key as string));
    expect(await box.encrypt()).toMatchObject({ status: 'completed', failed: 0 });
  }

  it('should stop between batches when it is cancelled, and report its counts', async () => {
    const box = await connect();
    await archived(box, 0, MAILS);
    await gate.close(
      'pii_findings',
      'INSERT',
      `NEW.mail_date >= '2024-01-01T00:00Z'::timestamptz + interval '${BATCH} minutes'`,
    );
    const jobId = await startScan(box);
    await gate.reached();
    expect((await user.api.delete(`/api/jobs/${jobId}`)).status).toBe(204);
    await gate.open();
    const job = await user.jobEnd(jobId);
    expect(job.status).toBe('cancelled');
    // Whether the batch under way was still counted depends on when the job heard of it; the figures agree.
    expect([BATCH, MAILS]).toContain(job.processed);
    expect(job.result).toEqual(summaryOf(job.processed as number));
    expect(await findings(box)).toHaveLength(job.processed as number);
  }, 120_000);

  it.each([
    ['before they are read', 'read'],
    ['after they were scanned', 'scanned'],
  ] as const)('should count nothing of mails that are deleted or encrypted %s', async (_when, at) => {
    const box = await connect();
    const ids = await archived(box, 0, 6);
    let open = (): void => undefined;
    let reached: Promise<void>;
    if (at === 'read') {
      ({ open, reached } = stores.gate('read'));
    } else {
      const scanner = app.app.get(MailScanner);
      const scan = scanner.scan.bind(scanner);
      reached = new Promise((reach) => {
        jest.spyOn(scanner, 'scan').mockImplementation(async (...args) => {
          const outcomes = await scan(...args);
          reach();
          await new Promise<void>((resolve) => (open = resolve));
          return outcomes;
        });
      });
    }
    const jobId = await startScan(box);
    await reached;
    stores.behave({});
    await removeOneAndEncryptTheRest(box, ids);
    open();
    const job = await user.jobEnd(jobId);
    expect(job).toMatchObject({ status: 'completed', failed: 0 });
    expect(job.result).toMatchObject({
      scanned: 0,
      findings: 0,
      affectedMails: 0,
      skippedEncrypted: 5,
      failures: [],
    });
    expect(job.processed).toBe(5);
    expect(await findings(box)).toEqual([]);
  });

  it('should end, and leave no finding, when the account is purged', async () => {
    const box = await connect();
    await archived(box, 0, 6);
    const reading = stores.gate('read');
    const jobId = await startScan(box);
    await reading.reached;
    stores.behave({});
    expect((await user.api.delete(`/api/auth/mailbox/${box.accountId}?purge=true`)).status).toBe(204);
    await waitFor('the mails to be gone', async () => (await box.rows()).size === 0);
    reading.open();
    expect(['cancelled', 'failed']).toContain((await user.jobEnd(jobId)).status);
    expect(await findings(box)).toEqual([]);
  });

  it('should wait for a store that returns, fail clearly on one that does not, and continue later', async () => {
    const box = await connect();
    // On disk, and found before the store is asked for anything.
    await archived(box, 0, BATCH);
    await useBucket();
    const more = 20;
    await archived(box, BATCH, BATCH + more);

    // First the outage that passes: of one that stays, callers that come later do not wait anew.
    proxy.vanish();
    const jobId = await startScan(box);
    await waitFor('the scan to be at the store', async () => {
      return (await user.api.get(`/api/jobs/${jobId}`)).body.processed === BATCH;
    });
    proxy.restore();
    const job = await user.jobEnd(jobId, 60_000);
    expect(job).toMatchObject({ status: 'completed', processed: BATCH + more, failed: 0 });
    expect(job.result).toEqual(summaryOf(BATCH + more));
    expect(await findings(box)).toHaveLength(BATCH + more);

    proxy.vanish();
    const failed = await user.jobEnd(await startScan(box), 60_000);
    expect(failed).toMatchObject({
      status: 'failed',
      error: expect.stringMatching(/^The object store of this archive is not available/),
      total: BATCH + more,
      processed: BATCH,
      failed: 0,
    });
    expect(failed.result).toEqual(summaryOf(BATCH));
    expect(await findings(box)).toHaveLength(BATCH + more);

    proxy.restore();
    const again = await user.jobEnd(await startScan(box), 60_000);
    expect(again).toMatchObject({ status: 'completed', processed: BATCH + more, failed: 0 });
    expect(await findings(box)).toHaveLength(BATCH + more);
  }, 120_000);
});
