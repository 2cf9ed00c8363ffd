import { ProviderRateLimited } from '../../../../src/providers/port/mail-provider.errors';
import { IndexFeature } from '../../../support/index/index-feature';
import { idsOf, mail, mailOf } from '../../../support/index/index-fixture';

describe('Message index', () => {
  let sut: IndexFeature;

  beforeAll(async () => {
    sut = await IndexFeature.start();
  });
  afterAll(() => sut?.close());
  beforeEach(async () => {
    sut.sut.provider.reset();
    await sut.query('DELETE FROM jobs');
  });

  describe('the first request', () => {
    it('should fetch each of the newest messages once, and nothing the second time', async () => {
      const box = await sut.connect(800);
      expect(await sut.ready(box)).toEqual({ complete: false });
      expect(sut.calls()).toEqual({ getProfile: 1, listMessages: 1, fetchMetadata: 500 });
      expect(await sut.newestIds(box, 500)).toEqual(idsOf(box).slice(0, 500));
      expect(await sut.indexJobs(box)).toEqual([expect.objectContaining({ status: 'pending' })]);

      await sut.age(box);
      await sut.ready(box);
      expect(sut.calls()).toEqual({ listChanges: 1 });
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
      expect(sut.calls()).toEqual({ listChanges: 1, listMessages: 2, fetchMetadata: 200 });
      expect(await sut.newestIds(box, 700)).toEqual(idsOf(box).slice(0, 700));
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
      expect(sut.calls()).toEqual({ getProfile: 1, listMessages: 1 });
    });

    it('should fetch once for ten concurrent readers', async () => {
      const box = await sut.connect(700);
      await Promise.all(Array.from({ length: 10 }, () => sut.ready(box)));
      expect(sut.calls()).toEqual({ getProfile: 1, listMessages: 1, fetchMetadata: 500 });
      expect(await sut.indexJobs(box)).toHaveLength(1);
    });

    it('should fetch nothing that was fetched for another reason', async () => {
      const box = await sut.connect(150);
      const ids = idsOf(box).slice(0, 100);
      await box.user.api.post(`/api/mailbox/${box.account.id}/messages/batch`, { ids });
      sut.calls();
      await sut.ready(box);
      expect(sut.calls()).toEqual({ listMessages: 1, fetchMetadata: idsOf(box).length - 100 });
    });

    it('should continue where it stopped when the provider had no quota left', async () => {
      const box = await sut.connect(300);
      const count = idsOf(box).length;
      sut.sut.provider.fail('fetchMetadata', new ProviderRateLimited(new Date(Date.now() + 60_000)), {
        skip: 100,
        times: 'always',
      });
      await expect(sut.ready(box)).rejects.toMatchObject({ code: 'provider-rate-limited' });
      expect(await sut.indexJobs(box)).toHaveLength(1);
      sut.sut.provider.reset();
      expect(await sut.indexed(box)).toMatchObject({ status: 'completed', result: { complete: true } });
      expect(sut.sut.providerCalls(box.account.email)['messages.get']).toBe(count - 100);
      expect(await sut.rows(box)).toEqual(mailOf(box));
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
      expect(sut.calls()).toEqual({ listChanges: 1, fetchMetadata: 1 });
      expect(await sut.rows(box)).toEqual(mailOf(box));
      expect((await sut.newestIds(box, 1))[0]).toBe(arrived);
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
      expect(sut.calls()).toEqual({ listChanges: 1, fetchMetadata: hidden.length });
      expect(await sut.rows(box)).toEqual(mailOf(box));
    });

    it('should list the newest again after more arrivals than are fetched individually', async () => {
      const box = await sut.connect(600);
      await sut.ready(box);
      sut.calls();
      for (let number = 0; number < 201; number += 1) box.mailbox.insert(mail(`number ${number}`));
      await sut.age(box);
      expect(await sut.ready(box)).toEqual({ complete: false });
      expect(sut.calls()).toMatchObject({ listChanges: 1, fetchMetadata: 201, listMessages: 1 });
      expect(await sut.newestIds(box, 500)).toEqual(idsOf(box).slice(0, 500));
      expect(await sut.indexJobs(box)).toHaveLength(1);
    });

    it('should not fetch arrivals of accounts whose figures are not requested', async () => {
      const box = await sut.connect(20);
      const [id] = idsOf(box);
      await box.user.api.get(`/api/mailbox/${box.account.id}/messages/${id}`);
      box.mailbox.insert(mail('unasked'));
      await sut.age(box);
      sut.calls();
      await box.user.api.get(`/api/mailbox/${box.account.id}/messages/${id}`);
      expect(sut.calls()).toEqual({ listChanges: 1 });
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
      expect(calls['fetchMetadata']).toBe(1);
      expect(calls['listLabels']).toBe(1);
      expect(await sut.rows(box)).toEqual(mailOf(box));
      expect((await sut.newestIds(box, 1))[0]).toBe(arrived);
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
      expect(sut.calls()['fetchMetadata']).toBeUndefined();
      const rows = new Map((await sut.rows(box)).map(({ id, labels }) => [id, labels]));
      expect(rows.size).toBe(500);
      for (const id of ids.slice(0, 500)) expect(rows.get(id)).toEqual(box.mailbox.labels(id).sort());
      expect(await sut.newestIds(box, 2_000)).toEqual(ids.slice(0, 500));
    });
  });
});
