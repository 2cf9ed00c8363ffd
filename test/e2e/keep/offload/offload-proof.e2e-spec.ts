import { createHash } from 'node:crypto';
import { appendFile, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { OffloadItemsRepository } from '../../../../src/keep/offload/plans/offload-items.repository';
import { OffloadPlansService } from '../../../../src/keep/offload/plans/offload-plans.service';
import { TrashMover } from '../../../../src/keep/offload/running/trash-mover';
import { OrphanFilesService } from '../../../../src/keep/integrity/orphan-files.service';
import { IntegrityProgress } from '../../../../src/keep/integrity/integrity-progress';
import { startTestApp, TestApp } from '../../../support/app';
import { PASSPHRASE } from '../../../support/encryption/encrypted-archive';
import { OffloadBox } from '../../../support/offload/offload-box';
import { StatementGate } from '../../../support/statement-gate';
import type { TestUser } from '../../../support/test-user';

/** What has to be true of a message before it goes, and what becomes of one that somebody touches meanwhile. */
describe('A message', () => {
  let sut: TestApp;
  let user: TestUser;
  let gate: StatementGate;

  beforeAll(async () => {
    sut = await startTestApp({ sandbox: { messages: 1 } });
    gate = new StatementGate(sut.dataSource);
    user = await sut.user();
    await sut.dataSource.query('UPDATE users SET max_mailbox_accounts = 50');
  });

  afterEach(() => gate.open());

  afterAll(() => sut?.close());

  const flip = (bytes: Buffer): void => {
    const last = bytes.length - 3;
    bytes[last] = bytes[last]! ^ 1;
  };

  /** What was never proved has never been in the trash, however shortly. */
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
    await sut.dataSource.query(`UPDATE archived_mails SET sha256 = reverse(sha256) WHERE id = $1`, [
      rows.get(row!).id,
    ]);
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
    const findings: any[] = await sut.dataSource.query(
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
    // What was found is not planned again.
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
    const jobId = await box.start(plan);
    await gate.reached();
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
    const jobId = await box.start(plan);
    await gate.reached();
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
    await sut.dataSource.query('UPDATE archived_mails SET sha256 = $2 WHERE id = $1', [
      rows.get(another).id,
      hash,
    ]);
    await gate.close('offload_items', 'UPDATE', `NEW.state = 'verified'`);
    const jobId = await box.start(plan);
    await gate.reached();
    await sut.dataSource.query('DELETE FROM archive_holds WHERE mail_id = $1', [rows.get(released).id]);
    await spoil(released);
    await sut.dataSource.query(
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
      .spyOn(sut.app.get(OffloadItemsRepository, { strict: false }), 'readClock')
      .mockResolvedValueOnce(new Date(Date.now() - 11 * 60_000).toISOString());
    await gate.close('offload_items', 'UPDATE', `NEW.state = 'verified'`);
    const jobId = await box.start(plan);
    await gate.reached();
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
    sut.sandbox.fault({
      endpoint: 'messages.batchModify',
      email: box.mailbox.email,
      answer: { kind: 'error', status: 400, reason: 'invalidArgument', message: 'Not now' },
    });
    const mover = sut.app.get(TrashMover, { strict: false });
    const readLabels = mover.readLabels.bind(mover);
    // Between the move that was refused and the next one.
    jest.spyOn(mover, 'readLabels').mockImplementationOnce(async (...asked) => {
      await sut.dataSource.query(
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
    const jobId = await box.start(plan);
    await gate.reached();
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
    const sweep = sut.app.get(OrphanFilesService, { strict: false });
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

  it('should be compared with its encrypted copy, using the passphrase', async () => {
    const encrypting = await sut.user('encrypting');
    const box = await OffloadBox.filled(sut, encrypting, 4);
    await box.setUp();
    await box.encrypt();
    const plan = await box.plan({ mode: 'strict' });
    expect(plan).toMatchObject({ offloadable: 4, encrypted: 4 });
    expect((await box.confirm(plan, 'a wrong passphrase')).body.code).toBe('passphrase-invalid');
    const rows = await box.rows();
    const key = join(sut.archiveDir, rows.get(box.ids[0]!).storage_key as string);
    const bytes = await readFile(key);
    flip(bytes);
    await writeFile(key, bytes);
    flip(box.mailbox.raw(box.ids[1]!));
    const job = await encrypting.jobEnd(await box.start(plan, PASSPHRASE));
    expect(job.result).toMatchObject({ trashed: 2, blocked: 2 });
    expect(await box.reasons(plan.id as string)).toEqual({
      [box.ids[0]!]: 'copy-altered',
      [box.ids[1]!]: 'provider-differs',
    });
    trashedOnly(box, box.ids.slice(2));
    const [sealed] = await sut.dataSource.query(
      `SELECT sealed_secrets FROM jobs WHERE type || '-' || number = $1`,
      [job.queue_id],
    );
    expect(sealed.sealed_secrets).toBeNull();
  });

  it('should stay without the passphrase, unless the arrival’s hash is trusted', async () => {
    const encrypting = await sut.user('encrypted');
    const box = await OffloadBox.filled(sut, encrypting, 2);
    await box.setUp();
    await box.encrypt();
    const { plan } = await box.offload({ mode: 'strict' });
    expect(plan.blockedBy).toEqual({ 'copy-encrypted': 2 });
    trashedOnly(box, []);
    expect((await box.offload({ mode: 'fast' })).plan).toMatchObject({ trashed: 2, blocked: 0 });
    await sut.dataSource.query('UPDATE archived_mails SET content_sha256 = NULL WHERE account_id = $1', [
      box.accountId,
    ]);
    box.mailbox.changeLabels(box.ids, { add: ['INBOX'], remove: ['TRASH'] });
    expect(await box.plan()).toMatchObject({ offloadable: 0, blockedBy: { 'content-unknown': 2 } });
  });

  it('should be continued after the job was cancelled, and get one receipt', async () => {
    const box = await OffloadBox.filled(sut, user, 3);
    const plan = await box.plan();
    await gate.close('offload_items', 'UPDATE', `NEW.state = 'verified'`);
    const jobId = await box.start(plan);
    await gate.reached();
    await user.api.delete(`/api/jobs/${jobId}`);
    await gate.open();
    const job = await user.jobEnd(jobId);
    expect(job.status).toBe('cancelled');
    const stopped = await box.shown(plan.id as string);
    expect(['stopped', 'done']).toContain(stopped.status);
    await sut.app.get(OffloadPlansService, { strict: false }).releaseAbandoned();
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
});
