import { FetchDeduplicator } from './fetch-deduplicator';

describe('FetchDeduplicator', () => {
  it('should give each id to one reader while the others wait for it', async () => {
    const fetches = new FetchDeduplicator();
    const first = fetches.claim('account', ['a', 'b'], 'interactive');
    const second = fetches.claim('account', ['b', 'c'], 'interactive');
    expect([first.own, first.others]).toEqual([['a', 'b'], []]);
    expect([second.own, second.others]).toEqual([['c'], ['b']]);
    let settled = false;
    const waiting = second.waitForOthers().then(() => (settled = true));
    await Promise.resolve();
    expect(settled).toBe(false);
    first.release();
    await waiting;
    expect(settled).toBe(true);
  });

  it('should give out an id again once its fetch has ended', () => {
    const fetches = new FetchDeduplicator();
    fetches.claim('account', ['a'], 'interactive').release();
    expect(fetches.claim('account', ['a'], 'interactive').own).toEqual(['a']);
  });

  it('should keep accounts apart', () => {
    const fetches = new FetchDeduplicator();
    fetches.claim('one', ['a'], 'interactive');
    expect(fetches.claim('two', ['a'], 'interactive').own).toEqual(['a']);
  });

  it('should let a reader wait for background work, but not for long', async () => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask'] });
    try {
      const fetches = new FetchDeduplicator();
      const background = fetches.claim('account', ['a'], 'background');
      const reader = fetches.claim('account', ['a'], 'interactive');
      expect([reader.own, reader.others]).toEqual([[], ['a']]);
      const patient = fetches.claim('account', ['a'], 'background');
      const over: string[] = [];
      void reader.waitForOthers().then(() => over.push('reader'));
      void patient.waitForOthers().then(() => over.push('background'));
      await jest.advanceTimersByTimeAsync(2_900);
      expect(over).toEqual([]);
      await jest.advanceTimersByTimeAsync(200);
      expect(over).toEqual(['reader']);
      background.release();
      await jest.advanceTimersByTimeAsync(1);
      expect(over).toEqual(['reader', 'background']);
    } finally {
      jest.useRealTimers();
    }
  });
});
