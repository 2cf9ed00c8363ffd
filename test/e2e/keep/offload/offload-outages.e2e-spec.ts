import { IntegrityTimings } from '../../../../src/keep/integrity/integrity-timings';
import { startTestApp, TestApp } from '../../../support/app';
import { TestObjectStore } from '../../../support/object-store/object-store';
import { OffloadBox } from '../../../support/offload/offload-box';
import { StatementGate } from '../../../support/statement-gate';
import { TcpProxy } from '../../../support/tcp-proxy';
import type { TestUser } from '../../../support/test-user';

/** A batch has 500. */
const FIRST = 500;
const SECOND = 4;

/** What an offload needs goes away after its first batch, and comes back later. */
describe('An offload', () => {
  let sut: TestApp;
  let user: TestUser;
  let gate: StatementGate;

  beforeAll(async () => {
    sut = await startTestApp({
      own: true,
      sandbox: { messages: 1 },
      env: { OBJECT_STORE_PATIENCE_SECONDS: '1' },
    });
    // It would be asked again for almost a minute.
    Object.assign(sut.app.get(IntegrityTimings, { strict: false }), { storeRetriesMs: [100, 400] });
    gate = new StatementGate(sut.dataSource);
  });
  beforeEach(async () => {
    user = await sut.user();
  });
  afterEach(async () => {
    await gate.open();
    sut.sandbox.clearFaults();
  });
  afterAll(() => sut?.close());

  /** Starts an offload, and holds it up when its first batch is in the trash and not yet on record. */
  async function startedWith(box: OffloadBox): Promise<{ planId: string; jobId: string }> {
    const plan = await box.plan();
    expect(plan.offloadable).toBe(FIRST + SECOND);
    await gate.close('offload_items', 'UPDATE', `NEW.state = 'trashed'`);
    const jobId = await box.start(plan);
    await gate.reached();
    return { planId: plan.id as string, jobId };
  }

  async function errorCode(jobId: string): Promise<string> {
    const [row] = await sut.dataSource.query(`SELECT error_code FROM jobs WHERE type || '-' || number = $1`, [
      jobId,
    ]);
    return row.error_code as string;
  }

  /** Each message that is or was in the trash has been verified before, and was put there once. */
  async function expectOnlyVerifiedTrashed(box: OffloadBox, planId: string, messages: number): Promise<void> {
    const items: { message_id: string }[] = await sut.dataSource.query(
      `SELECT message_id FROM offload_items
        WHERE plan_id = $1 AND state = 'trashed' AND verified_at <= trashed_at`,
      [planId],
    );
    expect(items).toHaveLength(messages);
    expect(box.mailbox.received('TRASH').toSorted()).toEqual(
      items.map(({ message_id: id }) => id).toSorted(),
    );
    expect(box.trashed()).toHaveLength(messages);
    expect(box.calls('messages.batchDelete') + box.calls('messages.delete')).toBe(0);
  }

  /** The job has ended in the middle: the rest stays in the inbox until the plan is confirmed again. */
  async function expectStopped(box: OffloadBox, planId: string): Promise<any> {
    const plan = await box.shown(planId);
    expect(plan).toMatchObject({ status: 'stopped', trashed: FIRST, blocked: 0 });
    await expectOnlyVerifiedTrashed(box, planId, FIRST);
    expect((await user.api.get(`${box.offloadPath}/receipts/${planId}`)).status).toBe(404);
    return plan;
  }

  async function expectGoneOnWith(box: OffloadBox, plan: any): Promise<void> {
    const job = await user.jobEnd(await box.start(plan));
    expect(job).toMatchObject({ status: 'completed', processed: SECOND, failed: 0 });
    expect(await box.shown(plan.id as string)).toMatchObject({
      status: 'done',
      trashed: FIRST + SECOND,
      blocked: 0,
    });
    await expectOnlyVerifiedTrashed(box, plan.id as string, FIRST + SECOND);
    expect(await box.holds()).toBe(0);
    const { receipt } = await box.receipt(plan.id as string);
    expect(JSON.parse(receipt.statement as string).counts).toMatchObject({
      trashed: FIRST + SECOND,
      blocked: 0,
      left: 0,
    });
  }

  it('should stop when the store of the copies becomes unavailable, and continue when it is confirmed again', async () => {
    const store = await TestObjectStore.start();
    const proxy = await TcpProxy.to(store.endpoint);
    try {
      const configuration = store.configuration('offload-outage', { objstoreEndpoint: proxy.url });
      expect((await user.api.put('/api/storage/config', configuration)).status).toBe(200);
      const box = await OffloadBox.filled(sut, user, FIRST + SECOND);
      const { planId, jobId } = await startedWith(box);
      proxy.vanish();
      await gate.open();
      const job = await user.jobEnd(jobId);
      expect(job).toMatchObject({ status: 'failed', processed: FIRST });
      expect(job.error).toMatch(/^The object store of this archive is not available: /);
      expect(await errorCode(jobId)).toBe('archive-store-unavailable');
      const plan = await expectStopped(box, planId);

      // As long as it is away, nothing more leaves.
      const again = await user.jobEnd(await box.start(plan));
      expect(again).toMatchObject({ status: 'failed', processed: 0 });
      await expectStopped(box, planId);

      proxy.restore();
      await expectGoneOnWith(box, plan);
    } finally {
      await proxy.close();
    }
  });

  it('should stop when the grant is revoked, and continue when the mailbox is connected again', async () => {
    const box = await OffloadBox.filled(sut, user, FIRST + SECOND);
    const { email } = box.mailbox;
    const { planId, jobId } = await startedWith(box);
    sut.sandbox.fault({ endpoint: 'oauth.token', times: 'always', answer: { kind: 'invalidGrant' } });
    sut.sandbox.fault({ email, times: 'always', answer: { kind: 'unauthorized' } });
    await gate.open();
    const job = await user.jobEnd(jobId);
    expect(job).toMatchObject({ status: 'failed', processed: FIRST });
    expect(await errorCode(jobId)).toBe('mailbox-reauth-required');
    const plan = await expectStopped(box, planId);
    expect(await box.confirm(plan)).toMatchObject({ status: 409, body: { code: 'mailbox-reauth-required' } });

    sut.sandbox.clearFaults();
    expect(await user.connect(email)).toBe(box.accountId);
    await expectGoneOnWith(box, plan);
  });
});
