import ipaddr from 'ipaddr.js';

/**
 * What requests from a client address are counted by: an IPv4 address itself, of an IPv6 address its /64 network,
 * for one household or machine has all of that (RFC 6177).
 */
export function clientKey(address: string | undefined): string {
  if (address === undefined || !ipaddr.isValid(address)) return 'unknown';
  const parsed = ipaddr.process(address);
  if (parsed instanceof ipaddr.IPv4) return parsed.toString();
  const network = parsed.parts.slice(0, 4).map((part) => part.toString(16));
  return `${network.join(':')}::/64`;
}
