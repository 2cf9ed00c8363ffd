import { QuotaCredit } from './quota-bucket';

describe('QuotaCredit', () => {
  it('should request more while no caller waits, and for a single call again once one does', () => {
    const credit = new QuotaCredit(1_000);
    const asked: number[] = [];
    for (const waitMs of [0, 0, 0, 0, 0, 0, 40, 0]) {
      asked.push(credit.computeUnitsToBook('a', 5));
      credit.onBooked('a', 0, waitMs, 0);
    }
    expect(asked).toEqual([5, 10, 20, 40, 80, 80, 80, 5]);
    expect(credit.computeUnitsToBook('b', 5)).toBe(5);
  });

  it('should never request more in advance than allowed, but always enough for the call itself', () => {
    const credit = new QuotaCredit(25);
    for (let round = 0; round < 5; round++) credit.onBooked('a', 0, 0, 0);
    expect(credit.computeUnitsToBook('a', 5)).toBe(25);
    expect(credit.computeUnitsToBook('a', 50)).toBe(50);
  });

  it('should spend its credit while it is fresh', () => {
    const credit = new QuotaCredit(1_000);
    credit.onBooked('a', 12, 0, 1_000);
    expect(credit.spend('b', 5, 1_000)).toBe(false);
    expect(credit.spend('a', 5, 1_000)).toBe(true);
    expect(credit.spend('a', 5, 1_100)).toBe(true);
    expect(credit.spend('a', 5, 1_100)).toBe(false);
    expect(credit.spend('a', 1, 1_101)).toBe(false);
  });
});
