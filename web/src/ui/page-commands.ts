import { useEffect, useSyncExternalStore } from 'react';

/** A command of the page that is open, which the command palette offers. */
export interface PageCommand {
  readonly id: string;
  readonly text: string;
  /** Key that does the same on the page. */
  readonly keys: string;
  readonly run: () => void;
}

const NONE: readonly PageCommand[] = [];
let current = NONE;
const listeners = new Set<() => void>();

function setCommands(commands: readonly PageCommand[]): void {
  current = commands;
  for (const notify of listeners) notify();
}

function listen(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Commands of the page that is open. */
export const usePageCommands = (): readonly PageCommand[] => useSyncExternalStore(listen, () => current);

/** Offers commands for as long as the page is open. @param commands the same array until they change */
export function useOfferedCommands(commands: readonly PageCommand[]): void {
  useEffect(() => {
    setCommands(commands);
    return () => setCommands(NONE);
  }, [commands]);
}
