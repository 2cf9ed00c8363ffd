import { act, renderHook } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { useChoice } from './use-choice';

const LOADED = ['a', 'b', 'c', 'd', 'e'];

describe('the selection in a search', () => {
  const setup = () => renderHook(({ loaded }) => useChoice(loaded), { initialProps: { loaded: LOADED } });

  it('should be rows, and everything between two of them with shift', () => {
    const { result } = setup();
    act(() => result.current.toggle('b'));
    act(() => result.current.toggle('d', true));
    expect([result.current.isAll, [...result.current.ids]]).toEqual([false, ['b', 'c', 'd']]);
  });

  it('should be all matches, including those loaded later', () => {
    const { result, rerender } = setup();
    act(() => result.current.all());
    rerender({ loaded: [...LOADED, 'f'] });
    expect([result.current.isAll, result.current.has('f'), result.current.has('not loaded')]).toEqual([
      true,
      true,
      true,
    ]);
  });

  it('should be the loaded rows except one when that is deselected from all', () => {
    const { result } = setup();
    act(() => result.current.all());
    act(() => result.current.toggle('c'));
    expect([result.current.isAll, [...result.current.ids]]).toEqual([false, ['a', 'b', 'd', 'e']]);
  });

  it('should deselect a single row of all, even with shift', () => {
    const { result } = setup();
    act(() => result.current.toggle('a'));
    act(() => result.current.all());
    act(() => result.current.toggle('c', true));
    expect([...result.current.ids]).toEqual(['a', 'b', 'd', 'e']);
  });

  it('should be empty again', () => {
    const { result } = setup();
    act(() => result.current.all());
    act(() => result.current.none());
    expect([result.current.isAll, result.current.ids.size]).toEqual([false, 0]);
  });
});
