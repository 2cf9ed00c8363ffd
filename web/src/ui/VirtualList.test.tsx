import { act, fireEvent, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState, type ReactNode } from 'react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { renderPart } from '../../test/render';
import { targetOf, VirtualList } from './VirtualList';

const ROWS = 100_000;

interface ListProps {
  readonly place?: string;
  readonly onKey?: (key: string) => void;
  readonly onRange?: (first: number, last: number) => void;
}

function List({ place = 'rows', onKey, onRange }: ListProps): ReactNode {
  const [active, setActive] = useState(0);
  return (
    <VirtualList
      count={ROWS}
      rowHeight={40}
      label="Rows"
      place={place}
      active={active}
      onActiveChange={setActive}
      onRange={onRange}
      rowId={(index) => `row-${index}`}
      onKey={(event) => onKey?.(event.key)}
    >
      {(index) => `Row ${index}`}
    </VirtualList>
  );
}

describe('VirtualList', () => {
  beforeEach(() => {
    // jsdom has no layout: the list is 400 pixels high.
    vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(400);
    vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(800);
    Object.assign(HTMLElement.prototype, { scrollTo: () => undefined });
  });

  it('should render a few of many rows, and state their number', () => {
    renderPart(<List />);
    const rows = screen.getAllByRole('option');
    expect(rows.length).toBeLessThan(40);
    expect(rows[0]).toHaveAttribute('aria-setsize', String(ROWS));
    expect(rows[0]).toHaveAttribute('aria-posinset', '1');
  });

  it('should move by keys, and leave other keys to the page', async () => {
    const onKey = vi.fn();
    renderPart(<List onKey={onKey} />);
    const list = screen.getByRole('listbox', { name: 'Rows' });
    list.focus();
    await userEvent.keyboard('{ArrowDown}jk{ArrowDown}');
    expect(list).toHaveAttribute('aria-activedescendant', 'row-2');
    await userEvent.keyboard('x');
    expect(onKey).toHaveBeenCalledWith('x');
  });

  it('should keep the active row rendered when it is scrolled out of sight', () => {
    renderPart(<List place="scrolled" />);
    const list = screen.getByRole('listbox', { name: 'Rows' });
    fireEvent.scroll(list, { target: { scrollTop: 20_000 } });
    const positions = screen.getAllByRole('option').map((row) => row.getAttribute('aria-posinset'));
    expect(positions.slice(0, 2)).toEqual(['1', '493']);
    expect(list).toHaveAttribute('aria-activedescendant', screen.getAllByRole('option')[0]!.id);
  });

  it('should load visible rows at once, and after a long scroll only those at its end', () => {
    vi.useFakeTimers();
    try {
      const onRange = vi.fn();
      renderPart(<List onRange={onRange} />);
      const scrollTo = (scrollTop: number): void => {
        fireEvent.scroll(screen.getByRole('listbox'), { target: { scrollTop } });
      };
      scrollTo(400);
      expect(onRange).toHaveBeenLastCalledWith(2, expect.any(Number));
      onRange.mockClear();
      for (const row of [10_000, 20_000, 30_000]) scrollTo(row * 40);
      expect(onRange).not.toHaveBeenCalled();
      act(() => void vi.advanceTimersByTime(100));
      expect(onRange.mock.calls).toEqual([[29_992, expect.any(Number)]]);
    } finally {
      vi.useRealTimers();
    }
  });

  it.each([
    ['ArrowDown', 5, 6],
    ['j', 9, 9],
    ['ArrowUp', 0, 0],
    ['PageDown', 0, 4],
    ['PageUp', 5, 1],
    ['Home', 7, 0],
    ['End', 0, 9],
    ['x', 3, null],
  ])('should go with %s from %i to %s', (key, active, target) => {
    expect(targetOf(key, active, 10, 4)).toBe(target);
  });

  it('should not move in an empty list', () => {
    expect(targetOf('End', 0, 0, 4)).toBeNull();
  });
});
