import { beforeEach, describe, expect, it } from 'vitest';
import { lastVisit, readMemory, remember } from './home-memory';

describe('home-memory', () => {
  beforeEach(() => localStorage.clear());

  it('should keep the choices of each person apart', () => {
    remember('ada', { hidden: true });
    remember('ada', { backup: true });
    expect(readMemory('ada')).toEqual({ hidden: true, backup: true });
    expect(readMemory('bob')).toEqual({});
  });

  it('should read what was changed by hand as nothing', () => {
    localStorage.setItem('mailroom-home-ada', '{');
    expect(readMemory('ada')).toEqual({});
  });

  it('should know the visit before this one, however often it is asked', () => {
    remember('eve', { seenAt: '2026-11-01T08:00:00.000Z' });
    expect(lastVisit('eve')).toBe('2026-11-01T08:00:00.000Z');
    expect(lastVisit('eve')).toBe('2026-11-01T08:00:00.000Z');
    expect(readMemory('eve').seenAt! > '2026-11-01T08:00:00.000Z').toBe(true);
    expect(lastVisit('new')).toBeUndefined();
  });
});
