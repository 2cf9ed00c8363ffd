import { useSyncExternalStore } from 'react';

/** Without a use for this long it is forgotten. */
const IDLE_MS = 10 * 60_000;

let passphrase: string | null = null;
let timer: ReturnType<typeof setTimeout> | undefined;
const listeners = new Set<() => void>();

function setPassphrase(next: string | null): void {
  passphrase = next;
  clearTimeout(timer);
  if (next !== null) timer = setTimeout(() => setPassphrase(null), IDLE_MS);
  for (const listener of listeners) listener();
}

/** The passphrase of the archive, in the memory of this tab only. */
export const passphraseStore = {
  remember: (typed: string): void => setPassphrase(typed),
  forget: (): void => setPassphrase(null),
  /** Has to be called with each use of the passphrase. */
  used: (): void => {
    if (passphrase !== null) setPassphrase(passphrase);
  },
};

function listen(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** null until the person has typed it, and after ten idle minutes. */
export const usePassphrase = (): string | null => useSyncExternalStore(listen, () => passphrase);
