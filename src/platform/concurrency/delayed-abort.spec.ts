import { delayedAbort } from './abortable';

describe('delayedAbort', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  it('should abort with the parent’s reason after the delay', () => {
    const parent = new AbortController();
    const { signal } = delayedAbort(parent.signal, 1_000);
    const reason = new Error('cancelled');
    parent.abort(reason);
    jest.advanceTimersByTime(999);
    expect(signal.aborted).toBe(false);
    jest.advanceTimersByTime(1);
    expect(signal.reason).toBe(reason);
  });

  it('should count from now when the parent has aborted already', () => {
    const { signal } = delayedAbort(AbortSignal.abort(), 1_000);
    expect(signal.aborted).toBe(false);
    jest.advanceTimersByTime(1_000);
    expect(signal.aborted).toBe(true);
  });

  it('should leave nothing behind once released', () => {
    const parent = new AbortController();
    const { signal, release } = delayedAbort(parent.signal, 1_000);
    release();
    parent.abort();
    jest.advanceTimersByTime(10_000);
    expect(signal.aborted).toBe(false);
    expect(jest.getTimerCount()).toBe(0);
  });
});
