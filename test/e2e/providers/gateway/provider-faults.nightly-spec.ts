import { GatewayTimings } from '../../../../src/providers/gateway/retry-policy';
import type { SandboxFaultAnswer } from '../../../../sandbox/src/sandbox-server';
import { startTestApp, TestApp } from '../../../support/app';
import {
  atOnce,
  inGroups,
  LASTING,
  LOST_ANSWERS,
  PARTLY,
  PASSING,
  PASSING_TOKENS,
  someOf,
} from '../../../support/provider-faults/faults';
import {
  FaultBox,
  MESSAGES,
  PROVIDER_JOBS,
  ProviderJob,
} from '../../../support/provider-faults/provider-jobs';
import type { TestUser } from '../../../support/test-user';

/** Failures are met as often and in the same order as ever, only sooner. */
const QUICK: Partial<GatewayTimings> = {
  interactiveWaitMs: 4_000,
  attemptMs: { interactive: 1_500, background: 1_500, spare: 1_500 },
  firstBackoffMs: 20,
  firstConcurrencyBackoffMs: 20,
  maxBackoffMs: 40,
  minBackoffMs: 5,
};

/** Dozens of jobs run at once. */
const JOB_END_MS = 150_000;

jest.setTimeout(2 * JOB_END_MS + 60_000);

