import { act, renderHook } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { passphraseStore, usePassphrase } from './passphrase';

const MINUTE = 60_000;

describe('the passphrase of the archive', () => {
  beforeEach(() => void vi.useFakeTimers());

  afterEach(() => {
    passphraseStore.forget();
    vi.useRealTimers();
  });

  const wait = (minutes: number): void => act(() => void vi.advanceTimersByTime(minutes * MINUTE));

  it('should be forgotten after ten minutes without a use', () => {
    const { result } = renderHook(usePassphrase);
    act(() => passphraseStore.remember('open sesame'));
    wait(9);
    act(() => passphraseStore.used());
    wait(9);
    expect(result.current).toBe('open sesame');
    wait(1);
    expect(result.current).toBeNull();
  });

  it('should not be restored by being used', () => {
    const { result } = renderHook(usePassphrase);
    act(() => passphraseStore.used());
    expect(result.current).toBeNull();
  });

  it('should be stored only in memory', () => {
    passphraseStore.remember('open sesame');
    expect(JSON.stringify([{ ...localStorage }, { ...sessionStorage }])).not.toContain('sesame');
  });
});
