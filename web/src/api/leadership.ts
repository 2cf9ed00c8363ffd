const LOCK = 'mailroom-events';
const LEASE_KEY = 'mailroom-events-leader';
const LEASE_MS = 6_000;
const RENEW_MS = 2_000;

/** Work of the leading tab, until the signal ends it. */
export type LeadersWork = (signal: AbortSignal, since: Leadership) => Promise<void>;

export interface Leadership {
  /** Another tab led before, while this one was there. */
  readonly isTakenOver: boolean;
}

/** Runs `work` in one tab of the browser at a time, in another one when this tab goes away. */
export async function leadTabs(work: LeadersWork, signal: AbortSignal): Promise<void> {
  // Pages without TLS have no locks, which may be undefined then, against the types.
  const locks = navigator.locks as LockManager | undefined;
  if (!locks) {
    await leadByLease(work, signal);
    return;
  }
  try {
    const led = await locks.request(LOCK, { ifAvailable: true }, async (lock) => {
      if (lock) await work(signal, { isTakenOver: false });
      return lock !== null;
    });
    if (!led) await locks.request(LOCK, { signal }, () => work(signal, { isTakenOver: true }));
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

/**
 * A lease in the storage that tabs share. For an instant two tabs may believe that they lead: each event comes twice then,
 * which does no harm.
 */
async function leadByLease(work: LeadersWork, signal: AbortSignal): Promise<void> {
  const id = Math.random().toString(36).slice(2);
  let term: AbortController | null = null;
  let isTakenOver = false;
  const step = (): void => {
    const holder = readLease();
    if (holder && holder.id !== id && holder.until > Date.now()) {
      isTakenOver = true;
      term?.abort();
      term = null;
      return;
    }
    localStorage.setItem(LEASE_KEY, JSON.stringify({ id, until: Date.now() + LEASE_MS }));
    if (term) return;
    term = new AbortController();
    void work(AbortSignal.any([signal, term.signal]), { isTakenOver });
  };
  const release = (): void => {
    if (readLease()?.id === id) localStorage.removeItem(LEASE_KEY);
  };
  step();
  const timer = setInterval(step, RENEW_MS);
  window.addEventListener('pagehide', release);
  await new Promise<void>((done) => signal.addEventListener('abort', () => done(), { once: true }));
  clearInterval(timer);
  window.removeEventListener('pagehide', release);
  release();
}

function readLease(): { id: string; until: number } | null {
  const stored = localStorage.getItem(LEASE_KEY);
  if (stored === null) return null;
  try {
    return JSON.parse(stored) as { id: string; until: number };
  } catch {
    // Written by something else: free to be taken.
    return null;
  }
}
