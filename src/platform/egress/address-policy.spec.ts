import { classifyAddress } from './address-policy';

describe('classifyAddress', () => {
  it.each([
    ['93.184.216.34', 'public'],
    ['2606:2800:220:1::1', 'public'],
    ['10.0.0.5', 'private'],
    ['172.16.3.4', 'private'],
    ['192.168.1.1', 'private'],
    ['127.0.0.1', 'private'],
    ['::1', 'private'],
    ['fd12:3456::1', 'private'],
    ['100.64.0.1', 'private'],
    ['::ffff:10.0.0.1', 'private'],
    ['::ffff:93.184.216.34', 'public'],
    ['64:ff9b::a00:1', 'private'],
    ['169.254.1.1', 'forbidden'],
    ['169.254.169.254', 'forbidden'],
    ['::ffff:169.254.169.254', 'forbidden'],
    ['fd00:ec2::254', 'forbidden'],
    ['100.100.100.200', 'forbidden'],
    ['fe80::1', 'forbidden'],
    ['0.0.0.0', 'forbidden'],
    ['::', 'forbidden'],
    ['224.0.0.1', 'forbidden'],
    ['255.255.255.255', 'forbidden'],
    ['2002:a00:1::', 'forbidden'],
    ['64:ff9b:1::7f00:1', 'forbidden'],
    ['64:ff9b::a9fe:a9fe', 'forbidden'],
    ['::7f00:1', 'forbidden'],
    ['::a9fe:a9fe', 'forbidden'],
    ['::ffff:0:a00:1', 'forbidden'],
    ['fec0::1', 'forbidden'],
    ['5f00::1', 'forbidden'],
    ['3fff::1', 'forbidden'],
    ['fd20:ce::254', 'forbidden'],
    ['168.63.129.16', 'forbidden'],
    ['2a00:1450:4001::1', 'public'],
    ['not an address', 'forbidden'],
  ])('should classify %s as %s', (address, verdict) => {
    expect(classifyAddress(address)).toBe(verdict);
  });
});
