import type { AppConfig } from '../config/app-config';
import { BackgroundPace, waitForBackgroundTurn } from './background-pace';

describe('BackgroundPace', () => {
  let now: number;
  let begun: number;

  const paceOf = (yields: boolean): BackgroundPace =>
    new BackgroundPace({ jobs: { yield: yields } } as AppConfig);
  const steps = (pace: BackgroundPace, count: number): void => {
    for (let step = 0; step < count; step++)
      void pace.run(async () => {
        await waitForBackgroundTurn();
        begun++;
      });
  };
  /** Looks `times` times; the event loop is held up before each for `lateMs`. */
  const looks = async (times: number, lateMs = 0): Promise<void> => {
    for (let look = 0; look < times; look++) {
      now += 2 + lateMs;
      await jest.advanceTimersByTimeAsync(2);
    }
  };
  const ask = (pace: BackgroundPace, times = 5): void => {
    for (let time = 0; time < times; time++) pace.recordRequest();
  };
  const settle = (): Promise<void> => jest.advanceTimersByTimeAsync(0);

  beforeEach(() => {
    jest.useFakeTimers();
    now = 1_000;
    begun = 0;
    jest.spyOn(performance, 'now').mockImplementation(() => now);
  });

  afterEach(() => {
    jest.restoreAllMocks();
    jest.useRealTimers();
  });

  it('should let every step begin at once without any requests', async () => {
    const sut = paceOf(true);
    steps(sut, 100);
    await settle();
    expect([begun, jest.getTimerCount()]).toEqual([100, 0]);
    ask(sut);
    now += 301;
    steps(sut, 100);
    await settle();
    expect([begun, jest.getTimerCount()]).toEqual([200, 0]);
  });

  it('should not delay jobs for a client that only polls their progress', async () => {
    const sut = paceOf(true);
    ask(sut, 4);
    steps(sut, 100);
    await settle();
    expect(begun).toBe(100);
  });

  it('should begin one step at a time while people use the service and the event loop is on time', async () => {
    const sut = paceOf(true);
    ask(sut);
    steps(sut, 10);
    await settle();
    expect(begun).toBe(0);
    await looks(1);
    expect(begun).toBe(1);
    await looks(4);
    expect(begun).toBe(5);
    await looks(5);
    expect([begun, jest.getTimerCount()]).toEqual([10, 0]);
  });

  it('should start none while the event loop is late, until they have waited long enough', async () => {
    const sut = paceOf(true);
    ask(sut);
    steps(sut, 10);
    await looks(19, 8);
    expect(begun).toBe(0);
    await looks(1, 8);
    // A few at a time, so that they do not hold up requests in their turn.
    expect(begun).toBe(2);
    await looks(4, 8);
    expect(begun).toBe(10);
  });

  it('should start none ahead of those already waiting', async () => {
    const sut = paceOf(true);
    const order: string[] = [];
    const step = (name: string): Promise<void> =>
      sut.run(async () => {
        await waitForBackgroundTurn();
        order.push(name);
      });
    ask(sut);
    const first = step('first');
    now += 400;
    const second = step('second');
    await looks(2);
    await Promise.all([first, second]);
    expect(order).toEqual(['first', 'second']);
  });

  it('should delay nothing outside background work, and nothing at all when pacing is off', async () => {
    const pace = paceOf(true);
    ask(pace);
    expect(waitForBackgroundTurn()).toBeUndefined();
    const sut = paceOf(false);
    ask(sut);
    steps(sut, 10);
    await settle();
    expect(begun).toBe(10);
  });
});
