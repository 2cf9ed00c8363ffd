import { startTestApp, type TestApp } from '../../../support/app';
import { GmailImapServer } from '../../../support/imap/gmail/gmail-imap-server';
import { addPlainMail, connectGmailImap, gmailConnection } from '../../../support/peers/gmail-imap-peer';
import type { TestUser } from '../../../support/test-user';
import { waitFor } from '../../../support/wait';

const GIGABYTE = 1_000_000_000;

/** The day in so many days, in UTC. */
const dayIn = (days: number): string =>
  new Date(Date.now() + days * 24 * 60 * 60_000).toISOString().slice(0, 10);

describe('limits of providers by IMAP', () => {
  let sut: TestApp;
  let server: GmailImapServer;
  let user: TestUser;
  let accountId: string;

  beforeAll(async () => {
    sut = await startTestApp();
  });
  afterAll(() => sut?.close());
  beforeEach(async () => {
    server = await GmailImapServer.start();
    user = await sut.user();
  });
  afterEach(() => server.stop());

  const add = (count: number): void => {
    for (let number = 1; number <= count; number += 1) addPlainMail(server, number);
  };
  const connect = async (): Promise<void> => {
    accountId = await connectGmailImap(user, server);
  };
  const forecast = async (): Promise<any> => {
    const { status, body } = await user.api.get(`/api/archive/${accountId}/forecast`);
    expect(status).toBe(200);
    return body;
  };
  /** Makes the listed messages as large as those of a real mailbox. */
  const enlarge = async (bytes: number): Promise<void> => {
    for (const table of ['imap_messages', 'imap_places'])
      await sut.dataSource.query(`UPDATE ${table} SET size = $2 WHERE account_id = $1`, [accountId, bytes]);
  };
  const list = async (): Promise<void> => {
    expect((await user.api.get(`/api/mailbox/${accountId}/messages`)).status).toBe(200);
  };
  const spend = (column: string, bytes: number): Promise<unknown> =>
    sut.dataSource.query(
      `INSERT INTO provider_usage (account_id, minute, endpoint, units, calls, ${column})
       VALUES ($1, date_trunc('minute', now()) - interval '1 hour', 'TEST', 1, 1, $2)`,
      [accountId, bytes],
    );
  const archive = async (): Promise<string> => {
    const { status, body } = await user.api.post(`/api/archive/${accountId}/archive`, {
      query: 'subject:Message',
    });
    expect(status).toBe(202);
    return body.jobId;
  };

  it('should be said before the mailbox is connected, from a sample', async () => {
    add(1_000);
    const wanted = gmailConnection(server);
    const { body: test } = await user.api.post('/api/auth/mailbox/imap/test', wanted);
    expect(test.forecast).toMatchObject({
      provider: 'Gmail',
      messages: 1_000,
      approximate: true,
      bytesPerDay: 2_500_000_000,
      jobBytesPerDay: 2_000_000_000,
      completesOn: null,
      cutFolders: [{ path: '[Gmail]/All Mail', messages: 1_000 }],
    });
    const real = [...server.mailbox.messages].reduce((sum, { raw }) => sum + raw.length, 0);
    expect(Math.abs(test.forecast.bytes - real) / real).toBeLessThan(0.1);
    const { body: connected } = await user.api.post('/api/auth/mailbox/imap', wanted);
    expect(connected.forecast).toEqual(test.forecast);
  });

  it('should be forecast for what is left to archive, by what is known of it', async () => {
    add(20);
    await connect();
    await list();
    await enlarge(1.95 * GIGABYTE);
    // 39 GB at 2 GB a day, of which this day has some left.
    const first = await forecast();
    expect(first).toMatchObject({ messages: 20, bytes: 39 * GIGABYTE, completesOn: dayIn(19) });
    await spend('received_bytes', 2 * GIGABYTE);
    expect((await forecast()).completesOn).toBe(dayIn(20));
    await sut.dataSource.query(`DELETE FROM provider_usage WHERE endpoint = 'TEST'`);
    await enlarge(100);
    expect(await forecast()).toMatchObject({ messages: 20, bytes: 2_000, completesOn: null });
  });

  it('should not count what is archived', async () => {
    add(3);
    await connect();
    await list();
    expect(await forecast()).toMatchObject({ messages: 3, approximate: false });
    await user.jobEnd(await archive());
    expect(await forecast()).toMatchObject({ messages: 0, bytes: 0, completesOn: null });
  });

  it('should name the folders that a provider may have cut', async () => {
    add(1);
    await connect();
    await list();
    await sut.dataSource.query(
      `UPDATE imap_accounts SET preset = 'yahoo', gmail_labels = false WHERE account_id = $1`,
      [accountId],
    );
    await sut.dataSource.query(
      `UPDATE imap_folders SET message_count = 10000 WHERE account_id = $1 AND path = '[Gmail]/All Mail'`,
      [accountId],
    );
    expect(await forecast()).toMatchObject({
      provider: 'Yahoo',
      bytesPerDay: null,
      completesOn: null,
      cutFolders: [{ path: '[Gmail]/All Mail', messages: 10_000 }],
    });
  });

  it('should know nothing of a mailbox of the Gmail API', async () => {
    accountId = await user.connect('limits-3@sandbox.mailroom.test');
    expect(await forecast()).toMatchObject({
      provider: null,
      messages: null,
      bytes: null,
      completesOn: null,
    });
  });

  it('should show nothing to others', async () => {
    await connect();
    const path = `/api/archive/${accountId}/forecast`;
    expect((await sut.anonymous.get(path)).status).toBe(401);
    expect((await (await sut.user()).api.get(path)).status).toBe(403);
  });

  it('should make a job wait until the bytes of the day are free', async () => {
    add(3);
    await connect();
    await list();
    await spend('received_bytes', 2.1 * GIGABYTE);
    const jobId = await archive();
    const job = await waitFor('the job to wait', async () => {
      const { body } = await user.api.get(`/api/jobs/${jobId}`);
      return body.waits_for !== null && body;
    });
    expect(job).toMatchObject({ status: 'pending', waits_for: 'transfer-limit-reached', error: null });
    // The bytes were read an hour ago.
    expect((Date.parse(job.waits_until) - Date.now()) / 3_600_000).toBeCloseTo(23, 0);
    const [listed] = (await user.api.get('/api/jobs')).body;
    expect(listed).toMatchObject({ waits_for: job.waits_for, waits_until: job.waits_until });

    await sut.dataSource.query(`DELETE FROM provider_usage WHERE endpoint = 'TEST'`);
    const done = await waitFor('the job to end', async () => {
      // For some seconds the limit counts as reached, and the job is postponed again.
      await sut.dataSource.query(
        `UPDATE jobs SET due_at = now() WHERE id = $1 AND status = 'pending' AND due_at > now() + interval '1 minute'`,
        [job.id],
      );
      const { body } = await user.api.get(`/api/jobs/${jobId}`);
      return body.completed_at !== null && body;
    });
    expect(done).toMatchObject({ status: 'completed', processed: 3, waits_for: null, waits_until: null });
  });

  it('should be forecast for a restore', async () => {
    add(2);
    await connect();
    await list();
    await user.jobEnd(await archive());
    const { status, body } = await user.api.post(`/api/restore/${accountId}`, {
      select: { filter: {} },
      target: { accountId },
    });
    expect(status).toBe(202);
    await user.jobEnd(body.jobId);
    const shown = async (): Promise<any> =>
      (await user.api.get(`/api/restore/${accountId}/${body.restoreId}`)).body;
    expect((await shown()).completesOn).toBeNull();
    await sut.dataSource.query(`UPDATE restores SET bytes = 3900000000 WHERE id = $1`, [body.restoreId]);
    // 3.9 GB at 400 MB a day.
    expect((await shown()).completesOn).toBe(dayIn(9));
  });
});
