import type { SandboxMailbox } from '../../../../sandbox/src/sandbox-server';
import { startTestApp, TestApp } from '../../../support/app';
import { KillableService } from '../../../support/killable-service';
import { shownMessages } from '../../../support/newsletters/count-newsletters';
import { expectScanned } from '../../../support/newsletters/expect-scanned';
import { TestUser } from '../../../support/test-user';
import { waitFor } from '../../../support/wait';
import { describeNightly } from '../../../support/nightly';

const MESSAGES = 2_600;

describe('A newsletter scan', () => {
  let sut: TestApp;
  let user: TestUser;
  let boxes = 0;

  beforeAll(async () => {
    sut = await startTestApp({ sandbox: { messages: 1 } });
    user = await sut.user();
    await sut.dataSource.query('UPDATE users SET max_mailbox_accounts = 50');
  });

  afterAll(() => sut?.close());

  beforeEach(() => sut.sandbox.clearFaults());

  async function connect(messages: number): Promise<{ path: string; mailbox: SandboxMailbox }> {
    const email = `scan${(boxes += 1)}-${messages}@sandbox.mailroom.test`;
    const id = await user.connect(email);
    sut.sandbox.stats.reset();
    return { path: `/api/unsubscribe/${id}`, mailbox: sut.sandbox.mailbox(email) };
  }

  async function start(path: string): Promise<string> {
    const { status, body } = await user.api.post(`${path}/scan`);
    expect(status).toBe(202);
    expect(body).toEqual({
      jobId: expect.stringMatching(/^scan_unsubscribe-\d+$/),
      message: 'Newsletter scan started',
    });
    return body.jobId as string;
  }

  it('should stop when it is cancelled, and keep the headers it has read', async () => {
    const { path, mailbox } = await connect(MESSAGES);
    sut.sandbox.fault({ endpoint: 'batch', times: 'always', answer: { kind: 'slow', delayMs: 100 } });
    const jobId = await start(path);
    await waitFor('some messages to be read', async () => {
      const { body } = await user.api.get(`/api/jobs/${jobId}`);
      return body.processed > 0;
    });
    expect((await user.api.delete(`/api/jobs/${jobId}`)).status).toBe(204);
    const job = await user.jobEnd(jobId);
    expect(job).toMatchObject({ status: 'cancelled', failed: 0 });
    expect(job.processed).toBeLessThan(shownMessages(mailbox).length);
    sut.sandbox.clearFaults();
    const read = sut.sandbox.stats.calls['messages.get']!;
    expect(read).toBeGreaterThan(0);
    await expectScanned(user, path, mailbox, await user.jobEnd(await start(path)));
    // What was in flight at the moment of cancellation may be read again.
    expect(sut.sandbox.stats.calls['messages.get']).toBeLessThan(shownMessages(mailbox).length + read);
  });

  it('should fail with a reason when the mailbox can no longer be read', async () => {
    const { path } = await connect(600);
    sut.sandbox.fault({ endpoint: 'oauth.token', answer: { kind: 'invalidGrant' }, times: 'always' });
    sut.sandbox.fault({ endpoint: 'messages.list', answer: { kind: 'unauthorized' }, times: 'always' });
    const job = await user.jobEnd(await start(path));
    expect(job).toMatchObject({ status: 'failed', error_code: 'mailbox-reauth-required' });
    expect(job.error).toMatch(/\w+/);
    const refused = await user.api.post(`${path}/scan`);
    expect([refused.status, refused.body.code]).toEqual([409, 'mailbox-reauth-required']);
  });

  it('should be started once for one idempotency key', async () => {
    const { path } = await connect(10);
    const request = { headers: { 'idempotency-key': 'scan-once' } };
    const first = await user.api.post(`${path}/scan`, undefined, request);
    await user.jobEnd(first.body.jobId as string);
    expect((await user.api.post(`${path}/scan`, undefined, request)).body).toEqual(first.body);
  });

  it('should be refused to all other users', async () => {
    const { path } = await connect(1);
    const stranger = await (await sut.user('stranger')).api.post(`${path}/scan`);
    expect([stranger.status, stranger.body.code]).toEqual([403, 'account-not-owned']);
    expect((await sut.anonymous.post(`${path}/scan`)).status).toBe(401);
  });
});

describeNightly('A newsletter scan whose process is killed', () => {
  let service: KillableService;

  beforeAll(async () => {
    service = await KillableService.start({ sandbox: { latencyMs: 40 } });
  });

  afterAll(() => service?.close());

  it('should continue where it was and find everything', async () => {
    const email = `killed-${MESSAGES}@sandbox.mailroom.test`;
    const { sandbox } = service;
    const user = await service.user();
    const path = `/api/unsubscribe/${await user.connect(email)}`;
    const { body } = await user.api.post(`${path}/scan`);
    const jobId = body.jobId as string;
    await waitFor('the scan to be midway', async () => {
      const { processed, status } = (await user.api.get(`/api/jobs/${jobId}`)).body;
      return status === 'active' && processed >= 500;
    });
    await service.kill();
    await service.begin();
    const job = await user.jobEnd(jobId, 60_000);
    await expectScanned(user, path, sandbox.mailbox(email), job);
    // A page of messages may have been read but not been noted down.
    const shown = shownMessages(sandbox.mailbox(email)).length;
    expect(sandbox.stats.calls['messages.get']).toBeLessThan(shown + 600);
  }, 120_000);
});
