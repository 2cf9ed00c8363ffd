import { clientKey } from './rate-limiter';

describe('clientKey', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['2001:db8:1:2::1', '2001:db8:1:2::/64'],
    ['2001:db8:1:2:ffff:ffff:ffff:ffff', '2001:db8:1:2::/64'],
    ['2001:db8:1:3::1', '2001:db8:1:3::/64'],
    ['2001:DB8::1', '2001:db8:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
  ])('should count %s as %s', (address, key) => {
    expect(clientKey(address)).toBe(key);
  });

  it.each([undefined, '', 'nonsense'])(
    'should count %p with all other clients without an address',
    (address) => {
      expect(clientKey(address)).toBe('unknown');
    },
  );
});
