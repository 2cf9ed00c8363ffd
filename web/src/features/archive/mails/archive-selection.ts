import { useCallback, useMemo, useState } from 'react';
import { useIdsBetween, type HeldListing } from './archived-mails';

/** Number of mails up to which their ids are loaded, so that single ones can be deselected. */
const MOST_LOADED = 1_000;

/** Mails that a person has chosen: by their ids, or everything that matches. */
export interface ArchiveSelection {
  readonly count: number;
  /** null when everything that matches is chosen, which is more than can be loaded. */
  readonly ids: readonly string[] | null;
  readonly has: (id: string) => boolean;
  /** Chooses or leaves a row; with `isRange` everything from the last one up to it is chosen. */
  readonly toggle: (id: string, index: number, isRange: boolean) => void;
  readonly all: () => void;
  readonly none: () => void;
  /** Why a range or everything could not be chosen. */
  readonly error: Error | null;
}

type Chosen = ReadonlySet<string> | 'all';

export function useArchiveSelection(listing: HeldListing): ArchiveSelection {
  const { total } = listing;
  const [chosen, setChosen] = useState<Chosen>(new Set());
  const [anchor, setAnchor] = useState<number | null>(null);
  const [error, setError] = useState<Error | null>(null);
  const idsBetween = useIdsBetween(listing);
  const add = useCallback(
    async (first: number, last: number) => {
      try {
        const ids = await idsBetween(first, last);
        setChosen((before) => (before === 'all' ? before : new Set([...before, ...ids])));
        setError(null);
      } catch (failure) {
        setError(failure instanceof Error ? failure : new Error(String(failure)));
      }
    },
    [idsBetween],
  );
  const toggle = useCallback(
    (id: string, index: number, isRange: boolean) => {
      setAnchor(index);
      if (isRange && anchor !== null) void add(Math.min(anchor, index), Math.max(anchor, index));
      else
        setChosen((before) =>
          before === 'all' ? before : (removeId(before, id) ?? new Set([...before, id])),
        );
    },
    [anchor, add],
  );
  const all = useCallback(() => {
    if (total > MOST_LOADED) setChosen('all');
    else void add(0, total - 1);
  }, [total, add]);
  const none = useCallback(() => {
    setChosen(new Set());
    setAnchor(null);
    setError(null);
  }, []);
  return useMemo(
    () => ({
      count: chosen === 'all' ? total : chosen.size,
      ids: chosen === 'all' ? null : [...chosen],
      has: (id) => chosen === 'all' || chosen.has(id),
      toggle,
      all,
      none,
      error,
    }),
    [chosen, total, toggle, all, none, error],
  );
}

/** null when it was not there. */
function removeId(ids: ReadonlySet<string>, id: string): Set<string> | null {
  if (!ids.has(id)) return null;
  const others = new Set(ids);
  others.delete(id);
  return others;
}
