import { PaceWatch, longestTransferMs } from './pace-watch';

const PACE = { graceMs: 1_000, bytesPerSecond: 100 };

describe('PaceWatch', () => {
  let slow: number;
  let sut: PaceWatch;

  beforeEach(() => {
    jest.useFakeTimers();
    slow = 0;
    sut = new PaceWatch(
      PACE,
      () => (slow += 1),
      () => Date.now(),
    );
  });

  afterEach(() => jest.useRealTimers());

  it('should end a silent transfer after the grace period, and report it once', () => {
    sut.startWaiting();
    jest.advanceTimersByTime(999);
    expect(slow).toBe(0);
    jest.advanceTimersByTime(1);
    expect(slow).toBe(1);
    jest.advanceTimersByTime(60_000);
    expect(slow).toBe(1);
  });

  it('should end a trickling transfer, however regular it is', () => {
    sut.startWaiting();
    for (let second = 0; second < 4; second += 1) {
      jest.advanceTimersByTime(300);
      if (slow === 0) sut.recordBytes(1);
    }
    expect(slow).toBe(1);
  });

  it('should wait for a transfer that keeps the pace, as long as it takes', () => {
    sut.startWaiting();
    for (let count = 0; count < 1_000; count += 1) {
      jest.advanceTimersByTime(500);
      sut.recordBytes(50);
    }
    expect(slow).toBe(0);
  });

  it('should not credit a fast beginning with more than the grace period', () => {
    sut.startWaiting();
    sut.recordBytes(1_000_000);
    jest.advanceTimersByTime(1_000);
    expect(slow).toBe(1);
  });

  it('should not count the time between waits', () => {
    sut.startWaiting();
    jest.advanceTimersByTime(600);
    sut.pause();
    jest.advanceTimersByTime(60_000);
    sut.startWaiting();
    sut.startWaiting();
    jest.advanceTimersByTime(399);
    expect(slow).toBe(0);
    jest.advanceTimersByTime(1);
    expect(slow).toBe(1);
  });

  it('should report how long a transfer may take', () => {
    expect([longestTransferMs(PACE, 0), longestTransferMs(PACE, 1_000)]).toEqual([1_000, 11_000]);
  });
});
