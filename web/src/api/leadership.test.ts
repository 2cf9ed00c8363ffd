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

  it('should elect one tab, and another when that one is closed', async () => {
    const first = aTab();
    const second = aTab();
    await vi.advanceTimersByTimeAsync(10_000);
    expect([first.leads(), second.leads()]).toEqual([true, false]);
    first.close();
    await vi.advanceTimersByTimeAsync(2_000);
    expect([first.leads(), second.leads()]).toEqual([false, true]);
    second.close();
  });

  it('should not wait for a tab that disappeared', async () => {
    localStorage.setItem('mailroom-events-leader', JSON.stringify({ id: 'gone', until: Date.now() + 6_000 }));
    const tab = aTab();
    await vi.advanceTimersByTimeAsync(4_000);
    expect(tab.leads()).toBe(false);
    await vi.advanceTimersByTimeAsync(4_000);
    expect(tab.leads()).toBe(true);
    tab.close();
  });

  it('should treat an unreadable lease as free', async () => {
    localStorage.setItem('mailroom-events-leader', 'nonsense');
    const tab = aTab();
    await vi.advanceTimersByTimeAsync(0);
    expect(tab.leads()).toBe(true);
    tab.close();
  });
});

/** Locks of browsers, for one name: the first who asks gets the lock, then the next. */
class FakeLocks {
  private last: Promise<unknown> = Promise.resolve();
  private held = 0;

  request<T>(
    _name: string,
    { ifAvailable = false }: { ifAvailable?: boolean },
    work: (lock: object | null) => Promise<T>,
  ): Promise<T> {
    if (ifAvailable && this.held > 0) return work(null);
    this.held += 1;
    const done = this.last.then(() => work({})).finally(() => (this.held -= 1));
    this.last = done;
    return done;
  }
}

describe('leadTabs with locks', () => {
  afterEach(() => Reflect.deleteProperty(navigator, 'locks'));

  it('should elect one tab, and notify the next one that it takes over', async () => {
    Object.defineProperty(navigator, 'locks', { configurable: true, value: new FakeLocks() });
    const led: [string, boolean][] = [];
    const aTabThatLeads = (name: string): AbortController => {
      const abortion = new AbortController();
      void leadTabs((signal, { isTakenOver }) => {
        led.push([name, isTakenOver]);
        return new Promise((done) => signal.addEventListener('abort', () => done()));
      }, abortion.signal);
      return abortion;
    };
    const first = aTabThatLeads('first');
    await vi.waitFor(() => expect(led).toEqual([['first', false]]));
    const second = aTabThatLeads('second');
    await new Promise((next) => setTimeout(next));
    expect(led).toHaveLength(1);
    first.abort();
    await vi.waitFor(() => expect(led.slice(1)).toEqual([['second', true]]));
    second.abort();
  });
});
