import { Injectable } from '@nestjs/common';
import { Resolver } from 'node:dns/promises';
import { AppConfig } from '../../../platform/config/app-config';

const TRY_MS = 1_500;
const TRIES = 2;
/** Most records of one answer; further ones are ignored. */
const MAX_RECORDS = 10;

/** A host that a domain names for a service (RFC 2782). */
export interface ServiceHost {
  readonly host: string;
  readonly port: number;
}

/** Reads the DNS records of a domain's mail. */
@Injectable()
export class MailRecords {
  constructor(private readonly config: AppConfig) {}

  /**
   * Finds the hosts that receive the domain's mail, the preferred first.
   * @throws errors of the name servers, the signal's reason
   */
  async resolveExchanges(domain: string, signal: AbortSignal): Promise<string[]> {
    const found = await this.ask(signal, (resolver) => resolver.resolveMx(domain));
    return found
      .slice(0, MAX_RECORDS)
      .sort((one, other) => one.priority - other.priority)
      .map(({ exchange }) => exchange.toLowerCase());
  }

  /**
   * Finds the hosts of a service, e.g. `_imaps._tcp`; none when the domain declares that it has no such service.
   * @throws the same errors as `exchanges`
   */
  async resolveServices(service: string, domain: string, signal: AbortSignal): Promise<ServiceHost[]> {
    const found = await this.ask(signal, (resolver) => resolver.resolveSrv(`${service}.${domain}`));
    return found
      .slice(0, MAX_RECORDS)
      .filter(({ name, port }) => name !== '' && name !== '.' && port > 0)
      .sort((one, other) => one.priority - other.priority || other.weight - one.weight)
      .map(({ name, port }) => ({ host: name.toLowerCase(), port }));
  }

  private async ask<T>(signal: AbortSignal, question: (resolver: Resolver) => Promise<T>): Promise<T> {
    signal.throwIfAborted();
    const resolver = new Resolver({ timeout: TRY_MS, tries: TRIES });
    const { dnsServers } = this.config.egress;
    if (dnsServers.length > 0) resolver.setServers(dnsServers);
    const cancel = (): void => resolver.cancel();
    signal.addEventListener('abort', cancel, { once: true });
    try {
      return await question(resolver);
    } finally {
      signal.removeEventListener('abort', cancel);
    }
  }
}
