import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { verifyReceipt } from '../../../../src/operations/cli/receipt-command';
import { RunningJobs } from '../../../../src/platform/jobs/running-jobs';
import { OffloadPlansService } from '../../../../src/keep/offload/plans/offload-plans.service';
import { LateOutcomes } from '../../../../src/keep/offload/running/late-outcomes';
import { ExpiredOffloads } from '../../../../src/keep/offload/running/expired-offloads';
import { PlanEnding } from '../../../../src/keep/offload/running/plan-ending';
import { OffloadTimings, TrashMover } from '../../../../src/keep/offload/running/trash-mover';
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
    jest.restoreAllMocks();
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

  it('should sign as unknown an outcome that is not known in time, and keep the receipt when it becomes known', async () => {
    const { box, planId, job } = await cutOff();
    await expire(planId);
    expect(await get(ExpiredOffloads).endExpired()).toBe(1);
    const { receipt, items } = await box.receipt(planId);
    const statement = JSON.parse(receipt.statement as string);
    expect(statement).toMatchObject({
      counts: { selected: MESSAGES, trashed: 0, blocked: 0, left: 0, unknown: MESSAGES },
      bytes: 0,
      items: { count: MESSAGES },
    });
    const lines = items.toString('utf8').trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line))).toEqual(
      box.ids.map((messageId) => expect.objectContaining({ messageId, trashedAt: null, outcome: 'unknown' })),
    );
    expect(await states(planId)).toEqual({ unknown: MESSAGES });
    expect(await box.shown(planId)).toMatchObject({ status: 'done', trashed: 0, unknown: MESSAGES });

    bringBack();
    expect(await get(LateOutcomes).recordAll()).toBe(1);
    expect(await states(planId)).toEqual({ trashed: MESSAGES });
    expect(await box.shown(planId)).toMatchObject({ status: 'done', trashed: MESSAGES, unknown: 0 });
    const later = await box.receipt(planId);
    expect(later.receipt).toEqual(receipt);
    expect(later.items.equals(items)).toBe(true);
    const folder = mkdtempSync(join(tmpdir(), 'mailroom-unknown-'));
    try {
      const keys = (await user.api.get('/api/offload/keys')).body;
      const key = keys.find(({ keyId }: any) => keyId === receipt.keyId);
      writeFileSync(join(folder, 'key.pem'), key.publicKey as string);
      writeFileSync(join(folder, 'receipt.json'), JSON.stringify(receipt));
      writeFileSync(join(folder, 'items.ndjson'), later.items);
      const printed: string[] = [];
      await verifyReceipt(
        join(folder, 'receipt.json'),
        { key: join(folder, 'key.pem'), items: join(folder, 'items.ndjson') },
        (line) => void printed.push(line),
      );
      expect(printed[1]).toContain(`Unknown: ${MESSAGES} messages`);
    } finally {
      rmSync(folder, { recursive: true });
    }
    const undo = await user.api.post(`/api/jobs/${job.queue_id}/undo`);
    expect((await user.jobEnd(undo.body.jobId as string)).result).toMatchObject({ restored: MESSAGES });
  });

  it('should write nothing late when a job has worked on the plan in the meantime', async () => {
    const { planId } = await cutOff();
    bringBack();
    const mover = get(TrashMover);
    const resolve = mover.resolveOutcomes.bind(mover);
    const asked = jest.spyOn(mover, 'resolveOutcomes').mockImplementation(async (...parameters) => {
      const resolved = await resolve(...parameters);
      await sut.dataSource.query('UPDATE offload_plans SET batches = batches + 1 WHERE id = $1', [planId]);
      return resolved;
    });
    await sut.dataSource.query(`UPDATE jobs SET completed_at = completed_at - interval '2 minutes'`);
    const before = await states(planId);
    await get(LateOutcomes).recordAll();
    expect(asked).toHaveBeenCalled();
    expect(await states(planId)).toEqual(before);
  });

  it('should leave messages of an ended plan as its receipt states, whatever happened to them', async () => {
    const { planId } = await cutOff();
    const first = `SELECT state, reason FROM offload_items WHERE plan_id = $1 AND position = (
      SELECT min(position) FROM offload_items WHERE plan_id = $1)`;
    await sut.dataSource.query(
      `UPDATE offload_items SET state = 'ready' WHERE plan_id = $1 AND position = (
        SELECT min(position) FROM offload_items WHERE plan_id = $1)`,
      [planId],
    );
    await expire(planId);
    expect(await get(ExpiredOffloads).endExpired()).toBe(1);
    const signed = await sut.dataSource.query(first, [planId]);
    bringBack();
    expect(await get(LateOutcomes).recordAll()).toBeGreaterThan(0);
    expect(await sut.dataSource.query(first, [planId])).toEqual(signed);
    expect(await states(planId)).toMatchObject({ trashed: MESSAGES - 1 });
  });

  it('should resolve it before its plan ends, although no job continues it', async () => {
    const { box, planId } = await cutOff();
    bringBack();
    await expire(planId);
    expect(await get(ExpiredOffloads).endExpired()).toBe(1);
    const { receipt } = await box.receipt(planId);
    expect(JSON.parse(receipt.statement as string).counts).toEqual({
      selected: MESSAGES,
      trashed: MESSAGES,
      blocked: 0,
      left: 0,
    });
  });

  it('should protect the copy of a message that was gone before it could be resolved', async () => {
    const { box, planId } = await cutOff();
    for (const id of box.ids) box.mailbox.remove(id);
    bringBack();
    expect(await user.jobEnd(await box.start(await box.shown(planId)))).toMatchObject({
      status: 'completed',
      result: { trashed: 0, blockedBy: { gone: MESSAGES } },
    });
    for (const row of (await box.rows()).values())
      expect(row).toMatchObject({ offload_plan_id: planId, presence: 'gone' });
    const policy = await user.api.post('/api/retention', {
      name: 'Old',
      mailboxAccountId: box.accountId,
      maxAgeDays: 1,
    });
    expect((await user.api.post('/api/retention/run')).body).toMatchObject({ totalDeleted: 0 });
    await user.api.delete(`/api/retention/${policy.body.id}`);
    expect((await box.rows()).size).toBe(MESSAGES);
  });

  it('should end the other plans when one cannot be ended', async () => {
    const [first, second] = [await cutOff(), await cutOff()];
    bringBack();
    await expire(first.planId);
    await expire(second.planId);
    const ending = get(PlanEnding);
    const end = ending.end.bind(ending);
    jest.spyOn(ending, 'end').mockImplementation((owner, planId, ...rest) => {
      if (planId === first.planId) throw new Error('This plan cannot be ended');
      return end(owner, planId, ...rest);
    });
    expect(await get(ExpiredOffloads).endExpired()).toBe(1);
    expect((await second.box.shown(second.planId)).status).toBe('done');
    jest.restoreAllMocks();
    expect(await get(ExpiredOffloads).endExpired()).toBe(1);
    expect((await first.box.shown(first.planId)).status).toBe('done');
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

  it('should hold copies for a resumed plan while abandoned ones are searched for', async () => {
    const box = await OffloadBox.filled(sut, user, MESSAGES);
    const plan = await box.plan();
    await gate.close('offload_items', 'UPDATE', `NEW.state = 'verified'`);
    const jobId = await box.start(plan);
    await gate.reached();
    await user.api.delete(`/api/jobs/${jobId}`);
    await gate.open();
    expect(await user.jobEnd(jobId)).toMatchObject({ status: 'cancelled' });
    expect(await box.holds()).toBe(MESSAGES);
    // As a confirmation does it, which has not been committed when the search begins.
    const setEnd = (
      end: string,
      runner: { query: (sql: string, parameters: unknown[]) => Promise<unknown> },
    ) => runner.query(`UPDATE jobs SET completed_at = ${end} WHERE type || '-' || number = $1`, [jobId]);
    const confirming = sut.dataSource.createQueryRunner();
    await confirming.startTransaction();
    await confirming.query('SELECT 1 FROM offload_plans WHERE id = $1 FOR UPDATE', [plan.id]);
    await setEnd('NULL', confirming);
    const releasing = get(OffloadPlansService).releaseAbandoned();
    await Promise.race([releasing, new Promise((resolve) => setTimeout(resolve, 1_000))]);
    await confirming.commitTransaction();
    await confirming.release();
    expect(await releasing).toBe(0);
    expect(await box.holds()).toBe(MESSAGES);
    await setEnd('now()', sut.dataSource);
    expect(await get(OffloadPlansService).releaseAbandoned()).toBe(MESSAGES);
  });

  it('should keep its messages where a policy was created after the plan', async () => {
    const box = await OffloadBox.filled(sut, user, MESSAGES);
    const removing = {
      name: 'Soon',
      mailboxAccountId: box.accountId,
      maxAgeDays: 1,
      includeOffloaded: true,
    };
    const plan = await box.plan();
    const policy = await user.api.post('/api/retention', removing);
    const job = await user.jobEnd(await box.start(plan));
    expect(job).toMatchObject({ total: 0, result: { blockedBy: { 'policy-would-remove': MESSAGES } } });
    await user.api.delete(`/api/retention/${policy.body.id}`);

    const second = await box.plan();
    await gate.close('jobs', 'UPDATE', `NEW.type = 'offload_messages' AND NEW.checkpoint IS NOT NULL`);
    const jobId = await box.start(second);
    await gate.reached();
    const later = await user.api.post('/api/retention', removing);
    await gate.open();
    expect((await user.jobEnd(jobId)).result).toMatchObject({
      trashed: 0,
      blockedBy: { 'policy-would-remove': MESSAGES },
    });
    await user.api.delete(`/api/retention/${later.body.id}`);
    expect(box.mailbox.received('TRASH')).toEqual([]);
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
