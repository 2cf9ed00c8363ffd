import { AllowedNetworks } from './allowed-networks';

describe('AllowedNetworks', () => {
  const sut = new AllowedNetworks(['192.0.2.0/24', '2001:db8::/32', '127.0.0.1/32']);

  it.each([
    ['192.0.2.77', true],
    ['192.0.3.1', false],
    ['::ffff:192.0.2.77', true],
    ['2001:db8::1', true],
    ['2001:db9::1', false],
    ['::1', false],
    ['127.0.0.1', true],
    ['127.0.0.2', false],
    ['', false],
    ['not an address', false],
  ])('should answer %s with %s', (address, isAllowed) => {
    expect(sut.includes(address)).toBe(isAllowed);
  });
});
