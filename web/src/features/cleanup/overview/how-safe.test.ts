import { describe, expect, it } from 'vitest';
import { proofOf, safetyOfArchive, safetyOfMailbox, troubleOf } from './how-safe';

const KEEPING = { mode: 'keep', state: 'healthy', reason: null, verifyDays: 30 } as const;
const NOTHING = { total: 0, verified: 0, archived: 0, pending: 0, excluded: 0, failed: 0, exact: true };

describe('safetyOfMailbox', () => {
  it('should count the messages that are to be kept, and their copies', () => {
    const coverage = { ...NOTHING, total: 100, verified: 60, archived: 20, pending: 10, excluded: 10 };
    const safety = { kind: 'kept', kept: 80, proved: 60, wanted: 90, days: 30 };
    expect(safetyOfMailbox(KEEPING, coverage)).toEqual(safety);
  });

  it('should know a mailbox that is being copied for the first time', () => {
    const filling = { ...KEEPING, state: 'behind', reason: 'first-fill' } as const;
    const coverage = { ...NOTHING, total: 100, archived: 5, pending: 95 };
    expect(safetyOfMailbox(filling, coverage).kind).toBe('filling');
    expect(safetyOfMailbox({ ...filling, mode: 'watch' }, coverage).kind).toBe('kept');
  });

  it.each([
    [true, 'nothing'],
    [false, 'reading'],
  ])('should tell an empty mailbox from one that was not read yet: exact is %s', (exact, kind) => {
    expect(safetyOfMailbox(KEEPING, { ...NOTHING, exact }).kind).toBe(kind);
  });
});

describe('safetyOfArchive', () => {
  it('should know the copies alone', () => {
    const safety = { kind: 'copies', kept: 9, proved: 4, wanted: 9, days: 7 };
    expect(safetyOfArchive({ total: 9, checkedThisWeek: 4 })).toEqual(safety);
    expect(safetyOfArchive({ total: 0, checkedThisWeek: 0 }).kind).toBe('nothing');
  });
});

describe('proofOf', () => {
  it.each([
    [9, 'all'],
    [4, 'some'],
    [0, 'none'],
  ])('should say how much is proved: %i of 9 is %s', (checkedThisWeek, proof) => {
    expect(proofOf(safetyOfArchive({ total: 9, checkedThisWeek }))).toBe(proof);
  });
});

describe('troubleOf', () => {
  it('should be nothing while no person is needed', () => {
    expect(troubleOf(KEEPING)).toBeNull();
    expect(troubleOf({ ...KEEPING, state: 'behind', reason: 'first-fill' })).toBeNull();
    expect(troubleOf({ ...KEEPING, mode: 'off', state: 'off' })).toBeNull();
  });

  it('should be what needs a person', () => {
    expect(troubleOf({ ...KEEPING, state: 'quota_full' })).toBe('quota_full');
    expect(troubleOf({ ...KEEPING, state: 'behind', reason: 'store' })).toBe('behind');
  });
});
