import { Throttle } from './throttle';

describe('Throttle', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it('should run at once, then at most once per interval, and always for the last request', () => {
    const runs: number[] = [];
    const started = performance.now();
    const sut = new Throttle(250, () => runs.push(performance.now() - started));
    for (let elapsed = 0; elapsed <= 600; elapsed += 10) {
      sut.request();
      jest.advanceTimersByTime(10);
    }
    jest.advanceTimersByTime(1_000);
    expect(runs).toEqual([0, 250, 500, 750]);
  });

  it('should run at once again after a quiet time', () => {
    const action = jest.fn();
    const sut = new Throttle(250, action);
    sut.request();
    jest.advanceTimersByTime(300);
    sut.request();
    expect(action).toHaveBeenCalledTimes(2);
  });

  it('should forget a pending call when cancelled', () => {
    const action = jest.fn();
    const sut = new Throttle(250, action);
    sut.request();
    sut.request();
    sut.cancel();
    jest.advanceTimersByTime(1_000);
    expect(action).toHaveBeenCalledTimes(1);
  });
});
