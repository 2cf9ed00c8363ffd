import { KillableService } from '../../../support/killable-service';
import type { TestUser } from '../../../support/test-user';
import { waitFor } from '../../../support/wait';

const MAILS = 1_500;
const MIB = 1024 * 1024;

/** The check of a service that is killed in the middle of it. */
describe('A killed integrity check', () => {
  let service: KillableService;
  let user: TestUser;

  beforeAll(async () => {
    service = await KillableService.start({ sandbox: { messages: 0 } });
    user = await service.user('crash');
    const accountId = await user.connect('crash-0@sandbox.mailroom.test');
    const message = Buffer.concat([Buffer.from('Subject: large\r\n\r\n'), Buffer.alloc(MIB, 'line\r\n')]);
    const id = service.sandbox.mailbox('crash-0@sandbox.mailroom.test').insert(message);
    const archived = await user.api.post(`/api/archive/${accountId}/archive`, { messageIds: [id] });
    await user.jobEnd(archived.body.jobId as string);
    // Many mails, one file: what is read is as much as if each had its own.
    await service.query(
      `INSERT INTO archived_mails (id, user_id, account_id, mailbox_message_id, thread_id, subject, sender, recipient,
         date, size_bytes, has_attachments, label_ids, snippet, storage, storage_key, sha256)
       SELECT gen_random_uuid(), user_id, account_id, 'copy ' || n, thread_id, subject, sender, recipient,
         date + n * interval '1 minute', size_bytes, has_attachments, label_ids, snippet, storage, storage_key,
         CASE WHEN n IN (1, $1 - 1) THEN repeat('0', 64) ELSE sha256 END
       FROM archived_mails, generate_series(1, $1::int - 1) n`,
      [MAILS],
    );
  });

  afterAll(() => service?.close());

  it('should continue, check every mail, and notify of all findings once', async () => {
    const { body } = await user.api.post('/api/admin/integrity/check');
    const jobId = body.jobId as string;
    const checkpoint = async (): Promise<number> => {
      const rows = await service.query(`SELECT checkpoint FROM jobs WHERE type = 'check_integrity'`);
      return rows[0].checkpoint?.processed ?? 0;
    };
    const before = await waitFor('the check to be midway', async () => (await checkpoint()) || undefined);
    await service.kill();
    const saved = await checkpoint();
    expect(saved).toBeGreaterThanOrEqual(before);
    expect(saved).toBeLessThan(MAILS);
    expect(await service.query(`SELECT 1 FROM notifications WHERE type = 'integrity_alert'`)).toEqual([]);
    await service.begin();
    const job = await user.jobEnd(jobId, 50_000);
    expect(job).toMatchObject({ status: 'completed', total: MAILS, processed: MAILS, progress: 100 });
    expect(job.result).toMatchObject({ checked: MAILS, altered: 2, missing: 0 });
    expect(job.result.problems).toHaveLength(2);
    const rows = await service.query(`SELECT data FROM notifications WHERE type = 'integrity_alert'`);
    expect(rows).toHaveLength(1);
    expect(rows[0].data).toMatchObject({ checked: MAILS, altered: 2, missing: 0 });
    expect(rows[0].data.mailIds).toHaveLength(2);
  });
});
