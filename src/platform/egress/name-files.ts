import { isIP } from 'node:net';

export interface SearchRules {
  /** Domains that are tried after a short name. */
  readonly search: readonly string[];
  /** Names with so many dots are tried as they are first. */
  readonly ndots: number;
}

const DEFAULT_NDOTS = 1;
const MAX_NDOTS = 15;
/** Each domain is one more question about a name that does not exist. */
const MAX_SEARCH = 6;
/** Every machine is its own localhost (RFC 6761, section 6.3), whether or not its hosts file says so. */
const LOOPBACK = ['127.0.0.1', '::1'];

/**
 * Addresses of a host in a hosts file (hosts(5)), in the file's order. `localhost` and names below it always have some.
 * @param host in any case, with or without a final dot
 */
export function addressesInHosts(text: string, host: string): string[] {
  const name = withoutFinalDot(host.toLowerCase());
  const found: string[] = [];
  if (text.toLowerCase().includes(name)) {
    for (const line of text.toLowerCase().split('\n')) {
      const [address, ...names] = (line.split('#', 1)[0] as string).trim().split(/\s+/);
      if (address && isIP(address) && names.includes(name)) found.push(address);
    }
  }
  if (found.length > 0) return found;
  return name === 'localhost' || name.endsWith('.localhost') ? LOOPBACK : [];
}

/** The rules for short names in a resolv.conf (resolv.conf(5)): of several `search` or `domain` lines the last counts. */
export function searchRules(text: string): SearchRules {
  let search: string[] = [];
  let ndots = DEFAULT_NDOTS;
  for (const line of text.split('\n')) {
    const [keyword, ...values] = line.trim().split(/\s+/);
    if (keyword === 'search') search = values.slice(0, MAX_SEARCH);
    if (keyword === 'domain') search = values.slice(0, 1);
    if (keyword !== 'options') continue;
    for (const value of values) {
      const dots = /^ndots:(\d{1,3})$/.exec(value)?.[1];
      if (dots !== undefined) ndots = Math.min(Number(dots), MAX_NDOTS);
    }
  }
  return { search: search.map(withoutFinalDot).filter((domain) => domain !== ''), ndots };
}

/** The names to ask DNS for, in this order, until one of them exists. A final dot says that the name is complete. */
export function namesToAsk(host: string, { search, ndots }: SearchRules): string[] {
  if (host.endsWith('.')) return [withoutFinalDot(host)];
  const longer = search.map((domain) => `${host}.${domain}`);
  const dots = host.split('.').length - 1;
  return dots >= ndots ? [host, ...longer] : [...longer, host];
}

const withoutFinalDot = (name: string): string => name.replace(/\.$/, '');
