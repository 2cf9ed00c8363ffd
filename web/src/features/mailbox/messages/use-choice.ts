import { useCallback, useMemo, useState } from 'react';
import { useSelection, type Selection } from '../../../ui/use-selection';

/** Choice among the results of a search: single rows, or all that match, loaded or not. */
export interface Choice extends Selection {
  readonly isAll: boolean;
}

/** @param order the ids that are loaded, as they are shown */
export function useChoice(order: readonly string[]): Choice {
  const rows = useSelection(order);
  const [isAll, setAll] = useState(false);
  const { none: noRows, all: allRows, toggle: toggleRow } = rows;
  const none = useCallback(() => {
    setAll(false);
    noRows();
  }, [noRows]);
  const all = useCallback(() => setAll(true), []);
  const toggle = useCallback(
    (id: string, range?: boolean) => {
      if (isAll) {
        // Without one of them they are no longer all: the rows that are loaded stay chosen, and are counted.
        setAll(false);
        allRows();
      }
      toggleRow(id, !isAll && range);
    },
    [isAll, allRows, toggleRow],
  );
  return useMemo(
    () =>
      isAll
        ? { isAll, ids: new Set(order), has: () => true, toggle, all, none }
        : { isAll, ids: rows.ids, has: rows.has, toggle, all, none },
    [isAll, order, rows, toggle, all, none],
  );
}
