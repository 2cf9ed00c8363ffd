import { describe, expect, it } from 'vitest';
import { EXPIRIES, expiryOf } from './key-expiry';

describe('expiryOf', () => {
  it('should count whole days, or never expire', () => {
    const now = new Date('2026-01-31T12:00:00Z');
    expect(EXPIRIES.map((expiry) => expiryOf(expiry, now))).toEqual([
      null,
      '2026-03-02T12:00:00.000Z',
      '2026-05-01T12:00:00.000Z',
      '2027-01-31T12:00:00.000Z',
    ]);
  });
});
