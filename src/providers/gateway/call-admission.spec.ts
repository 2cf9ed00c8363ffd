import type { AppConfig } from '../../platform/config/app-config';
import type { RedisService } from '../../platform/redis/redis.service';
import { ProviderRateLimited, RequestsPaced } from '../port/mail-provider.errors';
import type { ProviderCredentials } from '../port/provider-credentials.port';
import { AccountLimiters } from './account-limiters';
import { Admission, CallAdmission } from './call-admission';
import type { ProviderCall } from './provider-call';
import { AccountPauses } from './account-pauses';
import { QuotaBucket } from './quota-bucket';

const MIB = 1024 ** 2;
const RAW_UNITS = 5;

const LATER = 0;
const GRANTED = 1;
const PAUSED = 2;

const config = {
  provider: {
    concurrency: 8,
    maxConcurrency: 24,
    maxBytesInFlight: 64 * MIB,
    unitsPerSecond: 250,
    unitsPerMinute: 15_000,
  },
} as AppConfig;

type Answer = [status: number, waitMs: number];

/** Answers like the script, which grants units that are at most a second away. */
function notBefore(readyAt: number, ms: number, status: number): Answer {
  const left = Math.max(0, readyAt - ms);
  return left > (status === PAUSED ? 0 : 1_000) ? [status, left] : [GRANTED, left];
}

/** The arguments of the script in Redis. */
interface Asked {
  readonly accountId: string;
  readonly background: boolean;
  readonly spare: boolean;
  readonly at: number;
}

