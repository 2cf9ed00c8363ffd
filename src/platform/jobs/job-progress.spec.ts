import { MAX_KEPT_FAILURES, progressOf, ProgressCounter } from './job-progress';

describe('progressOf', () => {
  it.each([
    ['active', 0, 0, 0, 0],
    ['active', 10, 0, 0, 0],
    ['active', 3, 1, 0, 33],
    ['active', 3, 1, 1, 66],
    ['active', 3, 2, 1, 100],
    ['active', 3, 5, 0, 100],
    ['cancelled', 4, 1, 0, 25],
    ['failed', 0, 7, 0, 0],
    ['completed', 0, 0, 0, 100],
    ['completed', 10, 4, 0, 100],
  ] as const)(
    'should be right for %s with total %i, processed %i, failed %i',
    (status, total, processed, failed, progress) => {
      expect(progressOf({ status, total, processed, failed })).toBe(progress);
    },
  );
});

describe('ProgressCounter', () => {
  it('should count done and failed items separately', () => {
    const sut = new ProgressCounter({ total: 0, processed: 0, failed: 0 }, []);
    sut.setTotal(5);
    sut.add(3);
    sut.fail('m1', 'gone');
    expect(sut.counts).toEqual({ total: 5, processed: 3, failed: 1 });
    expect(sut.failures).toEqual([{ item: 'm1', code: 'gone', reason: 'gone' }]);
    expect(sut.failuresTruncated).toBe(false);
  });

  it('should keep the first failures and count the rest', () => {
    const kept = Array.from({ length: MAX_KEPT_FAILURES - 1 }, (_, n) => ({ item: `m${n}`, reason: 'gone' }));
    const sut = new ProgressCounter({ total: 5_000, processed: 0, failed: kept.length }, kept);
    sut.fail('last', 'gone');
    expect(sut.failuresTruncated).toBe(false);
    sut.fail('beyond', 'gone');
    expect(sut.failures).toHaveLength(MAX_KEPT_FAILURES);
    expect(sut.failures.at(-1)!.item).toBe('last');
    expect(sut.counts.failed).toBe(MAX_KEPT_FAILURES + 1);
    expect(sut.failuresTruncated).toBe(true);
  });
});
