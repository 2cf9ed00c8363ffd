import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { leadTabs } from './leadership';

/** A tab that would lead; jsdom has no locks, as pages without TLS have none. */
function aTab(): { readonly leads: () => boolean; readonly close: () => void } {
  const abortion = new AbortController();
  let leading = false;
  const work = (signal: AbortSignal): Promise<void> => {
    leading = true;
    signal.addEventListener('abort', () => (leading = false));
    return new Promise(() => undefined);
  };
  void leadTabs(work, abortion.signal);
  return { leads: () => leading, close: () => abortion.abort() };
}

describe('leadTabs without locks', () => {
  beforeEach(() => {
    localStorage.clear();
    vi.useFakeTimers();
  });

  afterEach(() => vi.useRealTimers());

  it('should let one tab lead, and another one when it is closed', async () => {
    const first = aTab();
    const second = aTab();
    await vi.advanceTimersByTimeAsync(10_000);
    expect([first.leads(), second.leads()]).toEqual([true, false]);
    first.close();
    await vi.advanceTimersByTimeAsync(2_000);
    expect([first.leads(), second.leads()]).toEqual([false, true]);
    second.close();
  });

  it('should not wait for a tab that is gone without a word', async () => {
    localStorage.setItem('mailroom-events-leader', JSON.stringify({ id: 'gone', until: Date.now() + 6_000 }));
    const tab = aTab();
    await vi.advanceTimersByTimeAsync(4_000);
    expect(tab.leads()).toBe(false);
    await vi.advanceTimersByTimeAsync(4_000);
    expect(tab.leads()).toBe(true);
    tab.close();
  });

  it('should take an unreadable lease for a free one', async () => {
    localStorage.setItem('mailroom-events-leader', 'nonsense');
    const tab = aTab();
    await vi.advanceTimersByTimeAsync(0);
    expect(tab.leads()).toBe(true);
    tab.close();
  });
});
