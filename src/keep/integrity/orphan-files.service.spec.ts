import { mayPrecedeRestore } from './orphan-files.service';

const RESTORED = new Date('2026-03-10T12:00:00Z');
const after = (days: number): Date => new Date(RESTORED.getTime() + days * 24 * 3_600_000);

describe('mayPrecedeRestore', () => {
  it.each([
    ['was never restored', after(-1), null, after(1), false],
    ['is older than the restore', after(-30), RESTORED, after(60), true],
    ['is of a store whose clock is hours ahead', after(0.5), RESTORED, after(60), true],
    ['is younger than the restore', after(5), RESTORED, after(60), false],
    ['is older than the restore, which is long past', after(-30), RESTORED, after(91), false],
  ])('should recognise a file that %s', (_case, modifiedAt, restoredAt, now, expected) => {
    expect(mayPrecedeRestore(modifiedAt, restoredAt, now)).toBe(expected);
  });
});
