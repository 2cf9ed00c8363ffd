import ipaddr from 'ipaddr.js';

/** Cloud metadata services: reaching one hands out the machine's credentials. */
const METADATA = new Set([
  '169.254.169.254',
  '169.254.170.2',
  '100.100.100.200',
  'fd00:ec2::254',
  '192.0.0.192',
]);

const PRIVATE_RANGES = new Set(['private', 'uniqueLocal', 'loopback', 'carrierGradeNat']);

export type AddressVerdict = 'public' | 'private' | 'forbidden';

/**
 * Classifies an IP address by its special-purpose range (RFC 6890). IPv4 addresses inside IPv6 ones (mapped,
 * NAT64) are judged as the IPv4 address; other tunnels (6to4, Teredo), link-local, metadata, multicast,
 * unspecified and reserved addresses are forbidden whatever the configuration.
 */
export function classifyAddress(text: string): AddressVerdict {
  if (!ipaddr.isValid(text)) return 'forbidden';
  const address = embeddedIpv4(ipaddr.parse(text));
  if (METADATA.has(address.toString())) return 'forbidden';
  const range = address.range();
  if (range === 'unicast') return 'public';
  return PRIVATE_RANGES.has(range) ? 'private' : 'forbidden';
}

function embeddedIpv4(address: ipaddr.IPv4 | ipaddr.IPv6): ipaddr.IPv4 | ipaddr.IPv6 {
  if (!(address instanceof ipaddr.IPv6)) return address;
  if (address.isIPv4MappedAddress()) return address.toIPv4Address();
  if (address.range() === 'rfc6052') return new ipaddr.IPv4(address.toByteArray().slice(12));
  return address;
}
