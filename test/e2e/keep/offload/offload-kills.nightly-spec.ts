import { startTestApp, TestApp } from '../../../support/app';
import { PASSPHRASE } from '../../../support/encryption/encrypted-archive';
import { OffloadBox } from '../../../support/offload/offload-box';
import { ServiceProcess } from '../../../support/service-process';
import { StatementGate } from '../../../support/statement-gate';
import type { TestUser } from '../../../support/test-user';

const MESSAGES = 6;

/** The jobs are started by one process, which runs none, and done by others, which are killed at each step. */
describe('An offload whose process is killed', () => {
  let sut: TestApp;
  let gate: StatementGate;
  let user: TestUser;
  let worker: ServiceProcess | undefined;

  beforeAll(async () => {
    sut = await startTestApp({ sandbox: { messages: 1 }, env: { ROLE: 'api' } });
    gate = new StatementGate(sut.dataSource);
    user = await sut.user();
    await sut.dataSource.query('UPDATE users SET max_mailbox_accounts = 50');
    await startWorker();
  });

  afterAll(async () => {
    await worker?.kill();
    await gate?.open({ drop: true });
    await sut?.close();
  });

  async function startWorker(): Promise<void> {
    worker = await ServiceProcess.start({ ...sut.env, ROLE: 'worker' });
  }

  /** Kills the process when it comes to a statement, and lets another one go on. */
  async function killAt(
    statement: Parameters<StatementGate['close']>,
    start: () => Promise<string>,
    meanwhile: () => void = () => undefined,
  ): Promise<any> {
    await gate.close(...statement);
    const jobId = await start();
    await gate.reached();
    await worker!.kill();
    await gate.open({ drop: true });
    meanwhile();
    await sut.dataSource.query('UPDATE jobs SET lease_until = now() WHERE lease_until > now()');
    await startWorker();
    return user.jobEnd(jobId, 60_000);
  }

  const CALLS: readonly [string, Parameters<StatementGate['close']>, number][] = [
    ['holds copies', ['archive_holds', 'INSERT', 'true'], 1],
    ['has verified copies', ['offload_items', 'UPDATE', `NEW.state = 'verified'`], 1],
    ['is about to move messages', ['offload_items', 'UPDATE', `NEW.state = 'trashing'`], 1],
    ['has moved them', ['change_journal', 'INSERT', 'true'], 1],
    ['has settled them', ['offload_items', 'UPDATE', `NEW.state = 'trashed'`], 1],
    ['signs the receipt', ['offload_receipts', 'INSERT', 'true'], 1],
  ];

  it.each(CALLS)(
    'should move each message once, and sign one receipt: while it %s',
    async (_name, statement, calls) => {
      const box = await OffloadBox.filled(sut, user, MESSAGES);
      const plan = await box.plan({ mode: 'strict' });
      const job = await killAt(statement, () => box.start(plan));
      expect(job).toMatchObject({ status: 'completed', processed: MESSAGES, failed: 0 });
      expect(await box.shown(plan.id as string)).toMatchObject({
        status: 'done',
        trashed: MESSAGES,
        blocked: 0,
      });
      expect(box.trashed()).toEqual(box.ids);
      expect(box.mailbox.received('TRASH').sort()).toEqual([...box.ids].sort());
      expect(box.calls('messages.batchModify')).toBe(calls);
      expect(box.calls('messages.batchDelete') + box.calls('messages.delete')).toBe(0);
      expect(await box.holds()).toBe(0);
      const { receipt, items } = await box.receipt(plan.id as string);
      expect(JSON.parse(receipt.statement as string).counts).toMatchObject({ trashed: MESSAGES, left: 0 });
      expect(items.toString('utf8').trimEnd().split('\n')).toHaveLength(MESSAGES);
      const undo = await user.api.get(`/api/jobs/${job.queue_id}/undo`);
      expect(undo.body.messages).toBe(MESSAGES);
    },
    120_000,
  );

  it.each<[string, Parameters<StatementGate['close']>]>([
    ['in the middle', ['offload_items', 'INSERT', 'NEW.position = 3']],
    ['at the end', ['offload_plans', 'UPDATE', `NEW.status = 'ready'`]],
  ])(
    'should plan again: %s of the choice',
    async (_name, statement) => {
      const box = await OffloadBox.filled(sut, user, MESSAGES);
      let planId = '';
      const job = await killAt(statement, async () => {
        const started = await box.startPlan();
        ({ planId } = started);
        return started.jobId;
      });
      expect(job.status).toBe('completed');
      expect(await box.shown(planId)).toMatchObject({
        status: 'ready',
        selected: MESSAGES,
        offloadable: MESSAGES,
      });
    },
    120_000,
  );

  it('should not move messages starred by others between two attempts', async () => {
    const box = await OffloadBox.filled(sut, user, MESSAGES);
    const before = box.ids[0]!;
    const plan = await box.plan();
    const job = await killAt(
      ['offload_items', 'UPDATE', `NEW.state = 'trashing'`],
      () => box.start(plan),
      () => box.mailbox.changeLabels(before, { add: ['STARRED'] }),
    );
    expect(job.result).toMatchObject({ trashed: MESSAGES - 1, blocked: 1 });
    expect(box.mailbox.received('TRASH')).not.toContain(before);

    const other = await OffloadBox.filled(sut, user, MESSAGES);
    const again = await other.plan();
    const starred = other.ids[0]!;
    const ended = await killAt(
      ['change_journal', 'INSERT', 'true'],
      () => other.start(again),
      () => other.mailbox.changeLabels(starred, { add: ['STARRED'] }),
    );
    expect(ended.result).toMatchObject({ trashed: MESSAGES - 1, blocked: 1 });
    expect(other.mailbox.labels(starred)).not.toContain('TRASH');
  }, 120_000);

  it('should read copies again that were encrypted in the meantime', async () => {
    const encrypting = await sut.user('encrypting');
    const box = await OffloadBox.filled(sut, encrypting, MESSAGES);
    await box.setUp();
    const plan = await box.plan({ mode: 'fast' });
    await gate.close('offload_items', 'UPDATE', `NEW.state = 'verified'`);
    const jobId = await box.start(plan);
    await gate.reached();
    await box.encrypt(PASSPHRASE);
    await gate.open();
    const job = await encrypting.jobEnd(jobId);
    expect(job.result).toMatchObject({ trashed: MESSAGES, blocked: 0 });
    expect((await box.inspect({ leftoversAllowed: true })).problems).toEqual([]);
  }, 120_000);
});
