import { act, renderHook } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { toggleRange, useSelection } from './use-selection';

const ORDER = ['a', 'b', 'c', 'd', 'e'];

describe('a selection', () => {
  it('should choose and leave single rows', () => {
    const { result } = renderHook(() => useSelection(ORDER));
    act(() => result.current.toggle('b'));
    act(() => result.current.toggle('d'));
    expect([...result.current.ids]).toEqual(['b', 'd']);
    act(() => result.current.toggle('b'));
    expect(result.current.has('b')).toBe(false);
  });

  it('should choose everything between two rows, whichever comes first', () => {
    const { result } = renderHook(() => useSelection(ORDER));
    act(() => result.current.toggle('d'));
    act(() => result.current.toggle('b', true));
    expect([...result.current.ids].sort()).toEqual(['b', 'c', 'd']);
  });

  it('should leave a range when the row it began with was left', () => {
    const { result } = renderHook(() => useSelection(ORDER));
    act(() => result.current.all());
    act(() => result.current.toggle('b'));
    act(() => result.current.toggle('d', true));
    expect([...result.current.ids]).toEqual(['a', 'e']);
  });

  it('should choose all that are there, and none', () => {
    const { result } = renderHook(() => useSelection(ORDER));
    act(() => result.current.all());
    expect(result.current.ids.size).toBe(5);
    act(() => result.current.none());
    expect(result.current.ids.size).toBe(0);
  });

  it('should take a range from a row that is gone for a single row', () => {
    expect([...toggleRange(new Set(), ORDER, 'gone', 'c')]).toEqual(['c']);
  });
});
