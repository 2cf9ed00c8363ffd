import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { verifyReceipt } from '../../../../src/operations/cli/receipt-command';
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
