import { IndexApp } from '../../../support/index/index-app';
import { idsOf, mail, mailOf } from '../../../support/index/index-fixture';
import { waitFor } from '../../../support/wait';

describe('Message index', () => {
  let sut: IndexApp;

  beforeAll(async () => {
    // No jobs run here: every provider call is one of the reader's own.
    sut = await IndexApp.start('api', { sandbox: { messages: 1 } });
  });
  afterAll(() => sut?.close());
  beforeEach(() => sut.sut.sandbox.clearFaults());

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
    expect((await sut.newestIds(box, 1))[0]).toBe(arrived);
    expect(await sut.rows(box)).toEqual(mailOf(box));
  });
});
