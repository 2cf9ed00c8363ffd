import { IndexRefreshCron } from '../../../../src/mailbox/index/index-refresh.cron';
import { IndexApp } from '../../../support/index/index-app';
import { idsOf, IndexedAccount, mail } from '../../../support/index/index-fixture';
import { ServiceProcess } from '../../../support/service-process';
import { waitFor } from '../../../support/wait';
import { nightly } from '../../../support/nightly';

/** Messages under way when a job stops: they are fetched again. */
const UNDER_WAY = 250;

describe('Indexing in the background', () => {
  let sut: IndexApp;
  let workers: { stop(): Promise<unknown> }[] = [];

  beforeAll(async () => {
    sut = await IndexApp.start('api', { sandbox: { messages: 1 } });
  });
  afterAll(() => sut?.close());
  beforeEach(async () => {
    sut.sut.sandbox.clearFaults();
    await setLatency(0);
  });
  afterEach(async () => {
    for (const worker of workers) await worker.stop();
    workers = [];
    await sut.query('DELETE FROM jobs');
  });

  const setLatency = async (latencyMs: number): Promise<void> => {
    const body = JSON.stringify({ latencyMs });
    await fetch(`${sut.sut.sandbox.url}/sandbox/options`, { method: 'PATCH', body });
  };

  const startWorker = async (): Promise<void> => {
    const app = await sut.another('worker');
    workers.push({ stop: () => app.close() });
  };

  /** A worker that can be killed. */
  const startProcess = async (): Promise<ServiceProcess> => {
    const process = await ServiceProcess.start({ ...sut.sut.env, ROLE: 'all' });
    workers.push(process);
    return process;
  };

  /** What the time it lasts would do, now that nobody renews it. */
  const loseLease = ({ account }: IndexedAccount): Promise<unknown> =>
    sut.query('UPDATE jobs SET lease_until = now() WHERE mailbox_account_id = $1 AND lease_until > now()', [
      account.id,
    ]);

  const lastJob = async (box: IndexedAccount): Promise<any> => {
    const job = (await sut.indexJobs(box)).at(-1);
    return job && (await box.user.api.get(`/api/jobs/${job.jobId}`)).body;
  };
  const midway = (box: IndexedAccount, processed: number): Promise<any> =>
    waitFor('the job to be midway', async () => {
      const job = await lastJob(box);
      return job?.status === 'active' && job.processed >= processed && job;
    });
  const ended = (box: IndexedAccount): Promise<any> => sut.indexed(box, 50_000);

  it('should index a whole mailbox once, and report its progress', async () => {
    const box = await sut.connect(3_000);
    const count = idsOf(box).length;
    expect(await sut.ready(box)).toEqual({ complete: false });
    await startWorker();
    expect(await ended(box)).toMatchObject({
      status: 'completed',
      total: count,
      processed: count,
      failed: 0,
      progress: 100,
      result: { fetched: count - 500, messages: count, complete: true },
    });
    expect(sut.calls()['messages.get']).toBe(count);
    await sut.expectExact(box);
    expect(await sut.indexJobs(box)).toHaveLength(1);
    await sut.age(box);
    sut.calls();
    await sut.ready(box, 2_000);
    expect(sut.calls()).toEqual({ 'history.list': 1 });
  });

  nightly(
    'should continue where it was after its process was killed',
    async () => {
      const box = await sut.connect(2_000);
      const count = idsOf(box).length;
      await sut.ready(box, 100);
      await setLatency(40);
      const victim = await startProcess();
      await midway(box, 600);
      await victim.kill();
      workers = [];
      const before = (await sut.rows(box)).length;
      expect(before).toBeLessThan(count);
      await setLatency(0);
      await loseLease(box);
      await startWorker();
      expect(await ended(box)).toMatchObject({
        status: 'completed',
        total: count,
        processed: count,
        failed: 0,
      });
      expect(sut.calls()['messages.get']).toBeLessThanOrEqual(count + UNDER_WAY);
      await sut.expectExact(box);
    },
    120_000,
  );

  nightly('should miss none of the changes made in the meantime', async () => {
    const box = await sut.connect(1_500);
    const { mailbox } = box;
    const ids = idsOf(box);
    const hidden = mailbox.ids().filter((id) => !ids.includes(id));
    await sut.ready(box, 200);
    await setLatency(40);
    await startWorker();
    await midway(box, 300);
    let arrived = 0;
    for (let round = 0; (await lastJob(box)).status === 'active' && round < 40; round += 1) {
      for (let more = 0; more < 5; more += 1) {
        mailbox.insert(mail(`meanwhile ${(arrived += 1)}`), {
          internalDate: new Date(Date.now() - Math.random() * 300 * 86_400_000),
        });
      }
      const at = (offset: number): string => ids[(round * 57 + offset) % ids.length]!;
      const there = (id: string): boolean => mailbox.ids().includes(id);
      if (there(at(0))) mailbox.remove(at(0));
      if (there(at(10))) mailbox.changeLabels(at(10), { add: ['STARRED'], remove: ['UNREAD'] });
      if (there(at(20))) mailbox.changeLabels(at(20), { add: ['TRASH'] });
      const back = hidden[round % Math.max(1, hidden.length)];
      if (back) mailbox.changeLabels(back, { remove: ['TRASH', 'SPAM'], add: ['INBOX'] });
      if (round % 3 === 0) {
        await sut.age(box);
        await sut.ready(box, 200);
      }
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    expect(arrived).toBeGreaterThan(5);
    expect(await ended(box)).toMatchObject({ status: 'completed', result: { complete: true } });
    await sut.expectExact(box);
  });

  it('should fail with a message when the grant is revoked', async () => {
    const box = await sut.connect(1_500);
    await sut.ready(box, 100);
    await setLatency(40);
    await startWorker();
    await midway(box, 200);
    sut.sut.sandbox.fault({ endpoint: 'oauth.token', times: 'always', answer: { kind: 'invalidGrant' } });
    sut.sut.sandbox.fault({ answer: { kind: 'expireAccessTokens' } });
    const job = await ended(box);
    expect(job).toMatchObject({ status: 'failed', error_code: 'mailbox-reauth-required' });
    expect(job.error).toMatch(/connected again/);
  });

  it('should refresh accounts whose figures are requested, without cost for others', async () => {
    const [looked, other] = [await sut.connect(50), await sut.connect(50)];
    await sut.query('UPDATE mailbox_index_states SET wanted_since = NULL');
    await sut.ready(looked);
    await other.user.api.post(`/api/mailbox/${other.account.id}/messages/batch`, {
      ids: idsOf(other).slice(0, 5),
    });
    const arrived = looked.mailbox.insert(mail('while nobody looks'));
    other.mailbox.insert(mail('of no interest'));
    const [app, second] = [await sut.another('worker'), await sut.another('worker')];
    sut.calls();
    await Promise.all([app.get(IndexRefreshCron).refreshDue(), second.get(IndexRefreshCron).refreshDue()]);
    expect(sut.calls()).toEqual({ 'history.list': 1, 'messages.get': 1 });
    expect(await sut.newestIds(looked, 1)).toEqual([arrived]);
    await app.get(IndexRefreshCron).refreshDue();
    expect(sut.calls()).toEqual({});
  });
});
