import { delay, setInterval, setTimeout, timeoutSignal } from './timers';

describe('Timers', () => {
  it.each([2 ** 31, 53_687_091_137.5, Infinity])(
    'should not run at once when the delay is %s',
    async (ms) => {
      const ran = jest.fn();
      const pending = [setTimeout(ran, ms), setInterval(ran, ms)];
      const signal = timeoutSignal(ms);
      const over = new AbortController();
      const waiting = delay(ms, undefined, { signal: over.signal }).then(ran, () => 'ended');
      await delay(20);
      pending.forEach(clearTimeout);
      expect(ran).not.toHaveBeenCalled();
      expect(signal.aborted).toBe(false);
      over.abort();
      expect(await waiting).toBe('ended');
    },
  );

  it('should reject a delay that is not a number', () => {
    expect(() => setTimeout(() => undefined, NaN)).toThrow(RangeError);
    expect(() => timeoutSignal(NaN)).toThrow(RangeError);
  });

  it('should run at once when the time has already passed', async () => {
    const ran = jest.fn();
    setTimeout(ran, -5);
    await delay(20);
    expect(ran).toHaveBeenCalled();
  });
});
