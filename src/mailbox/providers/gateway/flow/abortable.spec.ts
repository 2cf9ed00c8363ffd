import { linkedSignal, sleep } from './abortable';

describe('sleep', () => {
  it('ends in time', async () => {
    const since = Date.now();
    await sleep(30);
    expect(Date.now() - since).toBeGreaterThanOrEqual(28);
  });

  it('rejects with the signal’s reason, at once when it has aborted already', async () => {
    const controller = new AbortController();
    const waiting = sleep(60_000, controller.signal);
    controller.abort(new Error('cancelled'));
    await expect(waiting).rejects.toThrow('cancelled');
    await expect(sleep(60_000, controller.signal)).rejects.toThrow('cancelled');
  });
});

describe('linkedSignal', () => {
  it('aborts with its parent', () => {
    const parent = new AbortController();
    const link = linkedSignal(parent.signal, Infinity);
    parent.abort(new Error('parent'));
    expect(link.signal.reason).toEqual(new Error('parent'));
    expect(link.timedOut).toBe(false);
  });

  it('aborts when the time runs out', async () => {
    const link = linkedSignal(undefined, 10, () => new Error('late'));
    await sleep(30);
    expect(link.timedOut).toBe(true);
    expect(link.signal.reason).toEqual(new Error('late'));
  });

  it('does neither once released', async () => {
    const parent = new AbortController();
    const link = linkedSignal(parent.signal, 10);
    link.release();
    parent.abort(new Error('parent'));
    await sleep(30);
    expect(link.signal.aborted).toBe(false);
  });
});
