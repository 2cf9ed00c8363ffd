import { Injectable } from '@nestjs/common';
import { Resolver } from 'node:dns/promises';
import { readFile } from 'node:fs/promises';
import { isIPv4 } from 'node:net';
import { networkInterfaces } from 'node:os';
import { AppConfig } from '../config/app-config';
import { linkedSignal } from '../concurrency/abortable';
import { FairSemaphore } from '../concurrency/fair-semaphore';
import { addressesInHosts, namesToAsk, searchRules } from './name-files';
import { setTimeout } from '../concurrency/timers';

/** For one look-up, its wait for a turn included: less than a connection may take. */
const LOOKUP_MS = 4_000;
/** Time-out in milliseconds of one question to one server; the last try takes what is left of the look-up's time. */
const TRY_MS = 1_000;
const TRIES = 3;
/** Wait for the second kind of address once the first is there, in milliseconds (RFC 8305, section 3, allows 50). */
const OTHER_FAMILY_MS = 300;
/** A look-up is a socket and some kilobytes: the total only bounds how many sockets a crowd of users can open. */
const LIMITS = { capacity: 128, perKey: 4, maxWaitingPerKey: 256 } as const;

/** Why a look-up found nothing; people get to see less. */
export class LookupFailure extends Error {}

/**
 * Looks up names that users choose. Unlike the system's resolver, which occupies a thread of the process until the last
 * name server has been given up, it asks by its own sockets, for a limited time, and can be stopped. It knows what
 * the system's one knows from `/etc/hosts` and `/etc/resolv.conf`, and nothing of other sources (mDNS, NIS).
 * See ADR 47, and ADR 103 for why it reads the files itself.
 */
@Injectable()
export class HostResolver {
  readonly files = { hosts: '/etc/hosts', resolver: '/etc/resolv.conf' };

  private readonly turns = new FairSemaphore({
    ...LIMITS,
    refusal: () => new LookupFailure('Too many look-ups wait already.'),
  });

  constructor(private readonly config: AppConfig) {}

  /**
   * Addresses of a host, those first that this machine can more likely reach.
   * @param userId who chose the name: users take turns
   * @returns at least one
   * @throws LookupFailure, the error of the name servers, or the signal's reason
   */
  async resolve(host: string, userId: string, signal?: AbortSignal): Promise<string[]> {
    const limit = linkedSignal(
      signal,
      LOOKUP_MS,
      () => new LookupFailure('The name was not answered in time.'),
    );
    try {
      const found = await this.turns.run(userId, () => this.find(host, limit.signal), limit.signal);
      return sortReachableFirst(found);
    } finally {
      limit.release();
    }
  }

  private async find(host: string, signal: AbortSignal): Promise<string[]> {
    const known = addressesInHosts(await textOf(this.files.hosts), host);
    if (known.length > 0) return known;
    let failure: unknown;
    for (const name of namesToAsk(host, searchRules(await textOf(this.files.resolver)))) {
      try {
        return await this.ask(name, signal);
      } catch (error) {
        signal.throwIfAborted();
        failure = error;
      }
    }
    throw failure;
  }

  private async ask(name: string, signal: AbortSignal): Promise<string[]> {
    signal.throwIfAborted();
    // Each name has a resolver: `cancel` ends everything that a resolver has under way.
    const resolver = new Resolver({ timeout: TRY_MS, tries: TRIES });
    const { dnsServers } = this.config.egress;
    if (dnsServers.length > 0) resolver.setServers(dnsServers);
    const cancel = (): void => resolver.cancel();
    signal.addEventListener('abort', cancel, { once: true });
    let grace: NodeJS.Timeout | undefined;
    const limitOtherFamily = async (answer: Promise<string[]>): Promise<string[]> => {
      const addresses = await answer;
      grace ??= setTimeout(cancel, OTHER_FAMILY_MS);
      return addresses;
    };
    try {
      const answers = await Promise.allSettled([
        limitOtherFamily(resolver.resolve4(name)),
        limitOtherFamily(resolver.resolve6(name)),
      ]);
      const found = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
      if (found.length > 0) return found;
      throw (
        answers.find((answer) => answer.status === 'rejected')?.reason ?? new LookupFailure('No address.')
      );
    } finally {
      clearTimeout(grace);
      signal.removeEventListener('abort', cancel);
    }
  }
}

async function textOf(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw error;
  }
}

/** IPv4 addresses first, unless the machine has only IPv6 ones: much of what has both is reachable by IPv4 alone. */
function sortReachableFirst(addresses: readonly string[]): string[] {
  const own = Object.values(networkInterfaces()).flatMap((of) => of ?? []);
  const outside = own.filter(({ internal }) => !internal);
  const preferred = outside.length === 0 || outside.some(({ family }) => family === 'IPv4');
  const isFirst = (address: string): boolean => isIPv4(address) === preferred;
  return [...addresses.filter(isFirst), ...addresses.filter((address) => !isFirst(address))];
}
