import { createHash } from 'node:crypto';
import { OffloadModule } from '../../../../src/keep/offload/offload.module';
import { MailboxAccountsService } from '../../../../src/mailbox/accounts/mailbox-accounts.service';
import { startFeature, type Feature, type FeatureUser } from '../../../support/medium/feature';
import { sha256 } from '../../../support/archive/archive-fixture';
import { OffloadBox } from '../../../support/offload/offload-box';

describe('Offload', () => {
  let sut: Feature;
  let user: FeatureUser;

  beforeAll(async () => {
    sut = await startFeature({ modules: [OffloadModule] });
    user = await sut.user();
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
    await sut.query(`UPDATE archived_mails SET label_ids = '{CATEGORY_PROMOTIONS}' WHERE id = $1`, [
      rows.get(removed!).id,
    ]);
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

  it('should be started once by two simultaneous confirmations', async () => {
    const box = await OffloadBox.filled(sut, user, 2);
    const plan = await box.plan();
    const accounts = sut.get(MailboxAccountsService);
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
});
