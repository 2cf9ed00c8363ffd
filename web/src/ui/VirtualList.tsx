import { useVirtualizer, type Range } from '@tanstack/react-virtual';
import { useCallback, useEffect, useRef, type ReactNode } from 'react';
import { placeOf, rememberPlace, takeWantedFocus, hasPlace } from './list-places';

interface VirtualListProps {
  readonly count: number;
  /** Pixels. */
  readonly rowHeight: number;
  readonly label: string;
  /** The row that keys act on; it is kept in sight. */
  readonly active: number;
  readonly onActiveChange: (index: number) => void;
  /** Rows that are in sight now, to load what they show; after a jump, once the list rests there. */
  readonly onRange?: (first: number, last: number) => void;
  /** Names the list, which is found where it was left: `placeOf` has its row. */
  readonly place: string;
  readonly rowId: (index: number) => string;
  readonly isSelected?: (index: number) => boolean;
  readonly onKey?: (event: React.KeyboardEvent) => void;
  readonly children: (index: number) => ReactNode;
}

const OVERSCAN = 8;
/** While the scrollbar is dragged, rows pass by that are not worth loading. */
const RESTED_MS = 80;

/**
 * A list of any length, of which only what is in sight is in the page, and the active row. One element has the focus, and
 * tells which row is active (WAI-ARIA listbox with aria-activedescendant).
 */
export function VirtualList(props: VirtualListProps): ReactNode {
  const { count, rowHeight, label, active, onActiveChange, onRange, place, rowId, isSelected, onKey } = props;
  const viewport = useRef<HTMLDivElement>(null);
  const virtualizer = useVirtualizer({
    count,
    getScrollElement: () => viewport.current,
    estimateSize: () => rowHeight,
    overscan: OVERSCAN,
    initialOffset: placeOf(place).offset,
    rangeExtractor: useCallback((range: Range) => rowsOf(range, active), [active]),
  });
  const rows = virtualizer.getVirtualItems();
  const { first, last } = isInSight(virtualizer.range, count);
  useRange(first, last, onRange);
  useEffect(() => {
    // The keys go on with the list for those who come back to it, and those who have just searched.
    const isWanted = takeWantedFocus() || hasPlace(place);
    if (isWanted && document.activeElement === document.body)
      viewport.current?.focus({ preventScroll: true });
  }, [place]);
  const shown = useRef(active);
  useEffect(() => {
    // Only when the person goes to another row: one that was left out of sight stays there, as when the list grows.
    if (shown.current === active) return;
    shown.current = active;
    rememberPlace(place, { active });
    virtualizer.scrollToIndex(active, { align: 'auto' });
  }, [active, place, virtualizer]);
  const move = (event: React.KeyboardEvent): void => {
    const next = targetOf(
      event.key,
      active,
      count,
      Math.floor((viewport.current?.clientHeight ?? 0) / rowHeight),
    );
    if (next === null) {
      onKey?.(event);
      return;
    }
    event.preventDefault();
    onActiveChange(next);
  };
  return (
    <div
      ref={viewport}
      role="listbox"
      tabIndex={0}
      aria-label={label}
      aria-multiselectable={isSelected !== undefined}
      // Without a height there are no rows yet.
      aria-activedescendant={rows.some(({ index }) => index === active) ? rowId(active) : undefined}
      onKeyDown={move}
      onMouseDown={(event) => {
        if (!event.shiftKey) return;
        // Shift chooses a range of rows; the browser would select their text as well.
        event.preventDefault();
        event.currentTarget.focus({ preventScroll: true });
      }}
      onScroll={(event) => rememberPlace(place, { offset: event.currentTarget.scrollTop })}
      style={{ height: '100%', overflowY: 'auto', contain: 'strict' }}
    >
      <div style={{ height: virtualizer.getTotalSize(), position: 'relative' }}>
        {rows.map(({ index, start, key }) => (
          <div
            key={key}
            id={rowId(index)}
            role="option"
            aria-selected={isSelected?.(index) ?? index === active}
            aria-setsize={count}
            aria-posinset={index + 1}
            data-active={index === active || undefined}
            style={{
              position: 'absolute',
              insetInline: 0,
              height: rowHeight,
              transform: `translateY(${start}px)`,
            }}
          >
            {props.children(index)}
          </div>
        ))}
      </div>
    </div>
  );
}

/** Tells which rows are in sight: at once next to those before, elsewhere when nothing has moved for a moment. */
function useRange(first: number, last: number, onRange: VirtualListProps['onRange']): void {
  const before = useRef<{ readonly first: number; readonly last: number } | null>(null);
  useEffect(() => {
    const tell = (): void => {
      before.current = { first, last };
      onRange?.(first, last);
    };
    const isNear = before.current === null || (first <= before.current.last && last >= before.current.first);
    if (isNear) return tell();
    const rest = setTimeout(tell, RESTED_MS);
    return () => clearTimeout(rest);
  }, [first, last, onRange]);
}

/** The rows around those that are seen, which are in the page before they are scrolled to. */
function isInSight(
  range: Pick<Range, 'startIndex' | 'endIndex'> | null,
  count: number,
): { readonly first: number; readonly last: number } {
  if (range === null) return { first: 0, last: 0 };
  return {
    first: Math.max(0, range.startIndex - OVERSCAN),
    last: Math.max(0, Math.min(count - 1, range.endIndex + OVERSCAN)),
  };
}

/** The active row as well, wherever it is: screen readers ask for it. */
function rowsOf(range: Range, active: number): number[] {
  if (range.count === 0) return [];
  const { first, last } = isInSight(range, range.count);
  const rows = Array.from({ length: last - first + 1 }, (_, offset) => first + offset);
  if (active < first) return [active, ...rows];
  return active > last && active < range.count ? [...rows, active] : rows;
}

/** Row to which a key moves from the active row; null for other keys. */
export function targetOf(key: string, active: number, count: number, page: number): number | null {
  const steps: Readonly<Record<string, number>> = {
    ArrowDown: active + 1,
    j: active + 1,
    ArrowUp: active - 1,
    k: active - 1,
    PageDown: active + Math.max(1, page),
    PageUp: active - Math.max(1, page),
    Home: 0,
    End: count - 1,
  };
  const target = steps[key];
  return target === undefined || count === 0 ? null : Math.min(count - 1, Math.max(0, target));
}
