import { useEffect, useState } from 'react';
import { useSteady } from './use-steady';

/**
 * Opens a row as soon as what it shows is loaded: people click on rows that are not there yet.
 * @param rowAt undefined while it is loaded, null when there is none
 * @param active the row that the keys act on: a row that was left since is not opened
 * @returns opens a row, now or when it is there
 */
export function useAwaitedRow<Row>(
  rowAt: (index: number) => Row | null | undefined,
  active: number,
  open: (row: Row) => void,
): (index: number) => void {
  const [awaited, setAwaited] = useState<number | null>(null);
  const row = awaited === active ? rowAt(awaited) : null;
  const openRow = useSteady(open);
  useEffect(() => {
    if (awaited === null || row === undefined) return;
    setAwaited(null);
    if (row !== null) openRow(row);
  }, [awaited, row, openRow]);
  return setAwaited;
}