describe('Faults of the provider', () => {
  let sut: TestApp;
  let user: TestUser;

  beforeAll(async () => {
    sut = await startTestApp({ own: true, sandbox: { messages: 1 } });
    Object.assign(sut.app.get(GatewayTimings), QUICK);
    user = await sut.user();
    await sut.dataSource.query('UPDATE users SET max_mailbox_accounts = 10000');
  });

  afterAll(() => sut?.close());

  const strike = (
    box: FaultBox,
    job: ProviderJob,
    times: number | 'always',
    answer: SandboxFaultAnswer,
    more: object = {},
  ): void => {
    for (const endpoint of job.endpoints) {
      sut.sandbox.fault({ endpoint, email: box.mailbox.email, times, answer, ...more });
    }
  };

  /** What there is to say about a run that has ended. */
  async function outcome(box: FaultBox, job: ProviderJob, jobId: string): Promise<object> {
    const record = await user.jobEnd(jobId, JOB_END_MS);
    const { status, processed, failed, error, result } = record;
    return {
      status,
      code: await box.errorCode(jobId),
      error,
      processed,
      failed,
      result: Object.fromEntries(Object.keys(job.result).map((key) => [key, result?.[key]])),
      effects: await job.effectsOf(box),
      told: await box.told(jobId),
      account: await box.status(),
    };
  }

  const well = (job: ProviderJob): object => ({
    status: 'completed',
    code: null,
    error: null,
    processed: MESSAGES,
    failed: 0,
    result: job.result,
    effects: job.effects,
    told: job.announced === 'every-end' ? ['job_completed'] : [],
    account: 'connected',
  });

  const unwell = (job: ProviderJob, code: string): object => ({
    status: 'failed',
    code,
    error: expect.stringMatching(/^The .*\.$/),
    told: job.announced === 'never' ? [] : ['job_failed'],
  });

  /** Calls that change the mailbox when so many of them were answered with an error. */
  const callsOf = ({ writes }: ProviderJob, errors: number): number | undefined => {
    const times = writes?.[1];
    return times === undefined ? undefined : times + errors;
  };

  /** Every kind of job at once, each on a mailbox of its own. */
  async function ofEachKind(
    run: (job: ProviderJob, box: FaultBox) => Promise<object>,
  ): Promise<Record<string, object>> {
    const outcomes = await Promise.all(
      PROVIDER_JOBS.map(async (job) => {
        const box = await FaultBox.connect(sut, user);
        await job.prepare?.(box);
        return [job.name, await run(job, box)] as const;
      }),
    );
    return Object.fromEntries(outcomes);
  }

  const everyKind = (expected: (job: ProviderJob) => object): Record<string, object> =>
    Object.fromEntries(PROVIDER_JOBS.map((job) => [job.name, expected(job)]));

  it('should not affect any kind of job when there are none', async () => {
    const outcomes = await ofEachKind(async (job, box) => outcome(box, job, await job.start(box)));
    expect(outcomes).toEqual(everyKind(well));
  });

  it.each(atOnce(inGroups(someOf(PASSING))))('should not be noticed by jobs: %s', async (_names, groups) => {
    await Promise.all(
      groups.map(async ([names, answers]) => {
        const outcomes = await ofEachKind(async (job, box) => {
          for (const answer of answers) strike(box, job, 1, answer);
          const [endpoint, times] = job.writes ?? [];
          const calls = (): number => (endpoint ? box.calls(endpoint) : 0);
          const before = calls();
          const ended = await outcome(box, job, await job.start(box));
          return { ...ended, writes: times === undefined ? undefined : calls() - before };
        });
        expect({ names, outcomes }).toEqual({
          names,
          outcomes: everyKind((job) => ({
            ...well(job),
            writes: callsOf(job, answers.length),
          })),
        });
      }),
    );
  });

  it.each(inGroups(PARTLY))('should not be noticed by jobs: %s', async (_names, answers) => {
    const outcomes = await ofEachKind(async (job, box) => {
      for (const answer of answers) {
        sut.sandbox.fault({ endpoint: 'messages.get', email: box.mailbox.email, skip: 3, times: 2, answer });
      }
      return outcome(box, job, await job.start(box));
    });
    expect(outcomes).toEqual(everyKind(well));
  });

  it('should not repeat a change that was made although the answer was an error', async () => {
    const outcomes = await ofEachKind(async (job, box) => {
      const [endpoint] = job.writes ?? [];
      for (const answer of LOST_ANSWERS) {
        sut.sandbox.fault({ endpoint, email: box.mailbox.email, afterApplying: true, answer });
      }
      return outcome(box, job, await job.start(box));
    });
    expect(outcomes).toEqual(everyKind(well));
  });

  it.each(atOnce(someOf(LASTING)))(
    'should end jobs, which can then be done once: %s',
    async (_names, faults) => {
      await Promise.all(
        faults.map(async ([name, answer, code]) => {
          const ends: Record<string, object> = {};
          const outcomes = await ofEachKind(async (job, box) => {
            strike(box, job, 'always', answer);
            ends[job.name] = await outcome(box, job, await job.start(box));
            sut.sandbox.clearFaults(box.mailbox.email);
            return outcome(box, job, await job.start(box));
          });
          expect({ name, ends, outcomes }).toEqual({
            name,
            ends: everyKind((job) => expect.objectContaining(unwell(job, code))),
            outcomes: everyKind(well),
          });
        }),
      );
    },
  );

  describe('at its token endpoint', () => {
    afterEach(() => sut.sandbox.clearFaults());

    /** A mailbox for each kind of job, whose calls are refused until there is another token. */
    const refused = (times: number | 'always'): Promise<{ job: ProviderJob; box: FaultBox }[]> =>
      Promise.all(
        PROVIDER_JOBS.map(async (job) => {
          const box = await FaultBox.connect(sut, user);
          await job.prepare?.(box);
          strike(box, job, times, { kind: 'unauthorized' });
          return { job, box };
        }),
      );

    async function outcomesOf(boxes: { job: ProviderJob; box: FaultBox }[]): Promise<Record<string, object>> {
      const outcomes = await Promise.all(
        boxes.map(async ({ job, box }) => [job.name, await outcome(box, job, await job.start(box))] as const),
      );
      return Object.fromEntries(outcomes);
    }

    it.each(someOf(PASSING_TOKENS))('should not be noticed by jobs: %s', async (_name, answer) => {
      const boxes = await refused(1);
      sut.sandbox.fault({ endpoint: 'oauth.token', times: PROVIDER_JOBS.length, answer });
      sut.sandbox.stats.reset();
      expect(await outcomesOf(boxes)).toEqual(everyKind(well));
      expect(sut.sandbox.stats.tokenRefreshes).toBeGreaterThanOrEqual(PROVIDER_JOBS.length);
    });

    it('should end jobs when access was revoked, which can then be done once', async () => {
      const boxes = await refused('always');
      sut.sandbox.fault({ endpoint: 'oauth.token', times: 'always', answer: { kind: 'invalidGrant' } });
      const withdrawn = (job: ProviderJob): object =>
        expect.objectContaining({ ...unwell(job, 'mailbox-reauth-required'), account: 'needs_reauth' });
      expect(await outcomesOf(boxes)).toEqual(everyKind(withdrawn));
      sut.sandbox.clearFaults();
      for (const { box } of boxes) expect(await user.connect(box.mailbox.email)).toBe(box.accountId);
      expect(await outcomesOf(boxes)).toEqual(everyKind(well));
    });
  });
});
