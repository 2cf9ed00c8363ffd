import { useCallback, useLayoutEffect, useRef } from 'react';

/**
 * One function for as long as the component is there, which does what the latest handler does: rows that get it need not be
 * rendered again with the list.
 */
export function useSteady<A extends readonly unknown[]>(
  handler: (...values: A) => void,
): (...values: A) => void {
  const latest = useRef(handler);
  useLayoutEffect(() => {
    latest.current = handler;
  });
  return useCallback((...values) => latest.current(...values), []);
}
