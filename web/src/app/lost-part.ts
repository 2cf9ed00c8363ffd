import { call } from '../api/client';

const RELOADED = 'mailroom-reloaded-at';
/** A second reload so soon after the first would be an endless one. */
const PAUSE_MS = 60_000;
/** Between two questions whether the service is back. */
const ASK_AGAIN_MS = 3_000;

/**
 * Brings back a part of the page that could not be loaded. A service that is there has other parts by now: the page is
 * loaded anew, once. One that is away is waited for, and the part tried again when it is back.
 * @param retry tries to show the part again
 */
export async function reloadPart(retry: () => void, signal: AbortSignal): Promise<void> {
  if (await isThere(signal)) {
    if (!signal.aborted) reloadOnce();
    return;
  }
  do await waitForRetry(signal);
  while (!signal.aborted && !(await isThere(signal)));
  if (!signal.aborted) retry();
}

async function isThere(signal: AbortSignal): Promise<boolean> {
  try {
    await call('auth.config', {}, { signal });
    return true;
  } catch {
    // The page shows that it failed.
    return false;
  }
}

function reloadOnce(): void {
  if (Date.now() - Number(sessionStorage.getItem(RELOADED)) < PAUSE_MS) return;
  sessionStorage.setItem(RELOADED, String(Date.now()));
  window.location.reload();
}

/** Waits a moment, less when the browser gets its connection back. */
async function waitForRetry(signal: AbortSignal): Promise<void> {
  await new Promise<void>((done) => {
    const end = (): void => {
      clearTimeout(timer);
      window.removeEventListener('online', end);
      signal.removeEventListener('abort', end);
      done();
    };
    const timer = setTimeout(end, ASK_AGAIN_MS);
    window.addEventListener('online', end);
    signal.addEventListener('abort', end);
  });
}
