import { act, renderHook } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { toggleRange, useSelection } from './use-selection';

const ORDER = ['a', 'b', 'c', 'd', 'e'];

describe('a selection', () => {
  it('should select and deselect single rows', () => {
    const { result } = renderHook(() => useSelection(ORDER));
    act(() => result.current.toggle('b'));
    act(() => result.current.toggle('d'));
    expect([...result.current.ids]).toEqual(['b', 'd']);
    act(() => result.current.toggle('b'));
    expect(result.current.has('b')).toBe(false);
  });

  it('should select everything between two rows, whichever comes first', () => {
    const { result } = renderHook(() => useSelection(ORDER));
    act(() => result.current.toggle('d'));
    act(() => result.current.toggle('b', true));
    expect([...result.current.ids].sort()).toEqual(['b', 'c', 'd']);
  });

  it('should not extend a range whose first row was deselected', () => {
    const { result } = renderHook(() => useSelection(ORDER));
    act(() => result.current.all());
    act(() => result.current.toggle('b'));
    act(() => result.current.toggle('d', true));
    expect([...result.current.ids]).toEqual(['a', 'e']);
  });

  it('should select all rows, or none', () => {
    const { result } = renderHook(() => useSelection(ORDER));
    act(() => result.current.all());
    expect(result.current.ids.size).toBe(5);
    act(() => result.current.none());
    expect(result.current.ids.size).toBe(0);
  });

  it('should select a single row for a range from a row that no longer exists', () => {
    expect([...toggleRange(new Set(), ORDER, 'gone', 'c')]).toEqual(['c']);
  });
});
