import { nightlyShare, nightsBetween } from './rotation';

/** Walks mails (numbers, in walking order) as the check does and says when each was checked. */
class SimulatedRotation {
  readonly checkedOn = new Map<number, number>();
  private cursor = -1;
  private startedOn = 0;

  night(night: number, mails: readonly number[]): void {
    const sorted = [...mails].sort((a, b) => a - b);
    let left = nightlyShare({
      mails: sorted.length,
      left: sorted.filter((mail) => mail > this.cursor).length,
      nightsGone: night - this.startedOn,
    });
    for (let ends = 0; left > 0 && ends < 2;) {
      const next = sorted.find((mail) => mail > this.cursor);
      if (next === undefined) {
        this.cursor = -1;
        this.startedOn = night;
        ends += 1;
        continue;
      }
      this.checkedOn.set(next, night);
      this.cursor = next;
      left -= 1;
    }
  }
}

const range = (from: number, to: number): number[] =>
  Array.from({ length: to - from }, (_, index) => from + index);

describe('nightlyShare', () => {
  it.each([0, 1, 5, 6, 7, 100, 1_001])('should check each of %i mails every seven nights', (count) => {
    const sut = new SimulatedRotation();
    const mails = range(0, count);
    for (let night = 0; night < 40; night += 1) {
      sut.night(night, mails);
      if (night < 6) continue;
      for (const mail of mails) expect(night - (sut.checkedOn.get(mail) ?? -99)).toBeLessThan(7);
    }
  });

  it('should finish in seven days even when a night is missed', () => {
    const sut = new SimulatedRotation();
    for (const night of [0, 1, 3, 4, 5, 6]) sut.night(night, range(0, 1_000));
    expect(sut.checkedOn.size).toBe(1_000);
  });

  it('should make up for every missed night', () => {
    const sut = new SimulatedRotation();
    for (const night of [0, 6]) sut.night(night, range(0, 1_000));
    expect(sut.checkedOn.size).toBe(1_000);
  });

  it('should check the last mail in time, however many are added before it', () => {
    const sut = new SimulatedRotation();
    for (let night = 0; night < 7; night += 1) {
      sut.night(night, [...range(0, 100 * 2 ** night), 1_000_000]);
    }
    expect(sut.checkedOn.has(1_000_000)).toBe(true);
  });

  it('should spread a round evenly over its nights', () => {
    expect(nightlyShare({ mails: 600, left: 600, nightsGone: 0 })).toBe(100);
    expect(nightlyShare({ mails: 600, left: 500, nightsGone: 2 })).toBe(125);
    expect(nightlyShare({ mails: 600, left: 500, nightsGone: 9 })).toBe(500);
  });
});

describe('nightsBetween', () => {
  it.each([
    ['2026-02-27', '2026-03-01', 2],
    ['2026-03-01', '2026-03-01', 0],
    ['2026-03-02', '2026-03-01', 0],
    ['2026-12-31', '2027-01-01', 1],
  ])('should count from %s to %s', (from, to, nights) => {
    expect(nightsBetween(from, to)).toBe(nights);
  });
});
