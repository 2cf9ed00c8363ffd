import { useCallback, useMemo, useState } from 'react';

/** Rows that a person has chosen, by their ids. */
export interface Selection {
  readonly ids: ReadonlySet<string>;
  readonly has: (id: string) => boolean;
  /** Chooses or leaves a row; with `range` everything from the last one up to it, as that one was. */
  readonly toggle: (id: string, range?: boolean) => void;
  readonly all: () => void;
  readonly none: () => void;
}

/** @param order the ids as they are shown, for ranges */
export function useSelection(order: readonly string[]): Selection {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  const [anchor, setAnchor] = useState<string | null>(null);
  const toggle = useCallback(
    (id: string, range = false) => {
      setIds((before) => toggleRange(before, order, range ? anchor : null, id));
      setAnchor(id);
    },
    [order, anchor],
  );
  const all = useCallback(() => setIds(new Set(order)), [order]);
  const none = useCallback(() => setIds(new Set()), []);
  return useMemo(() => ({ ids, has: (id) => ids.has(id), toggle, all, none }), [ids, toggle, all, none]);
}

/** The chosen ids after a toggle; with an anchor, everything from there to `id` becomes what the anchor is. */
export function toggleRange(
  chosen: ReadonlySet<string>,
  order: readonly string[],
  anchor: string | null,
  id: string,
): ReadonlySet<string> {
  const after = new Set(chosen);
  const from = anchor === null ? -1 : order.indexOf(anchor);
  const to = order.indexOf(id);
  const range = from === -1 || to === -1 ? [id] : order.slice(Math.min(from, to), Math.max(from, to) + 1);
  const choose = from === -1 ? !chosen.has(id) : chosen.has(anchor ?? id);
  for (const one of range) {
    if (choose) after.add(one);
    else after.delete(one);
  }
  return after;
}
