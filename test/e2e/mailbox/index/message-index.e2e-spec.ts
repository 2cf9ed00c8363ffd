import { waitFor } from '../../../support/wait';
import { IndexFixture, IndexedAccount, idsOf, mailOf } from '../../../support/index/index-fixture';

const mail = (subject: string): string =>
  `From: Ann <ann@example.test>\r\nTo: me@example.test\r\nSubject: ${subject}\r\n\r\nhello\r\n`;

describe('Message index', () => {
  let sut: IndexFixture;

  beforeAll(async () => {
    // No jobs run here: every provider call is one of the reader's own.
    sut = await IndexFixture.start('api', { sandbox: { messages: 1 } });
  });
  afterAll(() => sut?.close());
  beforeEach(() => sut.sut.sandbox.clearFaults());

  const newestIds = async ({ account }: IndexedAccount, limit: number): Promise<string[]> =>
    (await sut.mailboxIndex.listNewest(account, limit)).map(({ id }) => id);

  describe('the first request', () => {
    it('should fetch each of the newest messages once, and nothing the second time', async () => {
      const box = await sut.connect(800);
      expect(await sut.ready(box)).toEqual({ complete: false });
      expect(sut.calls()).toEqual({ getProfile: 1, 'messages.list': 1, 'messages.get': 500 });
      expect(await newestIds(box, 500)).toEqual(idsOf(box).slice(0, 500));
      expect(await sut.indexJobs(box)).toEqual([expect.objectContaining({ status: 'pending' })]);

      await sut.age(box);
      await sut.ready(box);
      expect(sut.calls()).toEqual({ 'history.list': 1 });
      await sut.ready(box);
      expect(sut.calls()).toEqual({});
      expect(await sut.indexJobs(box)).toHaveLength(1);
    });

    it('should fetch only the additional messages when more are requested', async () => {
      const box = await sut.connect(1_200);
      await sut.ready(box, 500);
      sut.calls();
      await sut.age(box);
      await sut.ready(box, 700);
      expect(sut.calls()).toEqual({ 'history.list': 1, 'messages.list': 2, 'messages.get': 200 });
      expect(await newestIds(box, 700)).toEqual(idsOf(box).slice(0, 700));
    });

    it('should know a whole mailbox that is no larger than the request', async () => {
      const box = await sut.connect(120);
      expect(await sut.ready(box)).toEqual({ complete: true });
      expect(await sut.rows(box)).toEqual(mailOf(box));
      expect(await sut.indexJobs(box)).toEqual([]);
    });

    it('should recognise an empty mailbox', async () => {
      const box = await sut.connect(0);
      expect(await sut.ready(box)).toEqual({ complete: true });
      expect(await sut.mailboxIndex.count(box.account)).toBe(0);
      expect(sut.calls()).toEqual({ getProfile: 1, 'messages.list': 1 });
    });

    it('should not let a request for few messages wait for one for many', async () => {
      const box = await sut.connect(1_900);
      const all = idsOf(box).length;
      const many = sut.ready(box, 2_000);
      await waitFor('the first messages', () => (sut.sut.sandbox.stats.calls['messages.get'] ?? 0) > 0);
      await sut.ready(box, 500);
      const before = sut.calls()['messages.get']!;
      expect(before).toBeLessThan(1_200);
      expect(await many).toEqual({ complete: true });
      expect(before + sut.calls()['messages.get']!).toBe(all);
    });

    it('should fetch once for ten concurrent readers', async () => {
      const box = await sut.connect(700);
      await Promise.all(Array.from({ length: 10 }, () => sut.ready(box)));
      expect(sut.calls()).toEqual({ getProfile: 1, 'messages.list': 1, 'messages.get': 500 });
      expect(await sut.indexJobs(box)).toHaveLength(1);
    });

    it('should fetch once, and follow the history once, for readers in several processes', async () => {
      const box = await sut.connect(700);
      const other = await sut.another();
      const readers = (): Promise<unknown> =>
        Promise.all(
          Array.from({ length: 8 }, (_, reader) => sut.ready(box, 500, reader % 2 ? other : sut.sut.app)),
        );
      await readers();
      expect(sut.calls()).toMatchObject({ 'messages.list': 1, 'messages.get': 500 });
      expect(await sut.indexJobs(box)).toHaveLength(1);
      await sut.age(box);
      await readers();
      expect(sut.calls()).toEqual({ 'history.list': 1 });
    });

    it('should fetch nothing that was fetched for another reason', async () => {
      const box = await sut.connect(150);
      const ids = idsOf(box).slice(0, 100);
      await box.user.api.post(`/api/mailbox/${box.account.id}/messages/batch`, { ids });
      sut.calls();
      await sut.ready(box);
      expect(sut.calls()).toEqual({ 'messages.list': 1, 'messages.get': idsOf(box).length - 100 });
    });

    it('should continue where it stopped when the provider had no quota left', async () => {
      const box = await sut.connect(300);
      sut.sut.sandbox.fault({
        endpoint: 'messages.get',
        skip: 100,
        times: 'always',
        answer: { kind: 'retryAfter', afterMs: 60_000 },
      });
      await expect(sut.ready(box)).rejects.toMatchObject({ code: 'provider-rate-limited' });
      expect(await sut.indexJobs(box)).toHaveLength(1);
    });
  });

  describe('later changes', () => {
    it('should be followed: arrivals, deletions, labels, to and from the trash', async () => {
      const box = await sut.connect(200);
      const { mailbox } = box;
      await sut.ready(box);
      const [deleted, starred, trashed, back, spam] = idsOf(box) as [string, string, string, string, string];
      mailbox.changeLabels(back, { add: ['TRASH'] });
      await sut.age(box);
      await sut.ready(box);
      sut.calls();

      mailbox.remove(deleted);
      mailbox.changeLabels(starred, { add: ['STARRED'], remove: ['UNREAD'] });
      mailbox.changeLabels(trashed, { add: ['TRASH'], remove: ['INBOX'] });
      mailbox.changeLabels(back, { remove: ['TRASH'] });
      mailbox.changeLabels(spam, { add: ['SPAM'] });
      const arrived = mailbox.insert(mail('new'), { labelIds: ['INBOX', 'UNREAD'] });
      mailbox.insert(mail('junk'), { labelIds: ['SPAM'] });
      mailbox.remove(mailbox.insert(mail('gone already'), { labelIds: ['INBOX'] }));
      await sut.age(box);
      expect(await sut.ready(box)).toEqual({ complete: true });
      expect(sut.calls()).toEqual({ 'history.list': 1, 'messages.get': 1 });
      expect(await sut.rows(box)).toEqual(mailOf(box));
      expect((await newestIds(box, 1))[0]).toBe(arrived);
    });

    it('should include messages that leave the trash after the first request', async () => {
      const box = await sut.connect(200);
      const hidden = box.mailbox.ids().filter((id) => !idsOf(box).includes(id));
      expect(hidden.length).toBeGreaterThan(0);
      await sut.ready(box);
      sut.calls();
      box.mailbox.changeLabels(hidden, { remove: ['TRASH', 'SPAM'] });
      await sut.age(box);
      await sut.ready(box);
      expect(sut.calls()).toEqual({ 'history.list': 1, 'messages.get': hidden.length });
      expect(await sut.rows(box)).toEqual(mailOf(box));
    });

    it('should list the newest again after more arrivals than are fetched individually', async () => {
      const box = await sut.connect(600);
      await sut.ready(box);
      sut.calls();
      for (let number = 0; number < 201; number += 1) box.mailbox.insert(mail(`number ${number}`));
      await sut.age(box);
      expect(await sut.ready(box)).toEqual({ complete: false });
      expect(sut.calls()).toMatchObject({ 'history.list': 1, 'messages.get': 201, 'messages.list': 1 });
      expect(await newestIds(box, 500)).toEqual(idsOf(box).slice(0, 500));
      expect(await sut.indexJobs(box)).toHaveLength(1);
    });

    it('should lose nothing when arrivals cannot be fetched', async () => {
      const box = await sut.connect(100);
      await sut.ready(box);
      sut.calls();
      const arrived = box.mailbox.insert(mail('hard to get'));
      sut.sut.sandbox.fault({
        endpoint: 'messages.get',
        times: 1,
        answer: { kind: 'insufficientPermissions' },
      });
      await sut.age(box);
      await sut.ready(box);
      expect(await sut.state(box)).toMatchObject({ complete: true, coverage_epoch: 1 });
      expect((await newestIds(box, 1))[0]).toBe(arrived);
      expect(await sut.rows(box)).toEqual(mailOf(box));
    });

    it('should not fetch arrivals of accounts whose figures are not requested', async () => {
      const box = await sut.connect(20);
      const [id] = idsOf(box);
      await box.user.api.get(`/api/mailbox/${box.account.id}/messages/${id}`);
      box.mailbox.insert(mail('unasked'));
      await sut.age(box);
      sut.calls();
      await box.user.api.get(`/api/mailbox/${box.account.id}/messages/${id}`);
      expect(sut.calls()).toEqual({ 'history.list': 1 });
    });
  });

  describe('a lost history', () => {
    it('should be compensated by listing the messages of each label, without fetching known messages', async () => {
      const box = await sut.connect(400);
      const { mailbox } = box;
      await sut.ready(box);
      const [deleted, starred, trashed, ...rest] = idsOf(box) as [string, string, string];
      const { id: labelId } = (
        await box.user.api.post(`/api/mailbox/${box.account.id}/labels`, { name: 'While away' })
      ).body;
      sut.calls();

      mailbox.remove(deleted);
      mailbox.changeLabels(starred, { add: ['STARRED', 'IMPORTANT'], remove: ['INBOX'] });
      mailbox.changeLabels(trashed, { add: ['TRASH'] });
      mailbox.changeLabels(rest.slice(0, 50), { add: [labelId], remove: ['UNREAD'] });
      const arrived = mailbox.insert(mail('while away'));
      mailbox.expireHistory();
      await sut.age(box);
      expect(await sut.ready(box)).toEqual({ complete: true });
      const calls = sut.calls();
      expect(calls['messages.get']).toBe(1);
      expect(calls['labels.list']).toBe(1);
      expect(await sut.rows(box)).toEqual(mailOf(box));
      expect((await newestIds(box, 1))[0]).toBe(arrived);
      const [{ stale }] = await sut.query(
        'SELECT count(*)::int AS stale FROM mailbox_messages WHERE account_id = $1 AND stale',
        [box.account.id],
      );
      expect(stale).toBe(0);
    });

    it('should be compensated for the newest messages of a larger mailbox, too', async () => {
      const box = await sut.connect(1_000);
      await sut.ready(box, 800);
      const ids = idsOf(box);
      sut.calls();
      box.mailbox.changeLabels(ids.slice(100, 300), { add: ['STARRED'], remove: ['UNREAD', 'INBOX'] });
      box.mailbox.expireHistory();
      await sut.age(box);
      expect(await sut.ready(box, 500)).toEqual({ complete: false });
      expect(sut.calls()['messages.get']).toBeUndefined();
      const rows = new Map((await sut.rows(box)).map(({ id, labels }) => [id, labels]));
      expect(rows.size).toBe(500);
      for (const id of ids.slice(0, 500)) expect(rows.get(id)).toEqual(box.mailbox.labels(id).sort());
      expect(await newestIds(box, 2_000)).toEqual(ids.slice(0, 500));
    });
  });
});