describe('CallAdmission', () => {
  let since: number;
  let asked: Asked[];
  /** The script's answer `ms` after the start; it stands for the effect of other processes on the account's quota. */
  let answer: (accountId: string, ms: number) => Answer;
  let limiters: AccountLimiters;
  let pauses: AccountPauses;
  let sut: CallAdmission;

  beforeEach(() => {
    jest.useFakeTimers();
    since = Date.now();
    asked = [];
    const redis = {
      key: (...parts: string[]) => parts.join(':'),
      client: {
        status: 'ready',
        evalsha: async (_sha: string, _keys: number, bucketKey: string, ...rest: unknown[]) => {
          const accountId = /\{(.*)\}/.exec(bucketKey)![1]!;
          // After the two other keys: units, then the rank of the call.
          asked.push({ accountId, background: rest[3] === 1, spare: rest[3] === 2, at: Date.now() - since });
          return answer(accountId, Date.now() - since);
        },
      },
    } as unknown as RedisService;
    limiters = new AccountLimiters(config);
    const quota = new QuotaBucket(redis, config);
    pauses = new AccountPauses(quota, {} as ProviderCredentials);
    sut = new CallAdmission(limiters, quota, pauses);
  });

  afterEach(() => jest.useRealTimers());

  const fetchOf = (accountId: string, expectedBytes: number, signal?: AbortSignal): ProviderCall => ({
    account: { id: accountId, userId: 'user', email: 'a@example.test', provider: 'gmail' },
    endpoint: 'messages.get',
    priority: 'background',
    expectedBytes,
    signal,
  });

  /** Asks for admission in the background. */
  function admit(call: ProviderCall): { admitted?: Admission; error?: unknown; at?: number } {
    const outcome: { admitted?: Admission; error?: unknown; at?: number } = {};
    sut.admit(call, RAW_UNITS, Infinity).then(
      (admitted) => Object.assign(outcome, { admitted, at: Date.now() - since }),
      (error: unknown) => Object.assign(outcome, { error }),
    );
    return outcome;
  }

  const inUse = (accountId: string) => ({
    bytes: limiters.bytes.inUse,
    idle: limiters.of({ id: accountId, provider: 'gmail' }).slots.idle,
  });

  it.each([
    ['paused by another process', PAUSED],
    ['out of units', LATER],
  ])('should hold neither memory nor a slot while its account is %s', async (_state, status) => {
    answer = (accountId, ms) => (accountId === 'busy' ? notBefore(60_000, ms, status) : [GRANTED, 0]);
    const waiting = admit(fetchOf('busy', 50 * MIB));
    await jest.advanceTimersByTimeAsync(10);
    expect(inUse('busy')).toEqual({ bytes: 0, idle: true });
    const other = admit(fetchOf('other', 50 * MIB));
    await jest.advanceTimersByTimeAsync(10);
    expect(other.admitted).toBeDefined();
    other.admitted!.release();

    await jest.advanceTimersByTimeAsync(58_900);
    expect(waiting.admitted).toBeUndefined();
    expect(inUse('busy')).toEqual({ bytes: 0, idle: true });
    await jest.advanceTimersByTimeAsync(1_500);
    expect(waiting.at).toBeGreaterThanOrEqual(60_000);
    expect(inUse('busy')).toEqual({ bytes: 50 * MIB, idle: false });
    waiting.admitted!.release();
    expect(inUse('busy')).toEqual({ bytes: 0, idle: true });
  });

  it('should report whose limit it is when the user has to come back later', async () => {
    const ask = (accountId: string): Promise<unknown> =>
      sut.admit({ ...fetchOf(accountId, 0), priority: 'interactive' }, RAW_UNITS, Date.now() + 1_000).then(
        () => 'admitted',
        (error: unknown) => error,
      );
    answer = (_accountId, ms) => notBefore(20_000, ms, LATER);
    const own = await ask('own');
    expect(own).toBeInstanceOf(RequestsPaced);
    expect(own).toMatchObject({ code: 'provider-rate-limited', status: 503, retryAt: expect.any(Date) });
    answer = (_accountId, ms) => notBefore(20_000, ms, PAUSED);
    const theirs = await ask('theirs');
    expect(theirs).toBeInstanceOf(ProviderRateLimited);
    expect(theirs).not.toBeInstanceOf(RequestsPaced);
  });

  it('should ask again in time to have its slot when the units are available, but rarely', async () => {
    answer = (_accountId, ms) => notBefore(20_000, ms, LATER);
    const waiting = admit(fetchOf('a', MIB));
    await jest.advanceTimersByTimeAsync(30_000);
    expect(waiting.at).toBe(20_000);
    expect(asked.map(({ at }) => at)).toEqual([0, 5_000, 10_000, 15_000, 19_500]);
  });

  it('should count as skipped from its first request on, and again after a pause', async () => {
    answer = (_accountId, ms) => {
      if (ms < 7_000) return [LATER, 3_500];
      return ms < 20_000 ? [PAUSED, 20_000 - ms] : [LATER, 3_500];
    };
    const controller = new AbortController();
    admit(fetchOf('a', MIB, controller.signal));
    await jest.advanceTimersByTimeAsync(27_000);
    controller.abort(new Error('cancelled'));
    expect(asked.map(({ at, background }) => [at, background])).toEqual([
      [0, true],
      [3_000, true],
      [6_000, false],
      [9_000, false],
      [20_000, true],
      [23_000, true],
      [26_000, false],
    ]);
  });

  it('should wait for the end of a pause that it learns of while it waits for units', async () => {
    answer = (_accountId, ms) => (ms < 40_000 ? [LATER, 3_500] : [GRANTED, 0]);
    const waiting = admit(fetchOf('a', MIB));
    setTimeout(() => pauses.observe('a', 38_000), 2_000);
    await jest.advanceTimersByTimeAsync(41_000);
    expect(waiting.at).toBe(40_000);
    expect(asked.map(({ at, background }) => [at, background])).toEqual([
      [0, true],
      [40_000, true],
    ]);
  });

  it('should report a longer pause to the caller, when it would hold its job for minutes', async () => {
    answer = () => [GRANTED, 0];
    pauses.observe('a', 61_000);
    const refused = admit(fetchOf('a', MIB));
    await jest.advanceTimersByTimeAsync(10);
    expect(refused.error).toMatchObject({ retryAt: new Date(since + 61_000) });
    expect(inUse('a')).toEqual({ bytes: 0, idle: true });
    await jest.advanceTimersByTimeAsync(2_000);
    const waiting = admit(fetchOf('a', MIB));
    await jest.advanceTimersByTimeAsync(60_000);
    expect(waiting.admitted).toBeDefined();
  });

  it('should hold nothing while a spare call waits, and treat it as a background call after a minute', async () => {
    answer = (_accountId, ms) => (ms < 64_000 ? [LATER, 9_000] : [GRANTED, 0]);
    const waiting = admit({ ...fetchOf('a', 50 * MIB), priority: 'spare' });
    await jest.advanceTimersByTimeAsync(10);
    expect(inUse('a')).toEqual({ bytes: 0, idle: true });
    expect(limiters.of({ id: 'a', provider: 'gmail' }).turn.inUse).toBe(0);
    await jest.advanceTimersByTimeAsync(59_000);
    expect(asked.every(({ spare }) => spare)).toBe(true);
    await jest.advanceTimersByTimeAsync(10_000);
    const ranked = asked.find(({ spare }) => !spare)!;
    expect(ranked.background).toBe(true);
    expect(ranked.at).toBeGreaterThanOrEqual(60_000);
    expect(waiting.admitted).toBeDefined();
  });

  it('should admit background calls before spare ones', async () => {
    answer = (_accountId, ms) => (ms < 10_000 ? [LATER, 5_500] : [GRANTED, 0]);
    const spare = admit({ ...fetchOf('a', 50 * MIB), priority: 'spare' });
    const background = admit(fetchOf('a', 50 * MIB));
    await jest.advanceTimersByTimeAsync(20_000);
    expect(background.admitted).toBeDefined();
    expect(spare.admitted).toBeUndefined();
    background.admitted!.release();
    await jest.advanceTimersByTimeAsync(10_000);
    expect(spare.admitted).toBeDefined();
  });

  it('should admit the calls of an account in order of arrival', async () => {
    answer = (_accountId, ms) => notBefore(30_000, ms, PAUSED);
    const first = admit(fetchOf('a', 50 * MIB));
    const second = admit(fetchOf('a', 50 * MIB));
    await jest.advanceTimersByTimeAsync(30_100);
    expect(first.admitted).toBeDefined();
    expect(second.admitted).toBeUndefined();
    first.admitted!.release();
    await jest.advanceTimersByTimeAsync(100);
    expect(second.admitted).toBeDefined();
  });

  it.each([
    ['pause', PAUSED],
    ['wait for units', LATER],
  ])('should leave nothing behind when it is given up during a %s', async (_state, status) => {
    answer = () => [status, 60_000];
    const controller = new AbortController();
    const waiting = admit(fetchOf('a', 50 * MIB, controller.signal));
    await jest.advanceTimersByTimeAsync(10);
    const reason = new Error('cancelled');
    controller.abort(reason);
    await jest.advanceTimersByTimeAsync(10);
    expect(waiting.error).toBe(reason);
    expect(inUse('a')).toEqual({ bytes: 0, idle: true });
    expect(limiters.of({ id: 'a', provider: 'gmail' }).turn.inUse).toBe(0);
    expect(jest.getTimerCount()).toBe(0);
  });
});
