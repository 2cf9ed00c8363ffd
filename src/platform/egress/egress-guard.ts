import { Injectable } from '@nestjs/common';
import { isIP, LookupFunction } from 'node:net';
import { AppConfig } from '../config/app-config';
import { DomainError } from '../http/domain-error';
import { classifyAddress } from './address-policy';
import { HostResolver } from './host-resolver';
import { parseUrl } from './parse-url';

export class EgressRefused extends DomainError {
  constructor(detail: string, cause?: unknown) {
    super({ code: 'address-refused', status: 400, detail, cause });
  }
}

/** The name leads nowhere, at the moment at least. */
export class HostUnknown extends EgressRefused {
  constructor(cause?: unknown) {
    super('The host name cannot be resolved.', cause);
  }
}

export interface PinnedAddress {
  readonly address: string;
  readonly family: 4 | 6;
}

/**
 * The one gate for connections to hosts that users name (webhooks, IMAP, object stores), or senders of mail. A name is resolved
 * once and the connection goes to the address that was checked, so a second DNS answer cannot redirect it.
 */
@Injectable()
export class EgressGuard {
  constructor(
    private readonly config: AppConfig,
    private readonly resolver: HostResolver,
  ) {}

  /**
   * A `lookup` option for clients that live long and connect often: each new connection goes to addresses that were
   * checked for it. Sockets do not ask it about hosts that are addresses: see `checkLiteral`.
   * @param userId who named the hosts
   */
  createLookup(userId: string): LookupFunction {
    return (hostname, options, callback) => {
      this.resolveAll(hostname, userId).then(
        (addresses) => {
          if (options.all) return callback(null, [...addresses]);
          const [first] = addresses;
          callback(null, first.address, first.family);
        },
        (error: NodeJS.ErrnoException) => callback(error, []),
      );
    };
  }

  /**
   * Must be called before a client with `lookup` connects: it does not look up literals. @throws EgressRefused for
   * addresses out of bounds
   */
  checkLiteral(hostname: string): void {
    const host = withoutBrackets(hostname);
    if (isIP(host)) this.check(host);
  }

  /** @throws EgressRefused unless the URL is http(s) without credentials */
  checkUrl(text: string): URL {
    const url = parseUrl(text);
    if (!url || !['http:', 'https:'].includes(url.protocol))
      throw new EgressRefused('Only http and https addresses are allowed.');
    if (url.username || url.password)
      throw new EgressRefused('The address must not contain a user name or password.');
    return url;
  }

  /**
   * Resolves a host to the address to connect to.
   * @param userId who named the host
   * @throws EgressRefused when it does not resolve, or any of its addresses may not be reached; the signal's reason
   */
  async resolve(hostname: string, userId: string, signal?: AbortSignal): Promise<PinnedAddress> {
    const [first] = await this.resolveAll(hostname, userId, signal);
    return first;
  }

  /**
   * Resolves a host that a stranger named, such as the sender of a mail. Unlike `resolve` it never admits private
   * addresses, also where users may name such hosts, and admits the ports of the web only: on others the answer, or the
   * time that it takes, would tell what listens there.
   * @param port of the URL; empty: that of its protocol
   * @throws EgressRefused, the signal's reason
   */
  async resolvePublic(
    hostname: string,
    userId: string,
    signal?: AbortSignal,
    port = '',
  ): Promise<PinnedAddress> {
    if (!WEB_PORTS.has(port)) throw new EgressRefused('Only ports 80 and 443 are allowed.');
    const found = await this.resolveAll(hostname, userId, signal);
    if (found.some(({ address }) => classifyAddress(address) !== 'public'))
      throw new EgressRefused(OUT_OF_BOUNDS);
    return found[0];
  }

  /** A `lookup` option for `http.request`, `tls.connect` and libraries that pass socket options on. */
  createPinnedLookup(target: PinnedAddress): LookupFunction {
    return (_hostname, options, callback) => {
      if (options.all) callback(null, [{ address: target.address, family: target.family }]);
      else callback(null, target.address, target.family);
    };
  }

  private async resolveAll(
    hostname: string,
    userId: string,
    signal?: AbortSignal,
  ): Promise<[PinnedAddress, ...PinnedAddress[]]> {
    const host = withoutBrackets(hostname);
    const found = isIP(host) ? [host] : await this.lookUp(host, userId, signal);
    for (const address of found) this.check(address);
    const [first, ...others] = found.map(
      (address) => ({ address, family: isIP(address) === 6 ? 6 : 4 }) as const,
    );
    if (!first) throw new HostUnknown();
    return [first, ...others];
  }

  private async lookUp(host: string, userId: string, signal?: AbortSignal): Promise<string[]> {
    try {
      return await this.resolver.resolve(host, userId, signal);
    } catch (error) {
      signal?.throwIfAborted();
      // The cause names the resolver's answer; people only need to know that the name is wrong.
      throw new HostUnknown(error);
    }
  }

  private check(address: string): void {
    const verdict = classifyAddress(address);
    if (verdict === 'public' || (verdict === 'private' && this.config.egress.allowPrivateNetworks)) return;
    throw new EgressRefused(OUT_OF_BOUNDS);
  }
}

const WEB_PORTS: ReadonlySet<string> = new Set(['', '80', '443']);
const OUT_OF_BOUNDS = 'The host resolves to an address this service does not connect to.';

const withoutBrackets = (hostname: string): string => hostname.replace(/^\[|\]$/g, '');
