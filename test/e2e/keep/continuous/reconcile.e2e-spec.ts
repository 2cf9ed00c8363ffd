import { ReconcileMailboxHandler } from '../../../../src/keep/continuous/reconciling/reconcile-mailbox.job';
import type { JobResult } from '../../../../src/platform/jobs/job-definition';
import { KeepCopiesCron } from '../../../../src/keep/continuous/copying/keep-copies.cron';
import { GatewayTimings } from '../../../../src/providers/gateway/retry-policy';
import { startTestApp, TestApp } from '../../../support/app';
import { KeptMailbox } from '../../../support/archiving/kept-mailbox';
import { bareJob } from '../../../support/jobs/bare-job';
import { StatementGate } from '../../../support/statement-gate';
import type { TestUser } from '../../../support/test-user';

describe('The comparison of a ledger with its mailbox', () => {
  let app: TestApp;
  let user: TestUser;
  let gate: StatementGate;
  let mailboxes = 0;

  beforeAll(async () => {
    app = await startTestApp({ own: true, sandbox: { messages: 1 } });
    Object.assign(app.app.get(GatewayTimings), { firstBackoffMs: 20, maxBackoffMs: 100 });
    user = await app.user();
    gate = new StatementGate(app.dataSource);
    await app.dataSource.query('UPDATE users SET max_mailbox_accounts = 100');
  });
  afterAll(async () => {
    await gate?.open();
    await app?.close();
  });
  beforeEach(() => app.sandbox.clearFaults());

  const connect = (messages: number): Promise<KeptMailbox> =>
    KeptMailbox.connect(app, user, `reconcile${(mailboxes += 1)}-${messages}@sandbox.mailroom.test`);

  async function kept(messages: number): Promise<KeptMailbox> {
    const box = await connect(messages);
    await box.keep();
    await box.lookUntilDone();
    app.sandbox.stats.reset();
    return box;
  }

  const openJob = async (box: KeptMailbox): Promise<any> => {
    const { jobId } = await box.status();
    return jobId ? user.jobEnd(jobId as string) : null;
  };

  it('should not mistake the listing it has deleted for an empty mailbox when it dies at its very end', async () => {
    const box = await connect(1_030);
    await box.keep({ mode: 'watch' });
    let last: object | undefined;
    const job = bareJob(
      'reconcile_mailbox',
      { userId: user.id, accountId: box.accountId },
      {
        savedCheckpoint: <S>() => last as S | undefined,
        checkpoint: async (state) => void (last = state),
      },
    );
    const run = (): Promise<JobResult> => app.app.get(ReconcileMailboxHandler).run({}, job);
    const result = await run();
    expect(result).toEqual({ messages: 1_030, gone: 0, exact: true });
    // After a second listing the job no longer asks for what is missing.
    last = { ...last, again: true };
    app.sandbox.stats.reset();
    expect(await run()).toEqual(result);
    expect(box.calls('messages.list') + box.calls('messages.get')).toBe(0);
    expect((await box.ledger()).size).toBe(1_030);
    expect(await box.problems()).toEqual([]);
  });

  it('should read the labels every hour: a label deleted elsewhere leaves the ledger, not the archive', async () => {
    const box = await kept(1);
    const created = await user.api.post(`/api/mailbox/${box.accountId}/labels`, { name: 'Holidays' });
    const labelId = created.body.id as string;
    const id = box.arrive('labelled', ['INBOX', labelId]);
    await box.look();
    await box.check();
    const names = async (): Promise<any[]> =>
      box.query(
        'SELECT name, gone_at IS NOT NULL AS gone FROM label_names WHERE account_id = $1 AND label_id = $2',
        labelId,
      );
    expect(await names()).toEqual([{ name: 'Holidays', gone: false }]);
    app.sandbox.stats.reset();
    await deleteElsewhere(box, labelId);
    await box.check();
    expect(await names()).toEqual([{ name: 'Holidays', gone: true }]);
    expect((await box.ledger()).get(id)?.label_ids).not.toContain(labelId);
    expect((await box.rows()).get(id).label_ids).toContain(labelId);
  });

  /** Without a word to the service, or in the history. */
  async function deleteElsewhere(box: KeptMailbox, labelId: string): Promise<void> {
    app.sandbox.fault({ endpoint: 'labels.list', email: box.mailbox.email, answer: labelsWithout(labelId) });
  }

  const labelsWithout = (labelId: string) =>
    ({
      kind: 'foreign',
      contentType: 'application/json',
      body: JSON.stringify({
        labels: ['INBOX', 'SPAM', 'TRASH', 'DRAFT', 'SENT', 'UNREAD', 'STARRED']
          .map((id) => ({ id, name: id, type: 'system' }))
          .filter(({ id }) => id !== labelId),
      }),
    }) as const;

  it('should continue from its last page when its process is lost', async () => {
    const box = await connect(1_200);
    app.sandbox.stats.reset();
    // The third page of all messages.
    app.sandbox.fault({
      endpoint: 'messages.list',
      email: box.mailbox.email,
      skip: 2,
      times: 30,
      answer: { kind: 'backendError' },
    });
    const { jobId } = await box.choose({ mode: 'keep' });
    expect(await user.jobEnd(jobId as string)).toMatchObject({
      status: 'failed',
      error_code: 'provider-unavailable',
    });
    app.sandbox.clearFaults();
    app.sandbox.stats.reset();
    const resumed = await user.api.post(`/api/jobs/${jobId}/resume`);
    expect(resumed.status).toBe(202);
    expect(await user.jobEnd(jobId as string)).toMatchObject({
      status: 'completed',
      result: { messages: 1_200 },
    });
    expect(await box.ledger()).toHaveProperty('size', 1_200);
  });

  it('should be cancelled between two pages, and start over at the next sync', async () => {
    const box = await connect(5);
    await gate.close('mailbox_listings', 'INSERT', `NEW.label_id = ''`);
    const { jobId } = await box.choose({ mode: 'keep' });
    await gate.reached();
    expect((await user.api.delete(`/api/jobs/${jobId}`)).status).toBeLessThan(300);
    await gate.open();
    expect(await user.jobEnd(jobId as string)).toMatchObject({ status: 'cancelled' });
    await box.look();
    expect((await box.status()).jobId).toBeNull();
    await app.dataSource.query(
      `UPDATE jobs SET completed_at = now() - interval '61 minutes' WHERE type || '-' || number = $1`,
      [jobId],
    );
    await box.look();
    expect(await openJob(box)).toMatchObject({ status: 'completed' });
    await box.lookUntilDone();
    expect(await box.problems()).toEqual([]);
  });

  it('should be started by its cron, for each account when it is due', async () => {
    const box = await kept(1);
    const id = box.arrive('by-cron');
    const due = (): Promise<unknown> =>
      box.query(`UPDATE account_chores SET due_at = now() WHERE account_id = $1 AND chore = 'keep_copies'`);
    const cron = app.app.get(KeepCopiesCron);
    await cron.lookAtDue();
    await box.query(
      `UPDATE mailbox_index_states SET synced_at = synced_at - interval '1 minute' WHERE account_id = $1`,
    );
    await due();
    await cron.lookAtDue();
    expect((await box.classes())[id]).toBe('archived');
    const [{ seconds }] = await box.query(
      `SELECT extract(epoch FROM due_at - now())::float8 AS seconds FROM account_chores
        WHERE account_id = $1 AND chore = 'keep_copies'`,
    );
    expect(seconds).toBeGreaterThan(30);
    expect(seconds).toBeLessThanOrEqual(45);
  });
});
