import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { reloadPart } from './lost-part';

const there = (): Promise<Response> => Promise.resolve(Response.json({}));
const away = (): Promise<Response> => Promise.reject(new TypeError('Failed to fetch'));

describe('reloadPart', () => {
  let leaving: AbortController;
  const retry = vi.fn();
  const reload = vi.fn();

  beforeEach(() => {
    leaving = new AbortController();
    sessionStorage.clear();
    retry.mockClear();
    reload.mockClear();
    vi.useFakeTimers();
    vi.stubGlobal('location', { origin: window.location.origin, reload });
  });

  afterEach(() => {
    leaving.abort();
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });

  it('should reload the page when the service is available, but only once', async () => {
    vi.stubGlobal('fetch', there);
    await reloadPart(retry, leaving.signal);
    await reloadPart(retry, leaving.signal);
    expect(reload).toHaveBeenCalledTimes(1);
    expect(retry).not.toHaveBeenCalled();
  });

  it('should wait for an unavailable service, and then retry', async () => {
    vi.stubGlobal('fetch', away);
    const brought = reloadPart(retry, leaving.signal);
    await vi.advanceTimersByTimeAsync(20_000);
    expect(retry).not.toHaveBeenCalled();
    vi.stubGlobal('fetch', there);
    await vi.advanceTimersByTimeAsync(5_000);
    await brought;
    expect([retry.mock.calls.length, reload.mock.calls.length]).toEqual([1, 0]);
  });

  it('should stop waiting once the browser is online again', async () => {
    vi.stubGlobal('fetch', away);
    const brought = reloadPart(retry, leaving.signal);
    await vi.advanceTimersByTimeAsync(1_000);
    vi.stubGlobal('fetch', there);
    window.dispatchEvent(new Event('online'));
    await vi.advanceTimersByTimeAsync(0);
    await brought;
    expect(retry).toHaveBeenCalledTimes(1);
  });

  it('should stop when the user navigates away', async () => {
    vi.stubGlobal('fetch', away);
    const brought = reloadPart(retry, leaving.signal);
    await vi.advanceTimersByTimeAsync(1_000);
    leaving.abort();
    await brought;
    vi.stubGlobal('fetch', there);
    await vi.advanceTimersByTimeAsync(10_000);
    expect([retry.mock.calls.length, reload.mock.calls.length]).toEqual([0, 0]);
  });
});
