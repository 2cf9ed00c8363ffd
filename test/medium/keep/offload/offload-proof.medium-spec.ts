import { createHash } from 'node:crypto';
import { appendFile, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { OffloadItemsRepository } from '../../../../src/keep/offload/plans/offload-items.repository';
import { OffloadPlansService } from '../../../../src/keep/offload/plans/offload-plans.service';
import { OffloadTimings, TrashMover } from '../../../../src/keep/offload/running/trash-mover';
import { OrphanFilesService } from '../../../../src/keep/integrity/orphan-files.service';
import { IntegrityProgress } from '../../../../src/keep/integrity/integrity-progress';
import { OffloadModule } from '../../../../src/keep/offload/offload.module';
import { AccountRemovalModule } from '../../../../src/operations/account-deletion/account-removal.module';
import { ProviderRejected } from '../../../../src/providers/port/mail-provider.errors';
import { startFeature, type Feature, type FeatureUser } from '../../../support/medium/feature';
import { OffloadBox } from '../../../support/offload/offload-box';
import { StatementGate } from '../../../support/statement-gate';

/** A message is moved out only when its copy is proved, and stays when another program changes it meanwhile. */
describe('A message', () => {
  let sut: Feature;
  let user: FeatureUser;
  let gate: StatementGate;

  beforeAll(async () => {
    sut = await startFeature({ modules: [OffloadModule, AccountRemovalModule] });
    Object.assign(sut.get(OffloadTimings), { historyLagMs: 1, retriesMs: [1, 1] });
    gate = new StatementGate(sut.dataSource);
    user = await sut.user();
  });

  afterEach(async () => {
    await gate.open();
    sut.provider.reset();
  });

  afterAll(() => sut?.close());

  /** Starts the offload of a plan, and waits until it is held up at the gate. @returns the job's id */
  const startUntilGate = async (box: OffloadBox, plan: unknown): Promise<string> => {
    const jobId = await box.start(plan);
    void sut.runDueJobs();
    await gate.reached();
    return jobId;
  };

  const flip = (bytes: Buffer): void => {
    const last = bytes.length - 3;
    bytes[last] = bytes[last]! ^ 1;
  };

  /** A message that was never proved has never been in the trash, not even briefly. */
  const trashedOnly = (box: OffloadBox, ids: readonly string[]): void => {
    expect(box.mailbox.received('TRASH').sort()).toEqual([...ids].sort());
    expect(box.calls('messages.batchDelete') + box.calls('messages.delete')).toBe(0);
  };

  it('should stay for one altered byte in its file, its row or itself, and keep no other from moving', async () => {
    const box = await OffloadBox.filled(sut, user, 8);
    const [file, longer, missing, row, provider, ...others] = box.ids;
    const plan = await box.plan({ mode: 'strict' });
    expect(plan.offloadable).toBe(8);
    const rows = await box.rows();
    const path = (id: string): string => join(sut.archiveDir, rows.get(id).storage_key as string);
    const bytes = await readFile(path(file!));
    flip(bytes);
    await writeFile(path(file!), bytes);
    await appendFile(path(longer!), '\n');
    await rm(path(missing!));
    await sut.query(`UPDATE archived_mails SET sha256 = reverse(sha256) WHERE id = $1`, [rows.get(row!).id]);
    flip(box.mailbox.raw(provider!));

    const job = await user.jobEnd(await box.start(plan));
    expect(job.result).toMatchObject({ trashed: 3, blocked: 5, left: 0 });
    expect(await box.reasons(plan.id as string)).toEqual({
      [file!]: 'copy-altered',
      [longer!]: 'copy-altered',
      [missing!]: 'copy-missing',
      [row!]: 'copy-altered',
      [provider!]: 'provider-differs',
    });
    expect(box.trashed()).toEqual(others);
    trashedOnly(box, others);
    const messages = await user.api.get(`${box.offloadPath}/plans/${plan.id}/messages?state=blocked`);
    const differing = messages.body.items.find(({ messageId }: any) => messageId === provider);
    expect(differing.providerSha256).toMatch(/^[0-9a-f]{64}$/);
    expect(differing.providerSha256).not.toBe(differing.sha256);
    const findings: any[] = await sut.query(
      'SELECT mail_id, problem FROM integrity_findings WHERE account_id = $1',
      [box.accountId],
    );
    const problems = new Map(findings.map(({ mail_id: id, problem }) => [id, problem]));
    expect([file, longer, missing, row, provider].map((id) => problems.get(rows.get(id!).id))).toEqual([
      'altered',
      'altered',
      'missing',
      'altered',
      'differs',
    ]);
    // Messages whose copies have problems are not planned again.
    expect(await box.plan()).toMatchObject({
      offloadable: 0,
      blockedBy: { 'in-trash': 3, 'copy-altered': 3, 'copy-missing': 1, 'provider-differs': 1 },
    });
  });

  it('should stay when it has been changed since the plan', async () => {
    const box = await OffloadBox.filled(sut, user, 7);
    const { mailbox } = box;
    const [starred, labelled, moved, gone, read, important, plain] = box.ids as [
      string,
      string,
      string,
      string,
      string,
      string,
      string,
    ];
    mailbox.changeLabels(read, { add: ['UNREAD'] });
    const plan = await box.plan({ allow: { unread: true } });
    mailbox.changeLabels(starred, { add: ['STARRED'] });
    const { body: label } = await user.api.post(`/api/mailbox/${box.accountId}/labels`, { name: 'Mine' });
    mailbox.changeLabels(labelled, { add: [label.id as string] });
    mailbox.changeLabels(moved, { remove: ['INBOX'] });
    mailbox.remove(gone);
    mailbox.changeLabels(read, { remove: ['UNREAD'] });
    mailbox.changeLabels(important, { add: ['IMPORTANT'] });
    const job = await user.jobEnd(await box.start(plan));
    expect(job.result).toMatchObject({ trashed: 2, blocked: 5 });
    expect(await box.reasons(plan.id as string)).toEqual({
      [starred]: 'changed-since-plan',
      [labelled]: 'changed-since-plan',
      [moved]: 'changed-since-plan',
      [important]: 'changed-since-plan',
      [gone]: 'gone',
    });
    trashedOnly(box, [read, plain]);
  });

  it('should be judged by its labels when the history is lost', async () => {
    const box = await OffloadBox.filled(sut, user, 4);
    const [starred, gone, ...others] = box.ids as [string, string, ...string[]];
    const plan = await box.plan();
    box.mailbox.changeLabels(starred, { add: ['STARRED'] });
    box.mailbox.remove(gone);
    box.mailbox.expireHistory();
    await user.jobEnd(await box.start(plan));
    expect(await box.reasons(plan.id as string)).toEqual({ [starred]: 'changed-since-plan', [gone]: 'gone' });
    trashedOnly(box, others);
  });

  it('should stay when it is changed while its copy is read', async () => {
    const box = await OffloadBox.filled(sut, user, 3);
    const [starred, ...others] = box.ids as [string, ...string[]];
    const plan = await box.plan();
    await gate.close('offload_items', 'UPDATE', `NEW.state = 'verified'`);
    const jobId = await startUntilGate(box, plan);
    box.mailbox.changeLabels(starred, { add: ['STARRED'] });
    await gate.open();
    await user.jobEnd(jobId);
    expect(await box.reasons(plan.id as string)).toEqual({ [starred]: 'changed-meanwhile' });
    trashedOnly(box, others);
    expect(await box.holds()).toBe(0);
  });

  it('should be taken out of the trash when it is changed at the last moment', async () => {
    const box = await OffloadBox.filled(sut, user, 4);
    const { mailbox, ids } = box;
    const [starred, unfiled, ...others] = ids as [string, string, ...string[]];
    mailbox.changeLabels(unfiled, { remove: ['INBOX'] });
    const was = [starred, unfiled].map((id) => [...mailbox.labels(id), 'STARRED'].sort());
    const plan = await box.plan();
    await gate.close('offload_items', 'UPDATE', `NEW.state = 'trashing'`);
    const jobId = await startUntilGate(box, plan);
    mailbox.changeLabels([starred, unfiled], { add: ['STARRED'] });
    await gate.open();
    const job = await user.jobEnd(jobId);
    expect(job.result).toMatchObject({ trashed: 2, blocked: 2 });
    expect(await box.reasons(plan.id as string)).toEqual({
      [starred]: 'changed-meanwhile',
      [unfiled]: 'changed-meanwhile',
    });
    expect([starred, unfiled].map((id) => [...mailbox.labels(id)].sort())).toEqual(was);
    expect(box.trashed()).toEqual(others);
    // Only what this offload has moved is taken back by its undo.
    const undo = await user.api.get(`/api/jobs/${jobId}/undo`);
    expect(undo.body.messages).toBe(2);
    const rows = await box.rows();
    expect(rows.get(starred)).toMatchObject({ presence: 'mailbox', offload_plan_id: null });
  });

  it('should stay when its copy is not the one that was planned, read and held', async () => {
    const box = await OffloadBox.filled(sut, user, 5);
    const [another, released, elsewhere, ...others] = box.ids as [string, string, string, ...string[]];
    const plan = await box.plan();
    const rows = await box.rows();
    const spoil = async (id: string): Promise<Buffer> => {
      const path = join(sut.archiveDir, rows.get(id).storage_key as string);
      const bytes = await readFile(path);
      flip(bytes);
      await writeFile(path, bytes);
      return bytes;
    };
    // Its file and its row agree, and are another message than the plan's.
    const hash = createHash('sha256')
      .update(await spoil(another))
      .digest('hex');
    await sut.query('UPDATE archived_mails SET sha256 = $2 WHERE id = $1', [rows.get(another).id, hash]);
    await gate.close('offload_items', 'UPDATE', `NEW.state = 'verified'`);
    const jobId = await startUntilGate(box, plan);
    await sut.query('DELETE FROM archive_holds WHERE mail_id = $1', [rows.get(released).id]);
    await spoil(released);
    await sut.query(
      `UPDATE archived_mails SET storage_key = replace(storage_key, '.eml', '.0000000000000000.eml') WHERE id = $1`,
      [rows.get(elsewhere).id],
    );
    await gate.open();
    expect((await user.jobEnd(jobId)).result).toMatchObject({ trashed: 2, blocked: 3 });
    expect(await box.reasons(plan.id as string)).toEqual({
      [another]: 'changed-since-plan',
      [released]: 'copy-altered',
      [elsewhere]: 'copy-missing',
    });
    trashedOnly(box, others);
  });

  it('should have its copy read again when that took more than ten minutes', async () => {
    const box = await OffloadBox.filled(sut, user, 2);
    const [altered, other] = box.ids as [string, string];
    const plan = await box.plan();
    const path = join(sut.archiveDir, (await box.rows()).get(altered).storage_key as string);
    jest
      .spyOn(sut.get(OffloadItemsRepository), 'readClock')
      .mockResolvedValueOnce(new Date(Date.now() - 11 * 60_000).toISOString());
    await gate.close('offload_items', 'UPDATE', `NEW.state = 'verified'`);
    const jobId = await startUntilGate(box, plan);
    const bytes = await readFile(path);
    flip(bytes);
    await writeFile(path, bytes);
    await gate.open();
    await user.jobEnd(jobId).finally(() => jest.restoreAllMocks());
    expect(await box.reasons(plan.id as string)).toEqual({ [altered]: 'copy-altered' });
    trashedOnly(box, [other]);
  });

  it('should have its copy read again after ten minutes before its move is requested again', async () => {
    const box = await OffloadBox.filled(sut, user, 2);
    const [altered, other] = box.ids as [string, string];
    const plan = await box.plan();
    const path = join(sut.archiveDir, (await box.rows()).get(altered).storage_key as string);
    sut.provider.fail('modify', new ProviderRejected('invalidArgument', 'Not now'), {
      email: box.mailbox.email,
    });
    const mover = sut.get(TrashMover);
    const readLabels = mover.readLabels.bind(mover);
    // Between the move that was refused and the next one.
    jest.spyOn(mover, 'readLabels').mockImplementationOnce(async (...asked) => {
      await sut.query(
        `UPDATE offload_items SET verified_at = verified_at - interval '11 minutes' WHERE plan_id = $1`,
        [plan.id],
      );
      const bytes = await readFile(path);
      flip(bytes);
      await writeFile(path, bytes);
      return readLabels(...asked);
    });
    await user.jobEnd(await box.start(plan)).finally(() => jest.restoreAllMocks());
    expect(await box.reasons(plan.id as string)).toEqual({ [altered]: 'copy-altered' });
    trashedOnly(box, [other]);
  });

  it('should have a copy that is neither deleted nor replaced in the meantime', async () => {
    const box = await OffloadBox.filled(sut, user, 3);
    const rows = await box.rows();
    const mailIds = [...rows.values()].map(({ id }) => id as string);
    const plan = await box.plan();
    await gate.close('offload_items', 'UPDATE', `NEW.state = 'verified'`);
    const jobId = await startUntilGate(box, plan);
    expect(await box.holds()).toBe(3);

    const policy = await user.api.post('/api/retention', {
      name: 'All',
      mailboxAccountId: box.accountId,
      maxAgeDays: 1,
      includeOffloaded: true,
    });
    expect((await user.api.post('/api/retention/run')).body).toMatchObject({ totalDeleted: 0 });
    await user.api.delete(`/api/retention/${policy.body.id}`);
    const deletion = await user.api.post(`${box.path}/delete`, { mailIds, confirmedCount: 3 });
    expect(await user.jobEnd(deletion.body.jobId as string)).toMatchObject({
      status: 'completed',
      processed: 0,
      failed: 3,
      result: expect.objectContaining({ deleted: 0 }),
    });
    flip(box.mailbox.raw(box.ids[0]!));
    const again = await box.archive({ messageIds: box.ids, differential: false });
    expect(again.status).toBe('completed');
    const sweep = sut.get(OrphanFilesService);
    const job = {
      jobId: 'check_integrity-0',
      userId: user.id,
      signal: new AbortController().signal,
      logger: console,
      throwIfCancelled: () => undefined,
    } as never;
    await sweep.deleteOrphansOfUser(user.id, new IntegrityProgress(job, undefined));
    const purge = await user.api.delete(`/api/auth/mailbox/${box.accountId}?purge=true`);
    expect([purge.status, purge.body.code]).toEqual([409, 'offload-running']);
    expect((await user.api.delete(`${box.offloadPath}/plans/${plan.id}`)).body.code).toBe('plan-running');
    expect((await box.confirm(plan)).body.code).toBe('plan-running');

    await gate.open();
    expect((await user.jobEnd(jobId)).result).toMatchObject({ trashed: 3, blocked: 0 });
    const after = await box.rows();
    for (const [id, row] of rows) expect(after.get(id)).toMatchObject({ id: row.id, sha256: row.sha256 });
    // No worker deletes the file of the copy that was not taken.
    await box.catchUp();
    expect(await box.files()).toHaveLength(3);

    // The copies may be the only ones now: only a policy that says so deletes them.
    const spare = await user.api.post('/api/retention', {
      name: 'Old',
      mailboxAccountId: box.accountId,
      maxAgeDays: 1,
    });
    expect(spare.body.include_offloaded).toBe(false);
    expect((await user.api.get(`/api/retention/${spare.body.id}/preview`)).body.count).toBe(0);
    expect((await user.api.post('/api/retention/run')).body).toMatchObject({ totalDeleted: 0 });
    await user.api.put(`/api/retention/${spare.body.id}`, { includeOffloaded: true });
    expect((await user.api.post('/api/retention/run')).body).toMatchObject({ totalDeleted: 3 });
    await user.api.delete(`/api/retention/${spare.body.id}`);
  });

  it('should be continued after the job was cancelled, and get one receipt', async () => {
    const box = await OffloadBox.filled(sut, user, 3);
    const plan = await box.plan();
    await gate.close('offload_items', 'UPDATE', `NEW.state = 'verified'`);
    const jobId = await startUntilGate(box, plan);
    await user.api.delete(`/api/jobs/${jobId}`);
    await gate.open();
    const job = await user.jobEnd(jobId);
    expect(job.status).toBe('cancelled');
    const stopped = await box.shown(plan.id as string);
    expect(['stopped', 'done']).toContain(stopped.status);
    await sut.get(OffloadPlansService).releaseAbandoned();
    expect(await box.holds()).toBe(0);
    if (stopped.status === 'stopped') await user.jobEnd(await box.start(stopped));
    expect(await box.shown(plan.id as string)).toMatchObject({ status: 'done', trashed: 3 });
    trashedOnly(box, box.ids);
    const { receipt } = await box.receipt(plan.id as string);
    expect(JSON.parse(receipt.statement as string).counts).toEqual({
      selected: 3,
      trashed: 3,
      blocked: 0,
      left: 0,
    });
  });

  it('should keep its copy held for a resumed plan while abandoned holds are searched for', async () => {
    const box = await OffloadBox.filled(sut, user, 4);
    const plan = await box.plan();
    await gate.close('offload_items', 'UPDATE', `NEW.state = 'verified'`);
    const jobId = await startUntilGate(box, plan);
    await user.api.delete(`/api/jobs/${jobId}`);
    await gate.open();
    expect(await user.jobEnd(jobId)).toMatchObject({ status: 'cancelled' });
    expect(await box.holds()).toBe(4);
    // Imitates a confirmation that has not been committed when the search begins.
    const setEnd = (
      end: string,
      runner: { query: (sql: string, parameters: unknown[]) => Promise<unknown> },
    ) => runner.query(`UPDATE jobs SET completed_at = ${end} WHERE type || '-' || number = $1`, [jobId]);
    const confirming = sut.dataSource.createQueryRunner();
    await confirming.startTransaction();
    await confirming.query('SELECT 1 FROM offload_plans WHERE id = $1 FOR UPDATE', [plan.id]);
    await setEnd('NULL', confirming);
    const releasing = sut.get(OffloadPlansService).releaseAbandoned();
    await Promise.race([releasing, new Promise((resolve) => setTimeout(resolve, 1_000))]);
    await confirming.commitTransaction();
    await confirming.release();
    expect(await releasing).toBe(0);
    expect(await box.holds()).toBe(4);
    await setEnd('now()', sut.dataSource);
    expect(await sut.get(OffloadPlansService).releaseAbandoned()).toBe(4);
  });

  it('should stay where a policy was created after the plan', async () => {
    const box = await OffloadBox.filled(sut, user, 4);
    const removing = {
      name: 'Soon',
      mailboxAccountId: box.accountId,
      maxAgeDays: 1,
      includeOffloaded: true,
    };
    const plan = await box.plan();
    const policy = await user.api.post('/api/retention', removing);
    const job = await user.jobEnd(await box.start(plan));
    expect(job).toMatchObject({ total: 0, result: { blockedBy: { 'policy-would-remove': 4 } } });
    await user.api.delete(`/api/retention/${policy.body.id}`);

    const second = await box.plan();
    await gate.close('jobs', 'UPDATE', `NEW.type = 'offload_messages' AND NEW.checkpoint IS NOT NULL`);
    const jobId = await startUntilGate(box, second);
    const later = await user.api.post('/api/retention', removing);
    await gate.open();
    expect((await user.jobEnd(jobId)).result).toMatchObject({
      trashed: 0,
      blockedBy: { 'policy-would-remove': 4 },
    });
    await user.api.delete(`/api/retention/${later.body.id}`);
    expect(box.mailbox.received('TRASH')).toEqual([]);
  });
});
