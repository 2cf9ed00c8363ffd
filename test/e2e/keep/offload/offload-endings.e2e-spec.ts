import { RunningJobs } from '../../../../src/platform/jobs/running-jobs';
import { OffloadPlansService } from '../../../../src/keep/offload/plans/offload-plans.service';
import { LateOutcomes } from '../../../../src/keep/offload/running/late-outcomes';
import { ExpiredOffloads } from '../../../../src/keep/offload/running/expired-offloads';
import { OffloadTimings } from '../../../../src/keep/offload/running/trash-mover';
import { startTestApp, TestApp } from '../../../support/app';
import { OffloadBox } from '../../../support/offload/offload-box';
import { StatementGate } from '../../../support/statement-gate';
import type { TestUser } from '../../../support/test-user';
import { waitFor } from '../../../support/wait';

const MESSAGES = 4;
const PATIENT = { graceMs: 3_000, lateMs: 3_000 };
/** While the provider is away nothing is learnt, however long it takes. */
const IMPATIENT = { graceMs: 500, lateMs: 500 };

/** Whatever way a run ends, what was moved is said, protected, and can be taken back. */
describe('An offload that ends in the middle of a batch', () => {
  let sut: TestApp;
  let user: TestUser;
  let gate: StatementGate;

  beforeAll(async () => {
    sut = await startTestApp({ own: true, sandbox: { messages: 1 } });
    gate = new StatementGate(sut.dataSource);
    user = await sut.user();
    await sut.dataSource.query('UPDATE users SET max_mailbox_accounts = 50');
  });
  beforeEach(() => sut.tune(OffloadTimings, PATIENT));
  afterEach(async () => {
    await gate.open();
    sut.sandbox.clearFaults();
  });
  afterAll(() => sut?.close());

  const get = <T>(type: new (...parameters: never[]) => T): T => sut.app.get(type, { strict: false });
  const states = async (planId: string): Promise<Record<string, number>> => {
    const rows: { state: string; count: number }[] = await sut.dataSource.query(
      'SELECT state, count(*)::int AS count FROM offload_items WHERE plan_id = $1 GROUP BY state',
      [planId],
    );
    return Object.fromEntries(rows.map(({ state, count }) => [state, count]));
  };
  const expire = (planId: string): Promise<unknown> =>
    sut.dataSource.query(
      `WITH plan AS (UPDATE offload_plans SET expires_at = now() - interval '2 days' WHERE id = $1 RETURNING job_number)
       UPDATE jobs SET completed_at = now() - interval '2 days' FROM plan
       WHERE jobs.number = plan.job_number AND jobs.type = 'offload_messages'`,
      [planId],
    );
  const allTrashed = (box: OffloadBox): Promise<void> =>
    waitFor('the messages in the trash', async () => box.trashed().length === box.ids.length).then(
      () => undefined,
    );

  /** An offload whose provider goes away after it has moved the messages; its job is cancelled. */
  async function cutOff(): Promise<{ box: OffloadBox; planId: string; job: any }> {
    const box = await OffloadBox.filled(sut, user, MESSAGES);
    sut.tune(OffloadTimings, IMPATIENT);
    const plan = await box.plan();
    await gate.close('offload_items', 'UPDATE', `NEW.state = 'trashing'`);
    const jobId = await box.start(plan);
    await gate.reached();
    const { email } = box.mailbox;
    for (const endpoint of ['history.list', 'profile.get', 'messages.get', 'batch'])
      sut.sandbox.fault({ email, endpoint, times: 'always', answer: { kind: 'unavailable' } });
    await gate.open();
    await allTrashed(box);
    await user.api.delete(`/api/jobs/${jobId}`);
    return { box, planId: plan.id as string, job: await user.jobEnd(jobId, 30_000) };
  }

  /** The provider answers again. */
  const bringBack = (): void => {
    sut.tune(OffloadTimings, PATIENT);
    sut.sandbox.clearFaults();
  };

  it('should resolve it before a cancelled job reports its result', async () => {
    const box = await OffloadBox.filled(sut, user, MESSAGES);
    const plan = await box.plan();
    await gate.close('offload_items', 'UPDATE', `NEW.state = 'trashing'`);
    const jobId = await box.start(plan);
    await gate.reached();
    const slow = { kind: 'slow', delayMs: 1_000 } as const;
    sut.sandbox.fault({ email: box.mailbox.email, endpoint: 'history.list', times: 'always', answer: slow });
    await gate.open();
    await allTrashed(box);
    await user.api.delete(`/api/jobs/${jobId}`);
    const job = await user.jobEnd(jobId, 30_000);
    expect(job).toMatchObject({ status: 'cancelled', result: { trashed: MESSAGES, left: 0, unknown: 0 } });
    sut.sandbox.clearFaults();
    expect(await box.shown(plan.id as string)).toMatchObject({
      status: 'stopped',
      trashed: MESSAGES,
      unknown: 0,
    });
    const refused = await user.api.delete(`${box.offloadPath}/plans/${plan.id}`);
    expect([refused.status, refused.body.code]).toEqual([409, 'plan-done']);
    const undo = await user.api.post(`/api/jobs/${jobId}/undo`);
    expect((await user.jobEnd(undo.body.jobId as string)).result).toMatchObject({ restored: MESSAGES });
    expect(box.trashed()).toEqual([]);
  });

  it('should report it as unknown while the provider is unavailable, and resolve it afterwards', async () => {
    const { box, planId, job } = await cutOff();
    expect(job).toMatchObject({ status: 'cancelled', result: { trashed: 0, left: 0, unknown: MESSAGES } });
    expect(await box.shown(planId)).toMatchObject({ status: 'stopped', trashed: 0, unknown: MESSAGES });
    const refused = await user.api.delete(`${box.offloadPath}/plans/${planId}`);
    expect([refused.status, refused.body.code]).toEqual([409, 'plan-running']);
    // Their copies stay held until it is known.
    await get(OffloadPlansService).releaseAbandoned();
    expect(await box.holds()).toBe(MESSAGES);

    bringBack();
    await sut.dataSource.query(`UPDATE jobs SET completed_at = completed_at - interval '2 minutes'`);
    expect(await get(LateOutcomes).recordAll()).toBe(1);
    expect(await box.shown(planId)).toMatchObject({ status: 'stopped', trashed: MESSAGES, unknown: 0 });
    expect(await box.holds()).toBe(0);
    await expire(planId);
    expect(await get(ExpiredOffloads).endExpired()).toBe(1);
    const { receipt } = await box.receipt(planId);
    expect(JSON.parse(receipt.statement as string).counts).toEqual({
      selected: MESSAGES,
      trashed: MESSAGES,
      blocked: 0,
      left: 0,
    });
    const undo = await user.api.post(`/api/jobs/${job.queue_id}/undo`);
    expect((await user.jobEnd(undo.body.jobId as string)).result).toMatchObject({ restored: MESSAGES });
  });

  it('should not move messages once its process may have lost the job', async () => {
    const box = await OffloadBox.filled(sut, user, MESSAGES);
    const plan = await box.plan();
    await gate.close('offload_items', 'UPDATE', `NEW.state = 'trashing'`);
    const jobId = await box.start(plan);
    await gate.reached();
    // As after a suspension of the process: its clock has gone on, and no heartbeat has told it yet.
    const running = (get(RunningJobs) as any).heartbeat.held.find((each: any) => each.jobId === jobId);
    running.leaseRenewedAt = -Infinity;
    await gate.open();
    await waitFor('the attempt to be given up', async () => !get(RunningJobs).ids.includes(jobId));
    expect(box.mailbox.received('TRASH')).toEqual([]);
    expect(box.calls('messages.batchModify')).toBe(0);
    await sut.dataSource.query('UPDATE jobs SET lease_until = now() WHERE lease_until > now()');
    expect(await user.jobEnd(jobId, 60_000)).toMatchObject({ status: 'completed', processed: MESSAGES });
    expect(box.trashed()).toEqual(box.ids);
  });

  it('should write nothing once another process has the job', async () => {
    const box = await OffloadBox.filled(sut, user, MESSAGES);
    const plan = await box.plan();
    const slow = { kind: 'slow', delayMs: 1_500 } as const;
    sut.sandbox.fault({ email: box.mailbox.email, endpoint: 'messages.batchModify', answer: slow });
    const jobId = await box.start(plan);
    await allTrashed(box);
    await sut.dataSource.query(
      `UPDATE jobs SET lease_token = gen_random_uuid(), lease_until = now() + interval '1 hour' WHERE type || '-' || number = $1`,
      [jobId],
    );
    await waitFor('the attempt to be given up', async () => !get(RunningJobs).ids.includes(jobId));
    expect(await states(plan.id as string)).toEqual({ trashing: MESSAGES });
    await sut.dataSource.query(`UPDATE jobs SET lease_until = now() WHERE lease_until > now()`);
    expect(await user.jobEnd(jobId, 60_000)).toMatchObject({ status: 'completed', processed: MESSAGES });
  });

  it('should keep its owner and its mailbox from being deleted in the meantime', async () => {
    const owner = await sut.user('owner');
    const box = await OffloadBox.filled(sut, owner, MESSAGES);
    const plan = await box.plan();
    await gate.close('offload_items', 'UPDATE', `NEW.state = 'verified'`);
    const jobId = await box.start(plan);
    await gate.reached();
    const purge = await owner.api.delete(`/api/auth/mailbox/${box.accountId}?purge=true`);
    expect([purge.status, purge.body.code]).toEqual([409, 'offload-running']);
    const deletion = await user.api.delete(`/api/admin/users/${owner.id}`);
    expect([deletion.status, deletion.body.code]).toEqual([409, 'offload-running']);
    await gate.open();
    expect(await owner.jobEnd(jobId)).toMatchObject({ status: 'completed', processed: MESSAGES });
  });
});
