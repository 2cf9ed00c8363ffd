import { useCallback, useRef, type RefObject } from 'react';

interface ListFocus {
  /** Ref of the element around the list. */
  readonly around: RefObject<HTMLDivElement | null>;
  /** The same, after which the keys go on with the list. */
  readonly thenList: (act: () => void) => () => void;
}

/** For buttons beside a list that are gone once they were used, as what was chosen is. */
export function useListFocus(): ListFocus {
  const around = useRef<HTMLDivElement>(null);
  const thenList = useCallback(
    (act: () => void) => (): void => {
      act();
      around.current?.querySelector<HTMLElement>('[role=listbox]')?.focus({ preventScroll: true });
    },
    [],
  );
  return { around, thenList };
}
