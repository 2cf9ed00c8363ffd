import { filesSettled } from '../../../support/archive/settled-files';
import { randomBytes } from 'node:crypto';
import { startTestApp, TestApp } from '../../../support/app';
import { EncryptedArchive } from '../../../support/encryption/encrypted-archive';
import { ServiceProcess } from '../../../support/service-process';
import type { TestUser } from '../../../support/test-user';
import { waitFor } from '../../../support/wait';

const MIB = 1024 * 1024;
const MAILS = 900;
const LARGE = 2;
const KILLS = 3;

/** The job is started by one process, which runs none, and done by others, which are killed. */
describe('Encrypting an archive in a service that is killed', () => {
  let app: TestApp;
  let user: TestUser;
  let box: EncryptedArchive;
  let service: ServiceProcess | undefined;

  beforeAll(async () => {
    app = await startTestApp({ sandbox: { messages: 1 }, env: { ROLE: 'api' } });
    user = await app.user();
    box = await EncryptedArchive.connect(app, user, 'killed-0@sandbox.mailroom.test');
    await box.setUp();
  });

  afterAll(async () => {
    await service?.stop();
    await app?.close();
  });

  const start = async (): Promise<void> => {
    service = await ServiceProcess.start({ ...app.env, ROLE: 'all' });
  };

  function insert(): string[] {
    const mail = (n: number, bytes: number): string =>
      box.mailbox.insert(
        Buffer.concat([
          Buffer.from(
            `From: a@example.com\r\nSubject: number ${n}\r\nMessage-ID: <${n}@example.com>\r\n\r\n`,
          ),
          Buffer.from(randomBytes(bytes).toString('base64')),
        ]),
        { labelIds: ['INBOX'], internalDate: new Date(Date.UTC(2020, n % 12, 1, 0, 0, n)) },
      );
    return [
      ...Array.from({ length: MAILS }, (_, n) => mail(n, 20_000)),
      ...Array.from({ length: LARGE }, (_, n) => mail(MAILS + n, 8 * MIB)),
    ];
  }

  it('should leave every mail plain or encrypted, and after the last attempt nothing else', async () => {
    const ids = insert();
    const total = ids.length;
    await start();
    expect(await box.archive({ messageIds: ids }, 120_000)).toMatchObject({ processed: total, failed: 0 });
    await service!.stop();
    const jobId = await box.startEncrypting();
    const [{ id }] = await app.dataSource.query(`SELECT id FROM jobs WHERE type = 'encrypt_archives'`);

    const seen: number[] = [];
    for (let killed = 0; killed < KILLS; killed += 1) {
      const before = seen.at(-1) ?? 0;
      const encrypted = async (): Promise<number> =>
        (
          await app.dataSource.query('SELECT encrypted FROM archive_totals WHERE account_id = $1', [
            box.accountId,
          ])
        )[0].encrypted as number;
      await start();
      await waitFor('the job to be midway', async () => (await encrypted()) > before, 90_000);
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 150));
      await service!.kill();
      // The lease of the killed process ends now.
      await app.dataSource.query('UPDATE jobs SET lease_until = now(), lost_attempts = 0 WHERE id = $1', [
        id,
      ]);
      const inspection = await box.inspect({ leftoversAllowed: true });
      expect({ problems: inspection.problems, mails: inspection.plain + inspection.encrypted }).toEqual({
        problems: [],
        mails: total,
      });
      expect(inspection.salts.size).toBe(1);
      seen.push(inspection.encrypted);
    }

    await start();
    const job = await user.jobEnd(jobId, 120_000);
    expect({ seen, job }).toMatchObject({
      job: {
        status: 'completed',
        total,
        processed: total,
        failed: 0,
        result: { encrypted: total, skipped: 0, failed: 0, failures: [] },
      },
    });
    expect(job.result.bytes).toBe(
      [...(await box.rows()).values()].reduce((sum, row) => sum + Number(row.size_bytes), 0),
    );
    await filesSettled(app.dataSource);
    const done = await box.inspect();
    expect(done).toMatchObject({ problems: [], encrypted: total });
    expect(done.salts.size).toBe(1);
    // The first kill was before the end, or the test has shown nothing.
    expect(seen[0]).toBeLessThan(total);
  }, 270_000);
});
