import type { SandboxMailbox } from '../../../../sandbox/src/sandbox-server';
import { RulesModule } from '../../../../src/cleanup/rules/rules.module';
import { SealedCredentials } from '../../../../src/mailbox/accounts/sealed-credentials';
import { BulkModule } from '../../../../src/mailbox/bulk/bulk.module';
import { UndoCron } from '../../../../src/mailbox/bulk/undo.cron';
import { ReauthRequired } from '../../../../src/providers/port/mail-provider.errors';
import { startFeature, type Feature, type FeatureUser } from '../../../support/medium/feature';

const NOTHING = {
  restored: 0,
  alreadyBack: 0,
  changedSince: 0,
  gone: 0,
  labelGone: 0,
  unknownBefore: 0,
  refused: 0,
  evidence: 'history',
};

interface Connected {
  readonly id: string;
  readonly mailbox: SandboxMailbox;
  readonly ids: readonly string[];
}

describe('Undo', () => {
  let sut: Feature;
  let user: FeatureUser;
  let mailboxes = 0;

  beforeAll(async () => {
    sut = await startFeature({ modules: [BulkModule, RulesModule] });
    user = await sut.user();
  });

  afterAll(() => sut?.close());

  beforeEach(() => sut.provider.reset());

  /** Messages in the inbox, read. */
  async function connect(messages: number): Promise<Connected> {
    const email = `undo${(mailboxes += 1)}-${messages}@sandbox.mailroom.test`;
    const id = await user.connect(email);
    const mailbox = sut.mailbox(email);
    const ids = mailbox.ids();
    mailbox.changeLabels(ids, { add: ['INBOX'], remove: ['TRASH', 'SPAM', 'UNREAD'] });
    return { id, mailbox, ids };
  }

  async function run({ id }: Connected, body: object): Promise<any> {
    const { status, body: answer } = await user.api.post(`/api/mailbox/${id}/messages/bulk`, body);
    expect(status).toBe(202);
    return user.jobEnd(answer.jobId as string);
  }

  async function undo(jobId: string): Promise<any> {
    const { status, body } = await user.api.post(`/api/jobs/${jobId}/undo`);
    expect({ status, body }).toEqual({
      status: 202,
      body: {
        jobId: expect.stringMatching(/^undo_changes-\d+$/) as unknown,
        message: expect.stringMatching(/^Undo started: [\d,]+ messages?$/) as unknown,
      },
    });
    return user.jobEnd(body.jobId as string);
  }

  const undoability = async (jobId: string): Promise<any> =>
    (await user.api.get(`/api/jobs/${jobId}/undo`)).body;

  const labelsOf = ({ mailbox, ids }: Connected): string[][] =>
    ids.map((id) => [...mailbox.labels(id)].sort());

  it.each<[action: string, label: string, adds: boolean]>([
    ['trash', 'TRASH', true],
    ['archive', 'INBOX', false],
    ['label', 'own', true],
    ['unlabel', 'own', false],
    ['mark_read', 'UNREAD', false],
    ['mark_unread', 'UNREAD', true],
  ])(
    'should undo the changes of %s, except where others have changed messages since',
    async (action, name, adds) => {
      const connected = await connect(10);
      const { id, mailbox, ids } = connected;
      const [plain, unfiled, starred, back, again, gone, before, ...rest] = ids as [
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        ...string[],
      ];
      const { body: own } = await user.api.post(`/api/mailbox/${id}/labels`, { name: 'Own' });
      const label = name === 'own' ? (own.id as string) : name;
      const make = adds ? { add: [label] } : { remove: [label] };
      const take = adds ? { remove: [label] } : { add: [label] };
      mailbox.changeLabels(ids, take);
      mailbox.changeLabels([before], make);
      // Undoing moves no message to the inbox that was not there before.
      if (action === 'trash') mailbox.changeLabels([unfiled], { remove: ['INBOX'] });
      const untouched = [plain, unfiled, starred, ...rest];
      const was = new Map(ids.map((each) => [each, [...mailbox.labels(each)].sort()]));

      const job = await run(connected, { action, messageIds: ids, labelId: own.id });
      expect(job.result).toMatchObject({ changed: 9, alreadyDone: 1 });
      expect(await undoability(job.queue_id as string)).toMatchObject({
        undoable: true,
        reason: null,
        messages: 9,
        calls: action === 'trash' ? 2 : 1,
        undoneBy: null,
      });
      mailbox.changeLabels([starred], { add: ['STARRED'] });
      mailbox.changeLabels([back], take);
      mailbox.changeLabels([again], take);
      mailbox.changeLabels([again], make);
      mailbox.remove(gone);

      const undone = await undo(job.queue_id as string);
      expect(undone).toMatchObject({ status: 'completed', total: 9, processed: 7, failed: 2 });
      expect(undone.result).toMatchObject({
        ...NOTHING,
        restored: 6,
        alreadyBack: 1,
        changedSince: 1,
        gone: 1,
      });
      expect(undone.result.failures.map(({ item }: { item: string }) => item).sort()).toEqual(
        [again, gone].sort(),
      );
      for (const each of untouched) {
        const now = [...mailbox.labels(each)].filter((one) => each !== starred || one !== 'STARRED').sort();
        expect(now).toEqual(was.get(each)!.filter((one) => each !== starred || one !== 'STARRED'));
      }
      expect(mailbox.labels(again).includes(label)).toBe(adds);
      expect(mailbox.labels(before).includes(label)).toBe(adds);
      expect(await undoability(job.queue_id as string)).toMatchObject({
        undoable: false,
        reason: 'already-undone',
        undoneBy: undone.queue_id,
      });
    },
  );

  it('should itself be undoable', async () => {
    const connected = await connect(6);
    const { mailbox, ids } = connected;
    mailbox.changeLabels(ids.slice(0, 2), { remove: ['INBOX'] });
    const was = labelsOf(connected);
    const trashed = await run(connected, { action: 'trash', messageIds: ids });
    const trash = labelsOf(connected);
    const undone = await undo(trashed.queue_id as string);
    expect(labelsOf(connected)).toEqual(was);
    const again = await undo(undone.queue_id as string);
    expect(again.result).toMatchObject({ ...NOTHING, restored: 6 });
    expect(labelsOf(connected)).toEqual(trash);
    await undo(again.queue_id as string);
    expect(labelsOf(connected)).toEqual(was);
  });

  it('should use the current state when the history is lost', async () => {
    const connected = await connect(5);
    const { mailbox, ids } = connected;
    const trashed = await run(connected, { action: 'trash', messageIds: ids });
    mailbox.changeLabels([ids[0]!], { remove: ['TRASH'] });
    mailbox.remove(ids[1]!);
    mailbox.expireHistory();
    const undone = await undo(trashed.queue_id as string);
    expect(undone.result).toMatchObject({
      ...NOTHING,
      restored: 3,
      alreadyBack: 1,
      gone: 1,
      evidence: 'state',
    });
    // Somebody had taken it out of the trash, and not put it into the inbox.
    expect(mailbox.labels(ids[0]!)).not.toContain('INBOX');
    expect(ids.slice(2).every((id) => mailbox.labels(id).includes('INBOX'))).toBe(true);
  });

  it('should report that the label no longer exists', async () => {
    const connected = await connect(3);
    const { id, ids } = connected;
    const { body: own } = await user.api.post(`/api/mailbox/${id}/labels`, { name: 'Short' });
    const job = await run(connected, { action: 'label', messageIds: ids, labelId: own.id });
    await user.api.delete(`/api/mailbox/${id}/labels/${own.id}`);
    const undone = await undo(job.queue_id as string);
    expect(undone).toMatchObject({ status: 'completed', failed: 3, result: { ...NOTHING, labelGone: 3 } });
  });

  it('should undo rules, and jobs that were cancelled or failed as far as they got', async () => {
    const connected = await connect(1_500);
    const { id, mailbox, ids } = connected;
    const rule = await user.api.post(`/api/rules/${id}`, {
      name: 'All',
      conditions: [{ field: 'size_gt', operator: 'gt', value: 1 }],
      action: { type: 'archive' },
    });
    const { body } = await user.api.post(`/api/rules/${id}/${rule.body.id}/run`);
    const ran = await user.jobEnd(body.jobId as string);
    expect(ran.result).toMatchObject({ changed: 1_500 });
    expect((await undo(ran.queue_id as string)).result).toMatchObject({ ...NOTHING, restored: 1_500 });
    expect(ids.every((each) => mailbox.labels(each).includes('INBOX'))).toBe(true);

    // The gateway does this when the grant is revoked.
    sut.provider.on('modify', { email: mailbox.email, skip: 1, times: 'always' }, async () => {
      await sut.get(SealedCredentials).markReauthRequired(id);
      throw new ReauthRequired();
    });
    const failed = await run(connected, { action: 'mark_unread', messageIds: ids });
    expect(failed).toMatchObject({ status: 'failed', processed: 1_000 });
    expect(await user.api.post(`/api/jobs/${failed.queue_id}/undo`)).toMatchObject({
      status: 409,
      body: { code: 'mailbox-reauth-required' },
    });
    sut.provider.reset();
    await user.connect(mailbox.email);
    expect((await undo(failed.queue_id as string)).result).toMatchObject({ ...NOTHING, restored: 1_000 });
    expect(ids.some((each) => mailbox.labels(each).includes('UNREAD'))).toBe(false);
  });

  it('should take eleven change calls for 10,000 messages in the trash', async () => {
    const connected = await connect(10_000);
    const { mailbox, ids } = connected;
    mailbox.changeLabels(ids.slice(0, 2_500), { remove: ['INBOX'] });
    const trashed = await run(connected, { action: 'trash', messageIds: ids });
    const [journal] = await sut.query(
      `SELECT sum(octet_length(ids) + octet_length(flags))::int AS bytes FROM change_journal journal
       JOIN jobs ON jobs.id = journal.job_id WHERE jobs.type || '-' || jobs.number = $1`,
      [trashed.queue_id],
    );
    expect(journal.bytes).toBeLessThan(92_000);
    expect(await undoability(trashed.queue_id as string)).toMatchObject({ messages: 10_000, calls: 11 });
    sut.provider.resetCalls();
    const undone = await undo(trashed.queue_id as string);
    expect(undone.result).toMatchObject({ ...NOTHING, restored: 10_000 });
    const { calls } = sut.provider;
    expect(calls).toEqual({ modify: 11, listChanges: expect.any(Number) as unknown });
    // The job's own changes of 9,000 messages; then for each batch where the history stands, and two pages.
    expect(calls.listChanges).toBeLessThanOrEqual(18 + 1 + 11 * 3 + 1);
    expect(ids.filter((id) => mailbox.labels(id).includes('INBOX'))).toHaveLength(7_500);
  });

  it('should start once for two concurrent requests', async () => {
    const connected = await connect(3);
    const trashed = await run(connected, { action: 'trash', messageIds: connected.ids });
    const path = `/api/jobs/${trashed.queue_id}/undo`;
    const answers = await Promise.all([user.api.post(path), user.api.post(path), user.api.post(path)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([202, 409, 409]);
    expect(answers.filter(({ status }) => status === 409).map(({ body }) => body.code)).toEqual([
      'already-undone',
      'already-undone',
    ]);
    const { body } = answers.find(({ status }) => status === 202)!;
    expect(await user.jobEnd(body.jobId as string)).toMatchObject({ result: { ...NOTHING, restored: 3 } });
  });

  it('should explain why a job cannot be undone', async () => {
    const connected = await connect(3);
    const { id, ids, mailbox } = connected;
    const refused = async (jobId: string, code: string): Promise<void> => {
      expect(await undoability(jobId)).toMatchObject({ undoable: false, reason: code });
      expect(await user.api.post(`/api/jobs/${jobId}/undo`)).toMatchObject({ status: 409, body: { code } });
    };
    const nothing = await run(connected, { action: 'mark_read', messageIds: ids });
    await refused(nothing.queue_id as string, 'nothing-changed');
    const deleted = await run(connected, { action: 'delete', messageIds: [ids[0]] });
    await refused(deleted.queue_id as string, 'not-undoable');
    const archiving = await user.api.post(`/api/archive/${id}/archive`, { messageIds: [ids[1]] });
    await refused(archiving.body.jobId as string, 'not-undoable');
    await user.jobEnd(archiving.body.jobId as string);

    const trashed = await run(connected, { action: 'trash', messageIds: [ids[1]] });
    const { until } = await undoability(trashed.queue_id as string);
    expect((Date.parse(until as string) - Date.now()) / 86_400_000).toBeCloseTo(29, 1);
    await sut.query('UPDATE change_journal SET expires_at = clock_timestamp() WHERE account_id = $1', [id]);
    await refused(trashed.queue_id as string, 'undo-expired');
    await sut.get(UndoCron).deleteExpired();
    expect(await sut.query('SELECT FROM change_journal WHERE account_id = $1', [id])).toEqual([]);
    expect(mailbox.labels(ids[1]!)).toContain('TRASH');
  });
});
