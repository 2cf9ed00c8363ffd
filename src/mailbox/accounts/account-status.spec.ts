import { isDisconnected, shownStatus } from './mailbox-account.entity';
import type { StoredAccountStatus } from './mailbox-account.entity';

const now = new Date('2025-11-21T12:00:00Z');
const later = new Date('2025-11-21T12:00:01Z');
const earlier = new Date('2025-11-21T11:59:59Z');

describe('status of a mailbox account', () => {
  it.each([
    ['connected', null, 'connected'],
    ['connected', later, 'rate_limited'],
    ['connected', now, 'connected'],
    ['connected', earlier, 'connected'],
    ['needs_reauth', later, 'needs_reauth'],
    ['disconnected', later, 'disconnected'],
    ['purging', null, 'disconnected'],
  ] as const)('%s, paused until %s, should be shown as %s', (status, rateLimitedUntil, shown) => {
    expect(shownStatus({ status, rateLimitedUntil }, now)).toBe(shown);
  });

  it.each<[StoredAccountStatus, boolean]>([
    ['connected', false],
    ['needs_reauth', false],
    ['disconnected', true],
    ['purging', true],
  ])('%s should count as disconnected: %s', (status, expected) => {
    expect(isDisconnected({ status })).toBe(expected);
  });
});
