import { IndexFeature } from '../../../support/index/index-feature';
import { idsOf, mail } from '../../../support/index/index-fixture';

/** Messages under way when a job stops: they are fetched again. */
const UNDER_WAY = 250;

describe('The job that indexes a mailbox', () => {
  let sut: IndexFeature;

  beforeAll(async () => {
    sut = await IndexFeature.start();
  });
  afterAll(() => sut?.close());
  beforeEach(() => sut.sut.provider.reset());

  it('should stop when it is cancelled, and not start again at the next request', async () => {
    const box = await sut.connect(2_000);
    const count = idsOf(box).length;
    await sut.ready(box, 100);
    const { jobId } = (await sut.indexJobs(box))[0]!;
    let running: any;
    sut.sut.provider.on('fetchMetadata', { skip: 600 }, async () => {
      running = (await box.user.api.get(`/api/jobs/${jobId}`)).body;
      expect((await box.user.api.delete(`/api/jobs/${jobId}`)).status).toBe(204);
    });
    const job = await sut.indexed(box);
    expect(running).toMatchObject({ status: 'active', total: count });
    expect(job.status).toBe('cancelled');
    expect(job.processed).toBeGreaterThan(100);
    expect(job.processed).toBeLessThan(count);
    expect((await sut.rows(box)).length).toBeGreaterThanOrEqual(job.processed);
    await sut.ready(box, 100);
    expect(await sut.indexJobs(box)).toHaveLength(1);

    await sut.query(
      `UPDATE jobs SET completed_at = completed_at - interval '1 day' WHERE type = 'index_mailbox'`,
    );
    await sut.ready(box, 100);
    expect(await sut.indexJobs(box)).toHaveLength(2);
    expect(await sut.indexed(box)).toMatchObject({ status: 'completed', progress: 100 });
    expect(sut.calls()['fetchMetadata']).toBeLessThanOrEqual(count + UNDER_WAY);
    await sut.expectExact(box);
  });

  it('should verify known messages by listing labels after the history was lost', async () => {
    const box = await sut.connect(1_800);
    const { mailbox } = box;
    const count = idsOf(box).length;
    await sut.ready(box, 100);
    await sut.indexed(box);
    expect(sut.calls()['fetchMetadata']).toBe(count);

    const ids = idsOf(box);
    const hidden = mailbox.ids().filter((id) => !ids.includes(id));
    mailbox.changeLabels(ids.slice(0, 900), { add: ['STARRED'], remove: ['UNREAD', 'INBOX'] });
    mailbox.changeLabels(ids.slice(1_000, 1_100), { add: ['TRASH'] });
    for (const id of ids.slice(1_200, 1_300)) mailbox.remove(id);
    mailbox.changeLabels(hidden.slice(0, 2), { remove: ['SPAM', 'TRASH'] });
    const arrivals = [mailbox.insert(mail('one')), mailbox.insert(mail('two'))];
    mailbox.expireHistory();
    await sut.age(box);
    await sut.ready(box, 100);
    expect(await sut.indexJobs(box)).toHaveLength(2);
    expect(await sut.indexed(box)).toMatchObject({ status: 'completed', result: { complete: true } });
    expect(sut.calls()['fetchMetadata']).toBe(arrivals.length + hidden.slice(0, 2).length);
    await sut.expectExact(box);
    expect(await sut.query('SELECT count(*)::int AS left FROM mailbox_listings')).toEqual([{ left: 0 }]);
  });

  it('should not be misled when the history is lost while it runs', async () => {
    const box = await sut.connect(1_500);
    const count = idsOf(box).length;
    await sut.ready(box, 200);
    const ids = idsOf(box);
    let reading: Promise<unknown> | undefined;
    sut.sut.provider.on('fetchMetadata', { skip: 500 }, () => {
      box.mailbox.changeLabels(ids.slice(0, 600), { add: ['STARRED'], remove: ['UNREAD'] });
      box.mailbox.expireHistory();
      // The reader may wait for the job, and the job goes on meanwhile.
      reading = sut.age(box).then(() => sut.ready(box, 200));
    });
    expect(await sut.indexed(box)).toMatchObject({ status: 'completed', result: { complete: true } });
    expect(reading).toBeDefined();
    await reading;
    expect(sut.calls()['fetchMetadata']).toBeLessThanOrEqual(count + UNDER_WAY);
    await sut.expectExact(box);
  });
});
