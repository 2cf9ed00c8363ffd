import { RedisService } from '../../../../src/platform/redis/redis.service';
import { IndexApp } from '../../../support/index/index-app';
import { idsOf, IndexedAccount, mail, mailOf } from '../../../support/index/index-fixture';
import { waitFor } from '../../../support/wait';

const REFUSED = { kind: 'error', status: 403, reason: 'forbidden', message: 'Not this one' } as const;
const MALFORMED = {
  kind: 'error',
  status: 400,
  reason: 'invalidArgument',
  message: 'Invalid message',
} as const;

describe('Indexing a mailbox with defects', () => {
  let sut: IndexApp;

  beforeAll(async () => {
    sut = await IndexApp.start('all', { sandbox: { messages: 1 } });
  });
  afterAll(() => sut?.close());
  beforeEach(() => sut.sut.sandbox.clearFaults());

  const indexed = async (box: IndexedAccount): Promise<any> => {
    await waitFor('an index job', async () => (await sut.indexJobs(box)).at(-1));
    return sut.indexed(box);
  };
  const withoutUnreadable = (box: IndexedAccount, unreadable: readonly string[]): unknown[] =>
    mailOf(box).filter(({ id }) => !unreadable.includes(id));

  it.each([
    ['forbidden', REFUSED],
    ['malformed', MALFORMED],
  ])('should leave out a message that is %s, and index the rest', async (_what, answer) => {
    const box = await sut.connect(900);
    const count = idsOf(box).length;
    const unreadable = [idsOf(box)[100]!, idsOf(box)[700]!];
    for (const messageId of unreadable) {
      sut.sut.sandbox.fault({ endpoint: 'messages.get', messageId, times: 'always', answer });
    }
    await sut.ready(box, 500);
    expect(await indexed(box)).toMatchObject({
      status: 'completed',
      processed: count - 2,
      failed: 2,
      result: { complete: true, messages: count - 2 },
    });
    expect(await sut.rows(box)).toEqual(withoutUnreadable(box, unreadable));
    await sut.age(box);
    sut.calls();
    expect(await sut.ready(box, 500)).toEqual({ complete: true });
    expect(sut.calls()).toEqual({ 'history.list': 1 });
    expect(await sut.indexJobs(box)).toHaveLength(1);
  });

  it('should return the figures of a small mailbox, one message of which cannot be read', async () => {
    const box = await sut.connect(120);
    const [messageId] = idsOf(box) as [string];
    sut.sut.sandbox.fault({ endpoint: 'messages.get', messageId, times: 'always', answer: REFUSED });
    expect(await sut.ready(box)).toEqual({ complete: true });
    expect(await sut.rows(box)).toEqual(withoutUnreadable(box, [messageId]));
  });

  it('should not lose coverage because of a new message that cannot be read', async () => {
    const box = await sut.connect(100);
    await sut.ready(box);
    const [messageId] = [box.mailbox.insert(mail('unreadable')), box.mailbox.insert(mail('readable'))];
    sut.sut.sandbox.fault({ endpoint: 'messages.get', messageId, times: 'always', answer: REFUSED });
    await sut.age(box);
    expect(await sut.ready(box)).toEqual({ complete: true });
    expect(await sut.state(box)).toMatchObject({ complete: true, coverage_epoch: 0 });
    expect(await sut.rows(box)).toEqual(withoutUnreadable(box, [messageId]));
  });

  it('should start from the first page when the provider has forgotten the position, fetching nothing again', async () => {
    const box = await sut.connect(1_700);
    const count = idsOf(box).length;
    // The first listing is the reader's own.
    sut.sut.sandbox.fault({
      endpoint: 'messages.list',
      email: box.account.email,
      skip: 3,
      times: 1,
      answer: MALFORMED,
    });
    await sut.ready(box, 100);
    expect(await indexed(box)).toMatchObject({
      status: 'completed',
      processed: count,
      failed: 0,
      result: { complete: true, messages: count },
    });
    expect(sut.calls()['messages.get']).toBe(count);
    expect(await sut.rows(box)).toEqual(mailOf(box));
  });
});

describe('Indexing with little quota', () => {
  let sut: IndexApp;
  const UNITS = 1_250;

  beforeAll(async () => {
    sut = await IndexApp.start('all', {
      sandbox: { messages: 1 },
      env: { PROVIDER_UNITS_PER_SECOND: '1000', PROVIDER_UNITS_PER_MINUTE: String(UNITS) },
    });
  });
  afterAll(() => sut?.close());

  /** Lets a minute pass, as far as quota is concerned. */
  const newMinute = async ({ account }: IndexedAccount): Promise<void> => {
    const redis = sut.sut.app.get(RedisService);
    const keys = ['bucket', 'window'].map((part) => redis.key('provider', `{${account.id}}`, part));
    await redis.client.del(...keys);
  };

  it('should ask readers to retry, continue where it was, and fetch every message once', async () => {
    const box = await sut.connect(500);
    const count = idsOf(box).length;
    await newMinute(box);
    const look = (): Promise<any> => box.user.api.get(`/api/dashboard/${box.account.id}/stats`);
    let refused = 0;
    let known = 0;
    let answer = await look();
    for (; answer.status === 503 && refused < 10; answer = await look()) {
      refused += 1;
      expect(answer.body.code).toBe('provider-rate-limited');
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
      const rows = (await sut.rows(box)).length;
      expect(rows).toBeGreaterThan(known);
      known = rows;
      // Meanwhile the job has had its chance to wait for quota.
      await new Promise((resolve) => setTimeout(resolve, 1_000));
      await newMinute(box);
    }
    expect(refused).toBeGreaterThan(0);
    expect(answer.status).toBe(200);
    expect(answer.body.totalMessages).toBe(count);
    await newMinute(box);
    const jobs = await sut.indexJobs(box);
    expect(jobs).toHaveLength(1);
    expect(await box.user.jobEnd(jobs[0]!.jobId)).toMatchObject({ status: 'completed' });
    expect(sut.calls()['messages.get']).toBe(count);
    expect(await sut.rows(box)).toEqual(mailOf(box));
  }, 60_000);
});
