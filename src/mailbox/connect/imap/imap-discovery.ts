import { Injectable, Logger } from '@nestjs/common';
import { linkedSignal } from '../../../platform/concurrency/abortable';
import { EgressGuard } from '../../../platform/egress/egress-guard';
import { normalizedHost } from '../../../platform/validation/host-name';
import { AppConfig } from '../../../platform/config/app-config';
import {
  type ImapPreset,
  presetOfDomain,
  presetOfHost,
  presetOfMx,
  usernameOf,
} from '../../../providers/imap/login/imap-presets';
import { autoconfigUrls, type ConfiguredServer, parseAutoconfig } from './autoconfig';
import { AutoconfigClient } from './autoconfig-client';
import { MailRecords } from './mail-records';

/** Timeout of all sources in sum, in milliseconds. */
const DISCOVERY_MS = 8_000;
const MAX_CANDIDATES = 8;

/** Sources of servers, the most certain first. */
export const DISCOVERY_SOURCES = [
  'provider',
  'mail-exchange',
  'autoconfig',
  'database',
  'dns',
  'guess',
] as const;
export type DiscoverySource = (typeof DISCOVERY_SOURCES)[number];

export interface DiscoveredServer extends ConfiguredServer {
  readonly source: DiscoverySource;
}

export interface Discovery {
  readonly candidates: readonly DiscoveredServer[];
  /** Preset of the provider; null: unknown. */
  readonly preset: ImapPreset | null;
}

/** Servers of an address, and the consent that connects it. */
export interface DiscoveryWithConsent extends Discovery {
  /** Provider whose consent connects mailboxes of the preset; null: none is set up. */
  readonly consentProvider: string | null;
}

/** Finds the IMAP servers of an address. No password is involved; none is sent before the user has chosen a server. */
@Injectable()
export class ImapDiscovery {
  private readonly logger = new Logger(ImapDiscovery.name);

  constructor(
    private readonly records: MailRecords,
    private readonly autoconfig: AutoconfigClient,
    private readonly egress: EgressGuard,
    private readonly config: AppConfig,
  ) {}

  /** @param userId the user who wants to connect the mailbox */
  async discover(email: string, userId: string): Promise<Discovery> {
    const domain = normalizedHost(email.slice(email.lastIndexOf('@') + 1));
    if (domain === null || !domain.includes('.')) return { candidates: [], preset: null };
    const known = presetOfDomain(domain);
    if (known) return { candidates: serversOf(known, email, 'provider'), preset: known };

    const limit = linkedSignal(undefined, DISCOVERY_MS);
    try {
      const { signal } = limit;
      const [preset, ...found] = await Promise.all([
        this.attempt(async () => presetOfMx(await this.records.resolveExchanges(domain, signal)), null),
        this.findConfigured(autoconfigUrls(domain), email, userId, signal, 'autoconfig'),
        this.findConfigured(this.databaseUrls(domain), email, userId, signal, 'database'),
        this.attempt(() => this.findByService('_imaps._tcp', 'tls', domain, email, signal), []),
        this.attempt(() => this.findByService('_imap._tcp', 'starttls', domain, email, signal), []),
        this.attempt(() => this.guess(domain, email, userId, signal), []),
      ]);
      const candidates = [...(preset ? serversOf(preset, email, 'mail-exchange') : []), ...found.flat()];
      const allowed = candidates.filter(({ host }) => !presetOfHost(host)?.refused);
      return {
        candidates: removeDuplicates(allowed).slice(0, MAX_CANDIDATES),
        preset: preset ?? (candidates[0] ? presetOfHost(candidates[0].host) : null),
      };
    } finally {
      limit.release();
    }
  }

  private databaseUrls(domain: string): readonly string[] {
    const { autoconfigDatabase } = this.config.egress;
    return autoconfigDatabase === null ? [] : [`${autoconfigDatabase}/${domain}`];
  }

  private async findConfigured(
    urls: readonly string[],
    email: string,
    userId: string,
    signal: AbortSignal,
    source: DiscoverySource,
  ): Promise<DiscoveredServer[]> {
    const files = await Promise.all(
      urls.map((url) =>
        this.attempt(
          async () => parseAutoconfig(await this.autoconfig.fetch(url, userId, signal), email),
          [],
        ),
      ),
    );
    return files.flat().map((server) => ({ ...server, source }));
  }

  /** Finds servers by SRV records (RFC 6186). */
  private async findByService(
    service: string,
    security: 'tls' | 'starttls',
    domain: string,
    email: string,
    signal: AbortSignal,
  ): Promise<DiscoveredServer[]> {
    const found = await this.records.resolveServices(service, domain, signal);
    return found
      .map(({ host, port }) => ({ host: normalizedHost(host), port }))
      .filter((server): server is { host: string; port: number } => server.host !== null)
      .map((server) => ({ ...server, security, username: email, source: 'dns' }));
  }

  private async guess(
    domain: string,
    email: string,
    userId: string,
    signal: AbortSignal,
  ): Promise<DiscoveredServer[]> {
    const host = `imap.${domain}`;
    await this.egress.resolve(host, userId, signal);
    return [{ host, port: 993, security: 'tls', username: email, source: 'guess' }];
  }

  /**
   * Runs `work`; returns `otherwise` when it fails. Most domains publish their servers in one place at most, so
   * failures are usual.
   */
  private async attempt<T>(work: () => Promise<T>, otherwise: T): Promise<T> {
    try {
      return await work();
    } catch (error) {
      const code = (error as { code?: unknown }).code;
      this.logger.debug(
        `A discovery source found no server: ${typeof code === 'string' ? code : 'no answer'}`,
      );
      return otherwise;
    }
  }
}

function serversOf(preset: ImapPreset, email: string, source: DiscoverySource): DiscoveredServer[] {
  if (preset.refused) return [];
  const { host, port, security } = preset;
  return [{ host, port, security, username: usernameOf(preset, email), source }];
}

function removeDuplicates(servers: readonly DiscoveredServer[]): DiscoveredServer[] {
  const keyOf = ({ host, port, security, username }: DiscoveredServer): string =>
    JSON.stringify([host, port, security, username]);
  const first = new Map<string, DiscoveredServer>();
  for (const server of servers) if (!first.has(keyOf(server))) first.set(keyOf(server), server);
  return [...first.values()];
}
