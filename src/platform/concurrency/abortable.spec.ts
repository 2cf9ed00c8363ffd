import { abortable, linkedSignal, sleep } from './abortable';

describe('sleep', () => {
  it('should end in time', async () => {
    const since = Date.now();
    await sleep(30);
    expect(Date.now() - since).toBeGreaterThanOrEqual(28);
  });

  it('should reject with the signal’s reason, at once when it has aborted already', async () => {
    const controller = new AbortController();
    const waiting = sleep(60_000, controller.signal);
    controller.abort(new Error('cancelled'));
    await expect(waiting).rejects.toThrow('cancelled');
    await expect(sleep(60_000, controller.signal)).rejects.toThrow('cancelled');
  });
});

describe('linkedSignal', () => {
  it('should abort with its parent', () => {
    const parent = new AbortController();
    const link = linkedSignal(parent.signal, Infinity);
    parent.abort(new Error('parent'));
    expect(link.signal.reason).toEqual(new Error('parent'));
    expect(link.timedOut).toBe(false);
  });

  it('should abort when the time runs out', async () => {
    const link = linkedSignal(undefined, 10, () => new Error('late'));
    await sleep(30);
    expect(link.timedOut).toBe(true);
    expect(link.signal.reason).toEqual(new Error('late'));
  });

  it('should do neither once released', async () => {
    const parent = new AbortController();
    const link = linkedSignal(parent.signal, 10);
    link.release();
    parent.abort(new Error('parent'));
    await sleep(30);
    expect(link.signal.aborted).toBe(false);
  });

  it('should pause its clock during another wait, and allow more time', async () => {
    const suspended = linkedSignal(undefined, 40);
    const extended = linkedSignal(undefined, 20);
    extended.extend(10_000);
    await suspended.suspend(sleep(120));
    expect(suspended.signal.aborted).toBe(false);
    await sleep(80);
    expect(suspended.timedOut).toBe(true);
    expect(extended.signal.aborted).toBe(false);
    extended.release();
    await extended.suspend(sleep(1));
    extended.extend(-20_000);
    await sleep(10);
    expect(extended.signal.aborted).toBe(false);
  });
});

describe('abortable', () => {
  it('should pass on the outcome', async () => {
    const { signal } = new AbortController();
    await expect(abortable(Promise.resolve(1), signal)).resolves.toBe(1);
    await expect(abortable(Promise.reject(new Error('no')), signal)).rejects.toThrow('no');
    await expect(abortable(Promise.resolve(1), undefined)).resolves.toBe(1);
  });

  it('should stop waiting when the signal aborts', async () => {
    const controller = new AbortController();
    const waiting = abortable(new Promise(() => undefined), controller.signal);
    controller.abort(new Error('cancelled'));
    await expect(waiting).rejects.toThrow('cancelled');
    await expect(abortable(new Promise(() => undefined), controller.signal)).rejects.toThrow('cancelled');
  });
});
