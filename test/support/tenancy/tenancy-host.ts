import { DnsServer } from '../dns/dns-server';
import type { SandboxServer } from '../../../sandbox/src/sandbox-server';
import type { KillableService } from '../killable-service';
import type { TestUser } from '../test-user';

/** The built service in a process of its own, with a provider and a database that trials may reach into. */
export interface TenancyHost {
  readonly url: string;
  readonly databaseUrl: string;
  readonly sandbox: SandboxServer;
  readonly dns: DnsServer;
  /** Registers a user. */
  user(name: string): Promise<TestUser>;
}

/**
 * The service's own limits, which the environment of tests lifts: they are part of what users have against each other. All
 * clients are on this machine, so that their addresses are those that a proxy would report. Names are looked up at a server that
 * answers those of `NAMED_HOST`, and none below `SILENT_DOMAIN`.
 */
export const tenancyEnvironment = (dns: DnsServer): Record<string, string> => ({
  RATE_LIMIT_PER_MINUTE: '1200',
  // The defaults.
  PROVIDER_UNITS_PER_SECOND: '',
  PROVIDER_UNITS_PER_MINUTE: '',
  TRUST_PROXY: '127.0.0.1',
  EGRESS_DNS_SERVERS: dns.address,
});

/** The header by which a proxy says where a client is. */
export const clientAt = {
  victim: { 'x-forwarded-for': '192.0.2.1' },
  attacker: { 'x-forwarded-for': '198.51.100.1' },
} as const;

/** A host that the victim names. */
export const NAMED_HOST = 'victim.example';
/** Names below it are never answered. */
export const SILENT_DOMAIN = 'silent.example';

export async function startDns(): Promise<DnsServer> {
  const dns = await DnsServer.start();
  dns.on(NAMED_HOST, '127.0.0.1');
  dns.ignore(`*.${SILENT_DOMAIN}`);
  return dns;
}

export const tenancyHost = (service: KillableService, dns: DnsServer): TenancyHost => ({
  url: service.url,
  databaseUrl: service.databaseUrl,
  sandbox: service.sandbox,
  dns,
  user: (name) => service.user(name),
});
