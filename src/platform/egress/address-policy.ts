import ipaddr from 'ipaddr.js';

/** Cloud metadata services: reaching one hands out the machine's credentials. */
const METADATA = new Set([
  '169.254.169.254',
  '169.254.170.2',
  '100.100.100.200',
  'fd00:ec2::254',
  'fd20:ce::254',
  '192.0.0.192',
  // An address of the public range that is answered inside one cloud only.
  '168.63.129.16',
]);

/**
 * The range that IANA allocates; of the rest, translation prefixes (RFC 8215) and old ways to write IPv4 lead inside.
 */
const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3');
const IPV6_DOCUMENTATION = ipaddr.IPv6.parseCIDR('3fff::/20');

const PRIVATE_RANGES = new Set(['private', 'uniqueLocal', 'loopback', 'carrierGradeNat']);

export type AddressVerdict = 'public' | 'private' | 'forbidden';

/**
 * Classifies an IP address by its special-purpose range (RFC 6890). IPv4 addresses inside IPv6 ones (mapped,
 * NAT64) are judged as the IPv4 address; other tunnels (6to4, Teredo), link-local, metadata, multicast,
 * unspecified and reserved addresses, and IPv6 ones that are not allocated, are forbidden whatever the configuration.
 */
export function classifyAddress(text: string): AddressVerdict {
  if (!ipaddr.isValid(text)) return 'forbidden';
  const address = embeddedIpv4(ipaddr.parse(text));
  if (METADATA.has(address.toString())) return 'forbidden';
  const range = address.range();
  if (range === 'unicast') return isGivenOut(address) ? 'public' : 'forbidden';
  return PRIVATE_RANGES.has(range) ? 'private' : 'forbidden';
}

function isGivenOut(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  if (!(address instanceof ipaddr.IPv6)) return true;
  return address.match(GLOBAL_IPV6) && !address.match(IPV6_DOCUMENTATION);
}

function embeddedIpv4(address: ipaddr.IPv4 | ipaddr.IPv6): ipaddr.IPv4 | ipaddr.IPv6 {
  if (!(address instanceof ipaddr.IPv6)) return address;
  if (address.isIPv4MappedAddress()) return address.toIPv4Address();
  if (address.range() === 'rfc6052') return new ipaddr.IPv4(address.toByteArray().slice(12));
  return address;
}
