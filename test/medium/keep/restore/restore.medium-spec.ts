import type { SandboxMailbox } from '../../../../sandbox/src/sandbox-server';
import { RestoreModule } from '../../../../src/keep/restore/restore.module';
import { RestoreTimings } from '../../../../src/keep/restore/restore-timings';
import { CursorInvalid, OutcomeUnknown } from '../../../../src/providers/port/mail-provider.errors';
import { startFeature, type Feature, type FeatureUser } from '../../../support/medium/feature';
import { sha256 } from '../../../support/archive/archive-fixture';
import { copiesOf, mail, RestoreFixture } from '../../../support/restore/restore-fixture';

const NOTHING = {
  waiting: 0,
  untrashed: 0,
  inserted: 0,
  alreadyThere: 0,
  sameIdDiffers: 0,
  tooLarge: 0,
  encrypted: 0,
  damaged: 0,
  failed: 0,
};

describe('Restore to a mailbox', () => {
  let sut: Feature;
  let user: FeatureUser;
  let mailboxes = 0;

  beforeAll(async () => {
    sut = await startFeature({ modules: [RestoreModule] });
    Object.assign(sut.get(RestoreTimings), { settleMs: [1, 1] });
    user = await sut.user();
  });

  afterAll(() => sut?.close());

  beforeEach(() => sut.provider.reset());

  const connect = (): Promise<RestoreFixture> =>
    RestoreFixture.connect(sut, user, `restore${(mailboxes += 1)}-0@sandbox.mailroom.test`);

  const only = (mailbox: SandboxMailbox): string => {
    const ids = mailbox.ids();
    expect(ids).toHaveLength(1);
    return ids[0]!;
  };

  const newestNotification = async (): Promise<any> => {
    const { body } = await user.api.get('/api/notifications?limit=1');
    return body.notifications[0];
  };

  describe('into another mailbox', () => {
    let source: RestoreFixture;
    let target: RestoreFixture;

    beforeEach(async () => {
      [source, target] = [await connect(), await connect()];
    });

    const into = (changes: object = {}): object => ({
      select: { all: true },
      target: { accountId: target.accountId },
      ...changes,
    });

    it('should show its plan, and change nothing before it is started', async () => {
      const labelled = source.mailbox.insert(mail(), { labelIds: ['INBOX'] });
      const { body: label } = await user.api.post(`/api/mailbox/${source.accountId}/labels`, {
        name: 'Work/2018',
      });
      source.mailbox.changeLabels(labelled, { add: [label.id as string] });
      await source.archive({ messageIds: [labelled] });
      const restoreId = await source.plan(into({ addLabel: 'Back' }));
      const shown = await source.shown(restoreId);
      expect(shown).toMatchObject({
        status: 'ready',
        mails: 1,
        encrypted: 0,
        tooLarge: 0,
        labelsToCreate: ['Back', 'Work/2018'],
        minutes: 1,
        counts: { ...NOTHING, waiting: 1 },
        sample: [{ subject: expect.stringContaining('Message') as unknown }],
      });
      expect(shown.units).toBeGreaterThan(0);
      expect(target.mailbox.ids()).toEqual([]);
      expect(await newestNotification()).toMatchObject({
        title: 'Trial run of a restore finished',
        body: '1 mail was looked at. Nothing was changed.',
        data: { type: 'restore_mails', trialRun: true },
      });
      const { body: labels } = await user.api.get(`/api/mailbox/${target.accountId}/labels`);
      expect(JSON.stringify(labels)).not.toContain('Work/2018');

      await user.jobEnd(await source.start(restoreId));
      const ended = await newestNotification();
      expect(ended).toMatchObject({ title: 'Restore completed', body: '1 mail was processed.' });
      expect(ended.data).not.toHaveProperty('trialRun');
      const { body: now } = await user.api.get(`/api/mailbox/${target.accountId}/labels`);
      const names = new Map<string, string>(now.map((each: any) => [each.id, each.name]));
      const restored = target.mailbox.labels(only(target.mailbox)).map((id) => names.get(id));
      expect(restored.sort()).toEqual(['Back', 'INBOX', 'Work/2018']);
    });

    it('should insert equal mails once', async () => {
      const twin = mail({ 'Message-ID': null });
      await source.insertAndArchive(twin, Buffer.from(twin), Buffer.from(twin));
      const { counts } = await source.restore(into());
      expect(counts).toEqual({ ...NOTHING, inserted: 1, alreadyThere: 2 });
      expect(target.mailbox.ids()).toHaveLength(1);
    });

    it.each(['skip', 'insert'])(
      'should %s a mail whose Message-ID another message has',
      async (onDifferent) => {
        const original = mail();
        await source.insertAndArchive(original);
        const id = target.mailbox.insert(original.toString('latin1').replace('Hello', 'Other'));
        const { counts, items } = await source.restore(into({ onDifferent }));
        if (onDifferent === 'skip') {
          expect(counts).toEqual({ ...NOTHING, sameIdDiffers: 1 });
          expect(items[0]).toMatchObject({ outcome: 'same-id-differs', targetId: id });
          expect(target.mailbox.ids()).toEqual([id]);
        } else {
          expect(counts).toEqual({ ...NOTHING, inserted: 1 });
          expect(copiesOf(target.mailbox).get(sha256(original))).toBe(1);
        }
      },
    );

    it('should insert all mails with one Message-ID, however they differ, and none of them twice', async () => {
      const first = mail({}, 'one\r\ntwo\r\n');
      const text = first.toString('latin1');
      const kinds = [
        first,
        Buffer.from(text.replace('two', 'six'), 'latin1'),
        Buffer.from(`Received: from a by b\r\n${text}`, 'latin1'),
        Buffer.from(text.replaceAll('\r\n', '\n'), 'latin1'),
      ];
      await source.insertAndArchive(...kinds);
      const { counts, items } = await source.restore(into());
      expect(counts).toEqual({ ...NOTHING, inserted: 4 });
      expect(new Set(items.map(({ targetId }: any) => targetId)).size).toBe(4);
      const there = target.mailbox.ids().map((id) => sha256(target.mailbox.raw(id)));
      expect(there.sort()).toEqual(kinds.map(sha256).sort());
      expect((await source.restore(into())).counts).toEqual({ ...NOTHING, alreadyThere: 4 });
      expect(target.mailbox.ids()).toHaveLength(4);
    });

    it('should treat a message with additional header fields as another one unless a restore inserted it', async () => {
      const original = mail();
      await source.insertAndArchive(original);
      target.mailbox.insert(Buffer.concat([Buffer.from('Received: from a by b\r\n'), original]));
      expect((await source.restore(into())).counts).toEqual({ ...NOTHING, sameIdDiffers: 1 });
      // A mail that was left out has not become the one that is there.
      expect((await source.restore(into())).counts).toEqual({ ...NOTHING, sameIdDiffers: 1 });
      expect(target.mailbox.ids()).toHaveLength(1);
    });

    it('should not mistake the message of another mail for one whose answer was lost', async () => {
      const first = mail();
      const second = Buffer.from(first.toString('latin1').replaceAll('\r\n', '\n'), 'latin1');
      await source.insertAndArchive(first, second);
      const { email } = target.mailbox;
      // Nothing of the second message arrives.
      sut.provider.fail('insert', new OutcomeUnknown(), { email, skip: 1 });
      expect((await source.restore(into())).counts).toEqual({ ...NOTHING, inserted: 2 });
      const there = target.mailbox.ids().map((id) => sha256(target.mailbox.raw(id)));
      expect(there.sort()).toEqual([first, second].map(sha256).sort());
    });

    describe.each([
      ['a tab', '<one\ttwo@restore.test>'],
      ['more than a line', `<${'x'.repeat(1_000)}@restore.test>`],
    ])('a mail whose Message-ID has %s', (_, id) => {
      it('should not be added again when its answer was lost', async () => {
        const odd = mail({ 'Message-ID': id });
        await source.insertAndArchive(odd);
        sut.provider.fail('insert', new OutcomeUnknown(), {
          email: target.mailbox.email,
          afterApplying: true,
        });
        const { counts } = await source.restore(into());
        expect([...copiesOf(target.mailbox)]).toEqual([[sha256(odd), 1]]);
        expect(counts).toEqual({ ...NOTHING, inserted: 1 });
        expect(sut.provider.calls.insert).toBe(1);
      });

      it('should not be added again when the history is lost as well', async () => {
        const odd = mail({ 'Message-ID': id });
        await source.insertAndArchive(odd);
        const { email } = target.mailbox;
        sut.provider.fail('insert', new OutcomeUnknown(), { email, afterApplying: true });
        sut.provider.fail('listChanges', new CursorInvalid(), { email, times: 'always' });
        const { items } = await source.restore(into());
        expect([...copiesOf(target.mailbox)]).toEqual([[sha256(odd), 1]]);
        expect(items).toMatchObject([{ outcome: 'failed', reason: 'outcome-unknown' }]);
      });
    });

    it('should not mistake a message that arrives meanwhile for a mail whose answer was lost', async () => {
      const lost = mail({ 'Message-ID': null });
      await source.insertAndArchive(lost);
      const { email } = target.mailbox;
      // Nothing arrives of it, and a message of its size and date does.
      sut.provider.on('insert', { email }, () => {
        target.put(Buffer.from(lost.toString('latin1').replace('Hello', 'Other'), 'latin1'));
        throw new OutcomeUnknown();
      });
      expect((await source.restore(into())).counts).toEqual({ ...NOTHING, inserted: 1 });
      expect(copiesOf(target.mailbox).get(sha256(lost))).toBe(1);
    });

    it('should add a mail again when it was not added, and eventually give up', async () => {
      await source.insertAndArchive(mail());
      sut.provider.fail('insert', new OutcomeUnknown(), { times: 2 });
      expect((await source.restore(into())).counts).toEqual({ ...NOTHING, inserted: 1 });

      await source.insertAndArchive(mail());
      sut.provider.fail('insert', new OutcomeUnknown(), { times: 3 });
      const stopped = await source.restore(into());
      expect(stopped.job).toMatchObject({ status: 'failed', error_code: 'outcome-unknown', processed: 1 });
      expect(stopped).toMatchObject({ status: 'stopped', counts: { waiting: 1, alreadyThere: 1 } });
      const job = await user.jobEnd(await source.start(stopped.id as string));
      expect(job).toMatchObject({ status: 'completed', total: 2, processed: 2 });
      expect((await source.shown(stopped.id as string)).status).toBe('done');
      expect(target.mailbox.ids()).toHaveLength(2);
    });
  });

  describe('into the original mailbox', () => {
    it('should restore a mail although another one with its Message-ID still exists', async () => {
      const source = await connect();
      const kept = mail();
      const lost = Buffer.from(kept.toString('latin1').replace('Hello', 'Other'), 'latin1');
      await source.insertAndArchive(kept, lost);
      source.mailbox.remove(source.mailbox.ids().find((id) => source.mailbox.raw(id).equals(lost)) as string);
      const { counts } = await source.restore({
        select: { all: true },
        target: { accountId: source.accountId },
      });
      expect(counts).toEqual({ ...NOTHING, inserted: 1, alreadyThere: 1 });
      const there = source.mailbox.ids().map((id) => sha256(source.mailbox.raw(id)));
      expect(there.sort()).toEqual([kept, lost].map(sha256).sort());
    });

    it('should untrash what is in the trash, keep what is there, and add what is missing', async () => {
      const source = await connect();
      const raws = [mail(), mail(), mail()];
      await source.insertAndArchive(...raws);
      const [gone, kept, trashed] = source.mailbox.ids() as [string, string, string];
      const threadId = source.mailbox.threadId(trashed);
      source.mailbox.changeLabels(trashed, { add: ['TRASH'], remove: ['INBOX'] });
      const lost = source.mailbox.raw(gone);
      source.mailbox.remove(gone);
      sut.provider.resetCalls();
      const { counts, items, notes } = await source.restore({
        select: { all: true },
        target: { accountId: source.accountId },
      });
      expect(counts).toEqual({ ...NOTHING, untrashed: 1, alreadyThere: 1, inserted: 1 });
      expect(notes.threadNotKept).toBe(0);
      // Out of the trash and with its labels in one.
      expect(sut.provider.calls.modify).toBe(1);
      const outcomes = new Map(items.map(({ outcome, targetId }: any) => [outcome, targetId]));
      expect(outcomes.get('untrashed')).toBe(trashed);
      expect(outcomes.get('already-there')).toBe(kept);
      expect(source.mailbox.labels(trashed)).toEqual(['INBOX']);
      expect(source.mailbox.threadId(trashed)).toBe(threadId);
      expect(source.mailbox.raw(outcomes.get('inserted') as string).equals(lost)).toBe(true);
    });
  });
});
