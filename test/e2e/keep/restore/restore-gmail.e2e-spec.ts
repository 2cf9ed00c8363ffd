import type { SandboxFaultAnswer, SandboxMailbox } from '../../../../sandbox/src/sandbox-server';
import { RestoreTimings } from '../../../../src/keep/restore/restore-timings';
import { startTestApp, TestApp } from '../../../support/app';
import { sha256 } from '../../../support/archive/archive-fixture';
import { copiesOf, mail, RestoreFixture } from '../../../support/restore/restore-fixture';
import type { TestUser } from '../../../support/test-user';
import { waitFor } from '../../../support/wait';

/** What Gmail's search answers about a message it has not indexed yet. */
const NOT_FOUND_YET: SandboxFaultAnswer = {
  kind: 'foreign',
  body: '{"resultSizeEstimate":0}',
  contentType: 'application/json',
};
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
  let sut: TestApp;
  let user: TestUser;
  let mailboxes = 0;

  beforeAll(async () => {
    sut = await startTestApp({ sandbox: { messages: 1 } });
    sut.tune(RestoreTimings, { settleMs: [20, 50] });
    user = await sut.user();
    await sut.dataSource.query('UPDATE users SET max_mailbox_accounts = 100');
  });

  afterAll(() => sut?.close());

  beforeEach(() => {
    sut.sandbox.clearFaults();
    sut.sandbox.stats.reset();
  });

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

    it('should restore every byte, date, label and conversation', async () => {
      const first = mail({ Date: 'Mon, 1 Jan 2018 00:00:00 +0000', Subject: 'Plan' });
      const answers = ['Re: Plan', 'Re: Plan'].map((Subject, n) =>
        mail({ Subject, Date: `Wed, 1${n} Jan 2018 00:00:00 +0000` }, 'caf\xe9\n\0bare\r\n'),
      );
      const head = source.mailbox.insert(first, {
        labelIds: ['INBOX', 'STARRED', 'UNREAD'],
        internalDate: new Date('2018-01-01T00:00:00Z'),
      });
      const threadId = source.mailbox.threadId(head);
      const others = answers.map((raw, n) =>
        source.mailbox.insert(raw, {
          labelIds: ['SENT'],
          threadId,
          internalDate: new Date(`2018-01-1${n}T00:00:00Z`),
        }),
      );
      await source.archive({ messageIds: [head, ...others] });
      const { status, counts, notes, job, items } = await source.restore(into());
      expect({ status, counts }).toEqual({ status: 'done', counts: { ...NOTHING, inserted: 3 } });
      expect(Object.values(notes).every((count) => count === 0)).toBe(true);
      expect(job).toMatchObject({ status: 'completed', total: 3, processed: 3, failed: 0 });
      expect(job.result).toMatchObject({ inserted: 3, failed: 0 });
      for (const [at, raw] of [first, ...answers].entries()) {
        const { targetId, outcome, sha256: hash } = items[at];
        expect({ outcome, hash }).toEqual({ outcome: 'inserted', hash: sha256(raw) });
        expect(target.mailbox.raw(targetId as string).equals(raw)).toBe(true);
      }
      const threads = new Set(items.map(({ targetId }: any) => target.mailbox.threadId(targetId as string)));
      expect(threads.size).toBe(1);
      expect(target.mailbox.labels(items[0].targetId as string).sort()).toEqual([
        'INBOX',
        'STARRED',
        'UNREAD',
      ]);
      expect(target.mailbox.internalDate(items[0].targetId as string)).toEqual(
        new Date('2018-01-01T00:00:00Z'),
      );
    });

    it('should add nothing twice: by Message-ID, by copies in the archive, and by earlier restores', async () => {
      const named = mail();
      const nameless = mail({ 'Message-ID': null });
      await source.insertAndArchive(named, nameless);
      const theirs = target.mailbox.insert(named, { labelIds: ['INBOX'] });
      await target.insertAndArchive(nameless);
      const there = await source.restore(into());
      expect(there.counts).toEqual({ ...NOTHING, alreadyThere: 2 });
      expect(there.items.map(({ targetId }: any) => targetId)).toContain(theirs);
      expect(target.mailbox.ids()).toHaveLength(2);
      expect(sut.sandbox.stats.calls['messages.insert']).toBeUndefined();

      const later = await connect();
      const fresh = into({ target: { accountId: later.accountId } });
      expect((await source.restore(fresh)).counts).toEqual({ ...NOTHING, inserted: 2 });
      // Search does not know them yet.
      sut.sandbox.fault({
        endpoint: 'messages.list',
        email: later.mailbox.email,
        times: 'always',
        answer: NOT_FOUND_YET,
      });
      expect((await source.restore(fresh)).counts).toEqual({ ...NOTHING, alreadyThere: 2 });
      expect(later.mailbox.ids()).toHaveLength(2);
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
      // Of the second one nothing arrives.
      sut.sandbox.fault({ endpoint: 'messages.insert', email, skip: 1, answer: { kind: 'backendError' } });
      expect((await source.restore(into())).counts).toEqual({ ...NOTHING, inserted: 2 });
      const there = target.mailbox.ids().map((id) => sha256(target.mailbox.raw(id)));
      expect(there.sort()).toEqual([first, second].map(sha256).sort());
    });

    it('should take it out of the trash when it is there, and report when the provider returns such a twin', async () => {
      const [known, late, other] = [mail(), mail(), mail()];
      await source.insertAndArchive(known, late, other);
      const trashed = target.mailbox.insert(known, { labelIds: ['TRASH'] });
      const folded = target.mailbox.insert(late, { labelIds: ['TRASH'] });
      const different = target.mailbox.insert(other.toString('latin1').replace('Hello', 'Other'), {
        labelIds: ['TRASH'],
      });
      const { email } = target.mailbox;
      sut.sandbox.fault({
        endpoint: 'messages.list',
        email,
        times: 'always',
        answer: NOT_FOUND_YET,
      });
      sut.sandbox.fault({
        endpoint: 'messages.insert',
        email,
        times: 'always',
        answer: { kind: 'foldTwin' },
      });
      const { counts, items } = await source.restore(into());
      const outcomes = new Map(items.map(({ outcome, targetId }: any) => [targetId, outcome]));
      expect(outcomes.get(trashed)).toBe('untrashed');
      expect(outcomes.get(folded)).toBe('untrashed');
      expect(outcomes.get(different)).toBe('same-id-differs');
      expect(counts).toEqual({ ...NOTHING, untrashed: 2, sameIdDiffers: 1 });
      expect(target.mailbox.labels(trashed)).toEqual(['INBOX']);
      expect(target.mailbox.labels(folded)).toEqual(['INBOX']);
      expect(target.mailbox.labels(different)).toEqual(['TRASH']);
    });

    it.each<[SandboxFaultAnswer, note: string]>([
      [{ kind: 'addFields' }, 'fields-added'],
      [{ kind: 'alterBytes' }, 'bytes-differ'],
    ])('should notice that the inserted message is not the one that was sent: %j', async (answer, note) => {
      await source.insertAndArchive(mail());
      sut.sandbox.fault({ endpoint: 'messages.insert', answer });
      const { items, job } = await source.restore(into());
      expect(items[0]).toMatchObject({ outcome: 'inserted', notes: [note] });
      expect(job.processed).toBe(1);
      // It is still the one restored, whatever became of it.
      const again = await source.restore(into());
      expect(again.items[0]).toMatchObject({ outcome: 'already-there', notes: [note] });
      expect(target.mailbox.ids()).toHaveLength(1);
    });

    it('should report dates that cannot be kept', async () => {
      const bad = mail({ Date: 'the day before yesterday' });
      const internalDate = new Date('2019-01-01T00:00:00Z');
      const id = source.mailbox.insert(bad, { internalDate });
      await source.archive({ messageIds: [id] });
      const { items, notes } = await source.restore(into());
      expect(items[0]).toMatchObject({ outcome: 'inserted', notes: ['date-differs'] });
      expect(notes.dateDiffers).toBe(1);
      expect(target.mailbox.raw(only(target.mailbox)).equals(bad)).toBe(true);
    });

    it('should restore without rejected labels', async () => {
      const id = source.put(mail(), { labelIds: ['INBOX', 'SENT'] });
      await source.archive({ messageIds: [id] });
      sut.sandbox.fault({
        endpoint: 'messages.insert',
        answer: { kind: 'error', status: 400, reason: 'invalidArgument', message: 'Invalid label: SENT' },
      });
      const { items } = await source.restore(into());
      expect(items[0]).toMatchObject({ outcome: 'inserted', notes: ['label-refused'] });
      expect(target.mailbox.labels(only(target.mailbox))).toEqual(['INBOX']);
    });

    it('should restore outside a rejected conversation', async () => {
      const [one, two] = [mail({ Subject: 'Plan' }), mail({ Subject: 'Other' })];
      const head = source.put(one);
      const answer = source.put(two, { threadId: source.mailbox.threadId(head) });
      await source.archive({ messageIds: [head, answer] });
      sut.sandbox.fault({
        endpoint: 'messages.insert',
        skip: 1,
        answer: {
          kind: 'error',
          status: 404,
          reason: 'notFound',
          message: 'Requested entity was not found.',
        },
      });
      const { counts, items } = await source.restore(into());
      expect(counts).toEqual({ ...NOTHING, inserted: 2 });
      expect(items.map(({ notes }: any) => notes)).toEqual([[], ['thread-not-kept']]);
    });

    it.each<SandboxFaultAnswer>([{ kind: 'reset' }, { kind: 'cut' }])(
      'should not add a mail again whose answer was lost: $kind',
      async (answer) => {
        const mails = [mail(), mail({ 'Message-ID': null }), mail()];
        await source.insertAndArchive(...mails);
        const { email } = target.mailbox;
        sut.sandbox.fault({ endpoint: 'messages.insert', email, times: 3, answer });
        sut.sandbox.fault({ endpoint: 'messages.list', email, times: 'always', answer: NOT_FOUND_YET });
        const { counts } = await source.restore(into());
        expect(counts).toEqual({ ...NOTHING, inserted: 3 });
        expect([...copiesOf(target.mailbox).values()]).toEqual([1, 1, 1]);
        expect(sut.sandbox.stats.calls['messages.insert']).toBe(3);
      },
    );

    describe.each([
      ['a tab', '<one\ttwo@restore.test>'],
      ['more than a line', `<${'x'.repeat(1_000)}@restore.test>`],
    ])('a mail whose Message-ID has %s', (_, id) => {
      it('should not be added again when its answer was lost', async () => {
        const odd = mail({ 'Message-ID': id });
        await source.insertAndArchive(odd);
        sut.sandbox.fault({
          endpoint: 'messages.insert',
          email: target.mailbox.email,
          answer: { kind: 'cut' },
        });
        const { counts } = await source.restore(into());
        expect([...copiesOf(target.mailbox)]).toEqual([[sha256(odd), 1]]);
        expect(counts).toEqual({ ...NOTHING, inserted: 1 });
        expect(sut.sandbox.stats.calls['messages.insert']).toBe(1);
      });

      it('should not be added again when the history is lost as well', async () => {
        const odd = mail({ 'Message-ID': id });
        await source.insertAndArchive(odd);
        const { email } = target.mailbox;
        sut.sandbox.fault({ endpoint: 'messages.insert', email, answer: { kind: 'cut' } });
        sut.sandbox.fault({
          endpoint: 'history.list',
          email,
          times: 'always',
          answer: {
            kind: 'error',
            status: 404,
            reason: 'notFound',
            message: 'Requested entity was not found.',
          },
        });
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
      sut.sandbox.fault({ endpoint: 'messages.insert', email, answer: { kind: 'backendError' } });
      const putBack = source.restore(into());
      await waitFor('the insertion', () => sut.sandbox.stats.calls['messages.insert'] !== undefined);
      target.put(Buffer.from(lost.toString('latin1').replace('Hello', 'Other'), 'latin1'));
      expect((await putBack).counts).toEqual({ ...NOTHING, inserted: 1 });
      expect(copiesOf(target.mailbox).get(sha256(lost))).toBe(1);
    });

    it('should add a mail again when it was not added, and eventually give up', async () => {
      await source.insertAndArchive(mail());
      sut.sandbox.fault({ endpoint: 'messages.insert', times: 2, answer: { kind: 'backendError' } });
      expect((await source.restore(into())).counts).toEqual({ ...NOTHING, inserted: 1 });

      await source.insertAndArchive(mail());
      sut.sandbox.fault({ endpoint: 'messages.insert', times: 3, answer: { kind: 'backendError' } });
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
      sut.sandbox.stats.reset();
      const { counts, items, notes } = await source.restore({
        select: { all: true },
        target: { accountId: source.accountId },
      });
      expect(counts).toEqual({ ...NOTHING, untrashed: 1, alreadyThere: 1, inserted: 1 });
      expect(notes.threadNotKept).toBe(0);
      // Out of the trash and with its labels in one.
      expect(sut.sandbox.stats.calls['messages.batchModify']).toBe(1);
      const outcomes = new Map(items.map(({ outcome, targetId }: any) => [outcome, targetId]));
      expect(outcomes.get('untrashed')).toBe(trashed);
      expect(outcomes.get('already-there')).toBe(kept);
      expect(source.mailbox.labels(trashed)).toEqual(['INBOX']);
      expect(source.mailbox.threadId(trashed)).toBe(threadId);
      expect(source.mailbox.raw(outcomes.get('inserted') as string).equals(lost)).toBe(true);
    });

    it('should untrash a message without a rejected label, and report it', async () => {
      const source = await connect();
      await source.insertAndArchive(mail());
      const [id] = source.mailbox.ids() as [string];
      source.mailbox.changeLabels(id, { add: ['TRASH'], remove: ['INBOX'] });
      sut.sandbox.fault({
        endpoint: 'messages.batchModify',
        email: source.mailbox.email,
        answer: { kind: 'error', status: 400, reason: 'invalidArgument', message: 'Invalid label: INBOX' },
      });
      const { items } = await source.restore({
        select: { all: true },
        target: { accountId: source.accountId },
      });
      expect(items[0]).toMatchObject({ outcome: 'untrashed', targetId: id });
      expect(source.mailbox.labels(id)).not.toContain('TRASH');
    });
  });
});
