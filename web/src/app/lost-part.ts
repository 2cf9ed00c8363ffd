import { call } from '../api/client';

const RELOADED = 'mailroom-reloaded-at';
/** A second reload so soon after the first would be an endless one. */
const PAUSE_MS = 60_000;

/** Loads the page anew, which brings its present parts: once, and only when the service is there to bring them. */
export async function reloadOnce(): Promise<void> {
  if (Date.now() - Number(sessionStorage.getItem(RELOADED)) < PAUSE_MS) return;
  try {
    await call('auth.config', {});
  } catch {
    // The service is away: what is shown says so.
    return;
  }
  sessionStorage.setItem(RELOADED, String(Date.now()));
  window.location.reload();
}
