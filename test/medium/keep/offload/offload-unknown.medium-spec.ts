import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { verifyReceipt } from '../../../../src/operations/cli/receipt-command';
import { OffloadModule } from '../../../../src/keep/offload/offload.module';
import { LateOutcomes } from '../../../../src/keep/offload/running/late-outcomes';
import { ExpiredOffloads } from '../../../../src/keep/offload/running/expired-offloads';
import { PlanEnding } from '../../../../src/keep/offload/running/plan-ending';
import { OffloadTimings, TrashMover } from '../../../../src/keep/offload/running/trash-mover';
import { startFeature, type Feature, type FeatureUser } from '../../../support/medium/feature';
import { OffloadBox } from '../../../support/offload/offload-box';
import { StatementGate } from '../../../support/statement-gate';
import { waitFor } from '../../../support/wait';

const MESSAGES = 4;
const PATIENT = { historyLagMs: 1, graceMs: 3_000, lateMs: 3_000 };
/** While the provider is away nothing is learnt, however long it takes. */
const IMPATIENT = { ...PATIENT, graceMs: 100, lateMs: 100 };

/** Whatever way a run ends, what was moved is said, protected, and can be taken back. */
describe('An offload whose provider goes away in the middle of a batch', () => {
  let sut: Feature;
  let user: FeatureUser;
  let gate: StatementGate;

  beforeAll(async () => {
    sut = await startFeature({ modules: [OffloadModule] });
    gate = new StatementGate(sut.dataSource);
    user = await sut.user();
  });
  beforeEach(() => tune(PATIENT));
  afterEach(async () => {
    jest.restoreAllMocks();
    await gate.open();
    sut.provider.reset();
  });
  afterAll(() => sut?.close());

  const tune = (timings: typeof PATIENT): void => void Object.assign(sut.get(OffloadTimings), timings);
  const states = async (planId: string): Promise<Record<string, number>> => {
    const rows: { state: string; count: number }[] = await sut.query(
      'SELECT state, count(*)::int AS count FROM offload_items WHERE plan_id = $1 GROUP BY state',
      [planId],
    );
    return Object.fromEntries(rows.map(({ state, count }) => [state, count]));
  };
  const expire = (planId: string): Promise<unknown> =>
    sut.query(
      `WITH plan AS (UPDATE offload_plans SET expires_at = now() - interval '2 days' WHERE id = $1 RETURNING job_number)
       UPDATE jobs SET completed_at = now() - interval '2 days' FROM plan
       WHERE jobs.number = plan.job_number AND jobs.type = 'offload_messages'`,
      [planId],
    );

  /** An offload whose provider goes away after it has moved the messages; its job is cancelled. */
  async function cutOff(): Promise<{ box: OffloadBox; planId: string; job: any }> {
    const box = await OffloadBox.filled(sut, user, MESSAGES);
    tune(IMPATIENT);
    const plan = await box.plan();
    await gate.close('offload_items', 'UPDATE', `NEW.state = 'trashing'`);
    const jobId = await box.start(plan);
    void sut.runDueJobs();
    await gate.reached();
    const { email } = box.mailbox;
    for (const method of ['listChanges', 'getProfile', 'fetchMetadata', 'fetchRaw'] as const)
      sut.provider.hang(method, { email, times: 'always' });
    await gate.open();
    await waitFor('the messages in the trash', () => box.trashed().length === MESSAGES);
    await user.api.delete(`/api/jobs/${jobId}`);
    return { box, planId: plan.id as string, job: await user.jobEnd(jobId) };
  }

  /** The provider answers again. */
  const bringBack = (): void => {
    tune(PATIENT);
    sut.provider.reset();
  };

  it('should sign as unknown an outcome that is not known in time, and keep the receipt when it becomes known', async () => {
    const { box, planId, job } = await cutOff();
    await expire(planId);
    expect(await sut.get(ExpiredOffloads).endExpired()).toBe(1);
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
    expect(await sut.get(LateOutcomes).recordAll()).toBe(1);
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
    const mover = sut.get(TrashMover);
    const resolve = mover.resolveOutcomes.bind(mover);
    const asked = jest.spyOn(mover, 'resolveOutcomes').mockImplementation(async (...parameters) => {
      const resolved = await resolve(...parameters);
      await sut.query('UPDATE offload_plans SET batches = batches + 1 WHERE id = $1', [planId]);
      return resolved;
    });
    await sut.query(`UPDATE jobs SET completed_at = completed_at - interval '2 minutes'`);
    const before = await states(planId);
    await sut.get(LateOutcomes).recordAll();
    expect(asked).toHaveBeenCalled();
    expect(await states(planId)).toEqual(before);
  });

  it('should leave messages of an ended plan as its receipt states, whatever happened to them', async () => {
    const { planId } = await cutOff();
    const first = `SELECT state, reason FROM offload_items WHERE plan_id = $1 AND position = (
      SELECT min(position) FROM offload_items WHERE plan_id = $1)`;
    await sut.query(
      `UPDATE offload_items SET state = 'ready' WHERE plan_id = $1 AND position = (
        SELECT min(position) FROM offload_items WHERE plan_id = $1)`,
      [planId],
    );
    await expire(planId);
    expect(await sut.get(ExpiredOffloads).endExpired()).toBe(1);
    const signed = await sut.query(first, [planId]);
    bringBack();
    expect(await sut.get(LateOutcomes).recordAll()).toBeGreaterThan(0);
    expect(await sut.query(first, [planId])).toEqual(signed);
    expect(await states(planId)).toMatchObject({ trashed: MESSAGES - 1 });
  });

  it('should resolve it before its plan ends, although no job continues it', async () => {
    const { box, planId } = await cutOff();
    bringBack();
    await expire(planId);
    expect(await sut.get(ExpiredOffloads).endExpired()).toBe(1);
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
    const ending = sut.get(PlanEnding);
    const end = ending.end.bind(ending);
    jest.spyOn(ending, 'end').mockImplementation((owner, planId, ...rest) => {
      if (planId === first.planId) throw new Error('This plan cannot be ended');
      return end(owner, planId, ...rest);
    });
    expect(await sut.get(ExpiredOffloads).endExpired()).toBe(1);
    expect((await second.box.shown(second.planId)).status).toBe('done');
    jest.restoreAllMocks();
    expect(await sut.get(ExpiredOffloads).endExpired()).toBe(1);
    expect((await first.box.shown(first.planId)).status).toBe('done');
  });
});
