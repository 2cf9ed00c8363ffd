import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createHash } from 'node:crypto';
import { verifyReceipt } from '../../../../src/operations/cli/receipt-command';
import { MailboxAccountsService } from '../../../../src/mailbox/accounts/mailbox-accounts.service';
import { startTestApp, TestApp } from '../../../support/app';
import { sha256 } from '../../../support/archive/archive-fixture';
import { OffloadBox } from '../../../support/offload/offload-box';
import type { TestUser } from '../../../support/test-user';

const ZEROS = '0'.repeat(64);

describe('Offload', () => {
  let sut: TestApp;
  let user: TestUser;

  beforeAll(async () => {
    sut = await startTestApp({ sandbox: { messages: 1 } });
    user = await sut.user();
    await sut.dataSource.query('UPDATE users SET max_mailbox_accounts = 50');
  });

  afterAll(() => sut?.close());

  it('should report what would stay and why, without moving anything', async () => {
    const box = await OffloadBox.filled(sut, user, 12);
    const [starred, important, unread, draft, trashed, gone, unarchived, removed] = box.ids;
    const { mailbox } = box;
    mailbox.changeLabels(starred!, { add: ['STARRED'] });
    mailbox.changeLabels(important!, { add: ['IMPORTANT'] });
    mailbox.changeLabels(unread!, { add: ['UNREAD'] });
    mailbox.changeLabels(draft!, { add: ['DRAFT'] });
    mailbox.changeLabels(trashed!, { add: ['TRASH'], remove: ['INBOX'] });
    mailbox.remove(gone!);
    const rows = await box.rows();
    const deletion = await user.api.post(`${box.path}/delete`, {
      mailIds: [rows.get(unarchived!).id],
      confirmedCount: 1,
    });
    await user.jobEnd(deletion.body.jobId as string);
    const policy = await user.api.post('/api/retention', {
      name: 'Soon',
      mailboxAccountId: box.accountId,
      label: 'CATEGORY_PROMOTIONS',
      maxAgeDays: 1,
      includeOffloaded: true,
    });
    await sut.dataSource.query(
      `UPDATE archived_mails SET label_ids = '{CATEGORY_PROMOTIONS}' WHERE id = $1`,
      [rows.get(removed!).id],
    );
    const before = box.calls('messages.batchModify');

    const plan = await box.plan();
    const movable = box.ids.slice(8);
    expect(plan).toMatchObject({
      status: 'ready',
      mode: 'fast',
      selected: 12,
      offloadable: 4,
      blocked: 8,
      trashed: 0,
      blockedBy: {
        starred: 1,
        important: 1,
        unread: 1,
        draft: 1,
        'in-trash': 1,
        gone: 1,
        'not-archived': 1,
        'policy-would-remove': 1,
      },
      bytes: movable.reduce((sum, id) => sum + mailbox.raw(id).length, 0),
      spaceFreedAfterDays: 30,
      encrypted: 0,
      units: 56,
      minutes: 1,
    });
    expect(plan.sample.map(({ messageId }: any) => messageId)).toEqual(movable);
    expect(plan.sample[0]).toMatchObject({ state: 'ready', reason: null, subject: 'Letter 8' });
    const lines = movable.map((id) => `${id} ${sha256(mailbox.raw(id))} ${mailbox.raw(id).length}\n`);
    expect(plan.digest).toBe(createHash('sha256').update(lines.join('')).digest('hex'));
    expect(await box.reasons(plan.id as string)).toEqual({
      [starred!]: 'starred',
      [important!]: 'important',
      [unread!]: 'unread',
      [draft!]: 'draft',
      [trashed!]: 'in-trash',
      [gone!]: 'gone',
      [unarchived!]: 'not-archived',
      [removed!]: 'policy-would-remove',
    });
    expect(box.calls('messages.batchModify')).toBe(before);

    const allowing = await box.plan({ allow: { starred: true, unread: true, important: true } });
    expect(allowing).toMatchObject({ offloadable: 7, starred: 1, important: 1 });
    await user.api.delete(`/api/retention/${policy.body.id}`);
  });

  it('should select by query, rule, age and size', async () => {
    const box = await OffloadBox.filled(sut, user, 6);
    const { body: rule } = await user.api.post(`/api/rules/${box.accountId}`, {
      name: 'Letters',
      conditions: [{ field: 'subject', operator: 'contains', value: 'Letter 3' }],
      action: { type: 'mark_read' },
    });
    expect(await box.plan({ select: { ruleId: rule.id } })).toMatchObject({ selected: 1, offloadable: 1 });
    expect(await box.plan({ select: { query: 'from:shop@letters.test' } })).toMatchObject({ selected: 6 });
    expect(await box.plan({ select: { query: '', olderThanDays: 36_000 } })).toMatchObject({ selected: 0 });
    expect(await box.plan({ select: { query: '', olderThanDays: 100, largerThan: 1 } })).toMatchObject({
      selected: 6,
    });
    expect(await box.plan({ select: { query: '', largerThan: 1_000_000 } })).toMatchObject({ selected: 0 });
  });

  it.each(['fast', 'strict'])(
    'should move proved messages, sign a receipt, and be undone: %s',
    async (mode) => {
      const box = await OffloadBox.filled(sut, user, 8);
      const { mailbox, ids } = box;
      mailbox.changeLabels(ids.slice(0, 2), { remove: ['INBOX'] });
      const was = ids.map((id) => [...mailbox.labels(id)].sort());
      const gets = box.calls('messages.get');
      const { job, plan } = await box.offload({ mode });
      expect(job).toMatchObject({ status: 'completed', total: 8, processed: 8, failed: 0 });
      expect(job.result).toMatchObject({ planId: plan.id, trashed: 8, blocked: 0, left: 0 });
      expect(plan).toMatchObject({ status: 'done', trashed: 8, blocked: 0 });
      expect(box.trashed()).toEqual(ids);
      expect(box.calls('messages.get') - gets >= (mode === 'strict' ? 8 : 0)).toBe(true);
      expect(box.calls('messages.batchModify')).toBe(1);
      expect(box.calls('messages.batchDelete') + box.calls('messages.delete')).toBe(0);
      expect(await box.holds()).toBe(0);
      const rows = await box.rows();
      expect(
        [...rows.values()].every((row) => row.presence === 'trash' && row.offload_plan_id === plan.id),
      ).toBe(true);

      const { receipt, items } = await box.receipt(plan.id as string);
      const statement = JSON.parse(receipt.statement as string);
      expect(statement).toMatchObject({
        format: 'mailroom-offload-receipt-1',
        account: { id: box.accountId, address: mailbox.email },
        plan: plan.id,
        mode,
        counts: { selected: 8, trashed: 8, blocked: 0, left: 0 },
        blockedBy: {},
        bytes: ids.reduce((sum, id) => sum + mailbox.raw(id).length, 0),
        items: { count: 8, sha256: sha256(items) },
        previous: null,
      });
      const lines = items
        .toString('utf8')
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line));
      expect(lines.map(({ messageId }) => messageId)).toEqual(ids);
      for (const [n, line] of lines.entries()) {
        expect(line).toEqual({
          messageId: ids[n],
          messageIdHeader: `<offload-${n}@letters.test>`,
          sha256: sha256(mailbox.raw(ids[n]!)),
          size: mailbox.raw(ids[n]!).length,
          mailId: rows.get(ids[n]!).id,
          verifiedAt: expect.any(String) as unknown,
          comparedAt: mode === 'strict' ? (expect.any(String) as unknown) : null,
          trashedAt: expect.any(String) as unknown,
        });
        expect(Date.parse(line.verifiedAt) <= Date.parse(line.trashedAt)).toBe(true);
      }

      const undo = await user.api.get(`/api/jobs/${job.queue_id}/undo`);
      expect(undo.body).toMatchObject({ undoable: true, messages: 8, calls: 2 });
      const undone = await user.api.post(`/api/jobs/${job.queue_id}/undo`);
      expect((await user.jobEnd(undone.body.jobId as string)).result).toMatchObject({ restored: 8 });
      expect(ids.map((id) => [...mailbox.labels(id)].sort())).toEqual(was);
    },
  );

  it('should be verifiable without the service: by our command, and by openssl', async () => {
    const box = await OffloadBox.filled(sut, user, 3);
    const first = await box.offload();
    const earlier = await box.receipt(first.plan.id as string);
    box.mailbox.changeLabels(box.ids, { add: ['INBOX'], remove: ['TRASH'] });
    const { plan } = await box.offload();
    const { receipt, items } = await box.receipt(plan.id as string);
    expect(JSON.parse(receipt.statement as string).previous).toBe(
      sha256(Buffer.from(earlier.receipt.statement as string)),
    );
    const keys = (await user.api.get('/api/offload/keys')).body;
    const key = keys.find(({ keyId }: any) => keyId === receipt.keyId);
    const folder = mkdtempSync(join(tmpdir(), 'mailroom-receipts-'));
    const file = (name: string, content: string | Buffer): string => {
      writeFileSync(join(folder, name), content);
      return join(folder, name);
    };
    try {
      const pem = file('key.pem', key.publicKey as string);
      const paths = { key: pem, items: file('items.ndjson', items), eml: join(sut.archiveDir, user.id) };
      const path = file('receipt.json', JSON.stringify(receipt));
      await expect(verifyReceipt(path, paths, () => undefined)).resolves.toBeUndefined();
      const statement = file('statement.json', receipt.statement as string);
      const signature = file('signature.bin', Buffer.from(receipt.signature as string, 'base64'));
      const openssl = (text: string): string =>
        execFileSync(
          'openssl',
          ['pkeyutl', '-verify', '-pubin', '-inkey', pem, '-rawin', '-in', text, '-sigfile', signature],
          { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] },
        );
      expect(openssl(statement)).toContain('Signature Verified Successfully');
      const forged = file('forged.json', (receipt.statement as string).replace('"trashed":3', '"trashed":4'));
      expect(() => openssl(forged)).toThrow();
      const more = { ...receipt, statement: receipt.statement.replace('"trashed":3', '"trashed":4') };
      const forgedPath = file('forged-receipt.json', JSON.stringify(more));
      await expect(verifyReceipt(forgedPath, paths, () => undefined)).rejects.toThrow('was altered');
    } finally {
      rmSync(folder, { recursive: true });
    }
    const listed = await user.api.get(`${box.offloadPath}/receipts?limit=1`);
    expect(listed.body.items.map(({ planId }: any) => planId)).toEqual([plan.id]);
    const next = await user.api.get(`${box.offloadPath}/receipts?limit=1&after=${listed.body.next}`);
    expect(next.body.items.map(({ planId }: any) => planId)).toEqual([first.plan.id]);
    const { body: log } = await user.api.get('/api/audit?action=offload.receipt-signed&limit=100');
    expect(log.entries ?? log.items).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          details: expect.objectContaining({ sha256: sha256(Buffer.from(receipt.statement as string)) }),
        }),
      ]),
    );
  });

  it('should move exactly the confirmed messages, once', async () => {
    const box = await OffloadBox.filled(sut, user, 4);
    const plan = await box.plan();
    const confirm = (body: object): Promise<any> =>
      user.api.post(`${box.offloadPath}/plans/${plan.id}/confirm`, body);
    const seen = { digest: plan.digest, count: 4 };
    const refused = async (body: object): Promise<unknown> => {
      const { status, body: problem } = await confirm(body);
      return [status, problem.code];
    };
    expect(await refused({ ...seen, digest: ZEROS })).toEqual([409, 'plan-differs']);
    expect(await refused({ ...seen, count: 3 })).toEqual([409, 'plan-differs']);
    expect((await confirm({ ...seen, digest: 'none' })).body.errors[0].field).toBe('digest');
    expect((await confirm({ digest: plan.digest })).body.errors[0].field).toBe('count');
    await sut.dataSource.query(`UPDATE offload_plans SET expires_at = now() WHERE id = $1`, [plan.id]);
    expect(await refused(seen)).toEqual([409, 'plan-expired']);
    expect(await box.shown(plan.id as string)).toMatchObject({ status: 'expired' });
    await sut.dataSource.query(
      `UPDATE offload_plans SET expires_at = now() + interval '1 hour' WHERE id = $1`,
      [plan.id],
    );
    expect(box.trashed()).toEqual([]);

    const headers = { 'Idempotency-Key': 'offload-once' };
    const path = `${box.offloadPath}/plans/${plan.id}/confirm`;
    const started = await user.api.post(path, seen, { headers });
    expect(started.status).toBe(202);
    await user.jobEnd(started.body.jobId as string);
    expect((await user.api.post(path, seen, { headers })).body).toEqual(started.body);
    expect(await refused(seen)).toEqual([409, 'plan-done']);
    const deleted = await user.api.delete(`${box.offloadPath}/plans/${plan.id}`);
    expect([deleted.status, deleted.body.code]).toEqual([409, 'plan-done']);

    const unused = await box.plan();
    expect((await user.api.delete(`${box.offloadPath}/plans/${unused.id}`)).status).toBe(204);
    expect((await user.api.get(`${box.offloadPath}/plans/${unused.id}`)).status).toBe(404);
    const plans = await user.api.get(`${box.offloadPath}/plans`);
    expect(plans.body.items.map(({ id }: any) => id)).toEqual([plan.id]);
  });

  it('should be started once by two simultaneous confirmations', async () => {
    const box = await OffloadBox.filled(sut, user, 2);
    const plan = await box.plan();
    const accounts = sut.app.get(MailboxAccountsService, { strict: false });
    const lock = accounts.lockUsable.bind(accounts);
    let waiting = 0;
    let meet = (): void => undefined;
    const met = new Promise<void>((resolve) => (meet = resolve));
    // Both have found the plan ready when the first one begins.
    jest.spyOn(accounts, 'lockUsable').mockImplementation(async (...account) => {
      waiting += 1;
      if (waiting === 2) meet();
      await met;
      return lock(...account);
    });
    const answers = await Promise.all([box.confirm(plan), box.confirm(plan)]).finally(() =>
      jest.restoreAllMocks(),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([202, 409]);
    const started = answers.find(({ status }) => status === 202);
    expect((await user.jobEnd(started.body.jobId as string)).result).toMatchObject({ trashed: 2, left: 0 });
  });

  it('should refuse invalid input by the name of its field', async () => {
    const box = await OffloadBox.filled(sut, user, 0);
    const field = async (body: object): Promise<string> => {
      const { status, body: problem } = await user.api.post(`${box.offloadPath}/plans`, body);
      expect(status).toBe(400);
      return problem.errors[0].field as string;
    };
    expect(await field({})).toBe('select');
    expect(await field({ select: {} })).toBe('select');
    expect(await field({ select: { query: '', ruleId: box.accountId } })).toBe('select');
    expect(await field({ select: { ruleId: box.accountId } })).toBe('select.ruleId');
    expect(await field({ select: { messageIds: ['/'] } })).toBe('select.messageIds');
    expect(await field({ select: { query: '', olderThanDays: 0 } })).toBe('select.olderThanDays');
    expect(await field({ select: { query: '' }, mode: 'quick' })).toBe('mode');
    expect(await field({ select: { query: '' }, allow: { starred: 'yes' } })).toBe('allow.starred');
    const stranger = await sut.user('stranger');
    const { plan } = await (await OffloadBox.filled(sut, user, 1)).offload();
    const foreign = await stranger.api.get(`${box.offloadPath}/plans/${plan.id}`);
    expect(foreign.status).toBe(403);
    // A plan of another mailbox of the same person.
    expect((await user.api.get(`${box.offloadPath}/plans/${plan.id}`)).status).toBe(404);
    expect((await user.api.get(`${box.offloadPath}/receipts/${plan.id}/items`)).status).toBe(404);
    expect((await sut.anonymous.get('/api/offload/keys')).status).toBe(401);
  });
});
