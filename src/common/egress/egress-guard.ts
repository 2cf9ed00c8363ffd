import { Injectable } from '@nestjs/common';
import { lookup } from 'node:dns/promises';
import { isIP, LookupFunction } from 'node:net';
import { AppConfig } from '../../config/app-config';
import { DomainError } from '../http/domain-error';
import { classifyAddress } from './address-policy';

export class EgressRefused extends DomainError {
  constructor(detail: string) {
    super({ code: 'address-refused', status: 400, detail });
  }
}

export interface PinnedAddress {
  readonly address: string;
  readonly family: 4 | 6;
}

/**
 * The one gate for connections to hosts that users name (webhooks, IMAP, object stores). A name is resolved
 * once and the connection goes to the address that was checked, so a second DNS answer cannot redirect it.
 */
@Injectable()
export class EgressGuard {
  constructor(private readonly config: AppConfig) {}

  /** @throws EgressRefused unless the URL is http(s) without credentials */
  checkUrl(text: string): URL {
    const url = URL.canParse(text) ? new URL(text) : null;
    if (!url || !['http:', 'https:'].includes(url.protocol))
      throw new EgressRefused('Only http and https addresses are allowed.');
    if (url.username || url.password)
      throw new EgressRefused('The address must not contain a user name or password.');
    return url;
  }

  /**
   * Resolves a host to the address to connect to.
   * @throws EgressRefused when it does not resolve, or any of its addresses may not be reached
   */
  async resolve(hostname: string): Promise<PinnedAddress> {
    const host = hostname.replace(/^\[|\]$/g, '');
    const addresses = isIP(host) ? [{ address: host, family: isIP(host) }] : await this.lookUp(host);
    for (const { address } of addresses) this.check(address);
    const [first] = addresses;
    if (!first) throw new EgressRefused('The host name cannot be resolved.');
    return { address: first.address, family: first.family === 6 ? 6 : 4 };
  }

  /** A `lookup` option for `http.request`, `tls.connect` and libraries that pass socket options on. */
  pinned(target: PinnedAddress): LookupFunction {
    return (_hostname, options, callback) => {
      if (options.all) callback(null, [{ address: target.address, family: target.family }]);
      else callback(null, target.address, target.family);
    };
  }

  private async lookUp(host: string): Promise<{ address: string; family: number }[]> {
    try {
      return await lookup(host, { all: true, verbatim: true });
    } catch (error) {
      // The cause names the resolver's answer; people only need to know that the name is wrong.
      throw Object.assign(new EgressRefused('The host name cannot be resolved.'), { cause: error });
    }
  }

  private check(address: string): void {
    const verdict = classifyAddress(address);
    if (verdict === 'public' || (verdict === 'private' && this.config.egress.allowPrivateNetworks)) return;
    throw new EgressRefused('The host resolves to an address this service does not connect to.');
  }
}
