import { QUOTA_PRESETS } from '../../platform/config/quota-presets';
import { restoreCost } from './restore-estimate';

const { unitCosts, unitsPerMinute } = QUOTA_PRESETS['gmail-2026'];

describe('restoreCost', () => {
  it('should count a look-up, an insertion and a read-back: 120 mails a minute', () => {
    const plan = { mails: 1_200, labels: 0, verify: true, isOwnMailbox: false };
    expect(restoreCost(plan, unitCosts, unitsPerMinute)).toEqual({ units: 60_001, minutes: 11 });
    expect(restoreCost({ ...plan, mails: 0 }, unitCosts, unitsPerMinute)).toEqual({ units: 1, minutes: 1 });
  });

  it('should count labels, and reads by id only in the user’s own mailbox', () => {
    const plan = { mails: 10, labels: 2, verify: false, isOwnMailbox: false };
    expect(restoreCost(plan, unitCosts, unitsPerMinute).units).toBe(10 * 30 + 2 * 5 + 1);
    expect(restoreCost({ ...plan, isOwnMailbox: true }, unitCosts, unitsPerMinute).units).toBe(
      10 * 50 + 2 * 5 + 1,
    );
  });
});
