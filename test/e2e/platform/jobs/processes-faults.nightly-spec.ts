import { setTimeout as delay } from 'node:timers/promises';
import { chaos, seeded } from '../../../support/cluster/chaos';
import { Cluster, MemberName } from '../../../support/cluster/cluster';
import { Workload } from '../../../support/cluster/workload';
import { waitFor } from '../../../support/wait';

const SIZE = { messages: 30, imported: 20 };
const AWAY_MS = 500;
/** How long everything else is put to the test in any order: `npm run soak -- chaos`. */
const CHAOS_MINUTES = Number(process.env.CHAOS_MINUTES ?? 0);
const CHAOS_SEED = Number(process.env.CHAOS_SEED ?? Date.now() % 1_000_000);

/**
 * Archives, imports, bulk changes, rules, encryption, scans, checks, exports and reads of several users at once, while
 * parts of the service are killed, emptied, restarted and frozen. What happens is up to chance; what is left is not.
 */
describe('Several processes that fail', () => {
  let cluster: Cluster;
  let work: Workload;

  beforeAll(async () => {
    cluster = await Cluster.start({ sandbox: { messages: 1, latencyMs: 5 } });
    work = await Workload.create(cluster, 2);
  }, 240_000);

  afterAll(async () => {
    await work?.close();
    await cluster?.stop();
  });

  /**
   * Breaks something in the midst of a round, and waits for its end.
   * @param idle a worker that gets no work before that: the other one has it all
   */
  async function round(strike: () => Promise<void>, idle?: MemberName): Promise<void> {
    if (idle) cluster.member(idle).signal('SIGSTOP');
    const starting = work.begin(SIZE);
    await work.underWay();
    if (idle) cluster.member(idle).signal('SIGCONT');
    await strike();
    await starting;
    await work.ended();
    await cluster.ready();
  }

  it('should survive the loss of a worker and of an API process', async () => {
    await round(async () => {
      await Promise.all([cluster.kill('worker1'), cluster.kill('api1')]);
      await Promise.all([cluster.startMember('worker1'), cluster.startMember('api1')]);
    }, 'worker2');
    expect(await work.lostAttempts()).toBeGreaterThan(0);
  }, 240_000);

  it('should survive a Redis that comes back empty', async () => {
    await round(async () => {
      await cluster.redis.kill();
      await delay(AWAY_MS);
      await cluster.redis.start();
    });
  }, 240_000);

  it('should survive a restart of PostgreSQL, and the loss of one of its processes', async () => {
    await round(async () => {
      await cluster.postgres.stop();
      await delay(AWAY_MS);
      await cluster.postgres.start();
      await work.underWay();
      await cluster.postgres.killBackend();
    });
  }, 240_000);

  it('should keep a frozen worker from writing to jobs that others have taken over', async () => {
    const lost = await work.lostAttempts();
    await round(async () => {
      cluster.member('worker2').signal('SIGSTOP');
      await waitFor('its jobs to be taken over', async () => (await work.lostAttempts()) > lost);
      await delay(AWAY_MS);
      cluster.member('worker2').signal('SIGCONT');
    }, 'worker1');
  }, 240_000);

  if (CHAOS_MINUTES > 0)
    it(
      `should survive any faults (seed ${CHAOS_SEED})`,
      async () => {
        const figures = await chaos(cluster, work, CHAOS_MINUTES, seeded(CHAOS_SEED));
        console.log(JSON.stringify({ seed: CHAOS_SEED, ...figures, answers: work.answers.summary }, null, 2));
      },
      CHAOS_MINUTES * 60_000 + 240_000,
    );

  it('should have lost nothing, done nothing twice and left nothing behind', async () => {
    expect({ answers: work.answers.summary, problems: await work.problems() }).toEqual({
      answers: expect.any(String),
      problems: [],
    });
    expect(work.answers.counts.get('200')).toBeGreaterThan(0);
  }, 240_000);
});
