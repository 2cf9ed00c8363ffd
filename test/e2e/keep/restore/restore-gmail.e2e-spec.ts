import type { SandboxFaultAnswer, SandboxMailbox } from '../../../../sandbox/src/sandbox-server';
import { RestoreTimings } from '../../../../src/keep/restore/restore-timings';
import { startTestApp, TestApp } from '../../../support/app';
import { sha256 } from '../../../support/archive/archive-fixture';
import { copiesOf, mail, RestoreFixture } from '../../../support/restore/restore-fixture';
import type { TestUser } from '../../../support/test-user';

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
  });

  describe('into the original mailbox', () => {
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
