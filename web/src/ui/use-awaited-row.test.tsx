import { act, renderHook } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { useAwaitedRow } from './use-awaited-row';

interface Given {
  readonly rows: readonly (string | null | undefined)[];
  readonly active: number;
}

const listOf = (initial: Given) => {
  const opened = vi.fn();
  const { result, rerender } = renderHook(
    ({ rows, active }: Given) => useAwaitedRow((index) => rows[index], active, opened),
    { initialProps: initial },
  );
  return { opened, rerender, open: (index: number) => act(() => result.current(index)) };
};

describe('useAwaitedRow', () => {
  it('should open an existing row at once, each time', () => {
    const { opened, open } = listOf({ rows: ['a'], active: 0 });
    open(0);
    open(0);
    expect(opened.mock.calls).toEqual([['a'], ['a']]);
  });

  it('should open a row once, as soon as it is loaded', () => {
    const { opened, rerender, open } = listOf({ rows: ['a', undefined], active: 1 });
    open(1);
    expect(opened).not.toHaveBeenCalled();
    rerender({ rows: ['a', 'b'], active: 1 });
    rerender({ rows: ['a', 'b2'], active: 1 });
    expect(opened.mock.calls).toEqual([['b']]);
  });

  it('should not open a row that was left in the meantime', () => {
    const { opened, rerender, open } = listOf({ rows: ['a', undefined], active: 1 });
    open(1);
    rerender({ rows: ['a', undefined], active: 0 });
    rerender({ rows: ['a', 'b'], active: 1 });
    expect(opened).not.toHaveBeenCalled();
  });

  it('should not open a row that no longer exists', () => {
    const { opened, rerender, open } = listOf({ rows: [undefined], active: 0 });
    open(0);
    rerender({ rows: [null], active: 0 });
    rerender({ rows: ['a'], active: 0 });
    expect(opened).not.toHaveBeenCalled();
  });
});
