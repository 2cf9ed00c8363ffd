import ipaddr from 'ipaddr.js';

/** Networks whose hosts may connect. */
export class AllowedNetworks {
  private readonly networks: readonly [ipaddr.IPv4 | ipaddr.IPv6, number][];

  /** @param networks as CIDR */
  constructor(networks: readonly string[]) {
    this.networks = networks.map((network) => ipaddr.parseCIDR(network));
  }

  /** IPv4 addresses that are written as IPv6 ones are those IPv4 addresses. */
  includes(text: string): boolean {
    if (!ipaddr.isValid(text)) return false;
    const address = ipaddr.process(text);
    return this.networks.some(
      ([network, bits]) => network.kind() === address.kind() && address.match(network, bits),
    );
  }
}
