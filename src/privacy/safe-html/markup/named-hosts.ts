import { domainToASCII } from 'node:url';
import { getDomain, parse } from 'tldts';
import { parseUrl } from '../../../platform/egress/parse-url';

/** UTF-16 units of a link's text that are read. */
export const MAX_LINK_TEXT = 1_000;

const BETWEEN = /[\s<>"'`()[\]{}«»“”‘’,;|]+/u;
/** Dots of other scripts, which browsers read as the dot of a name (UTS 46). */
const DOTS = /[。．｡]/gu;
const WITH_SCHEME = /^https?:\/\/+([^/?#\\]*)/i;
const WITHOUT_SCHEME = /^([^/?#\\:]+)(?=[/?#\\]|:\d|$)/;
/** Top-level domains that are endings of files: `main.rs` is a file more often than a site. */
const FILE_ENDINGS = new Set('cc md ml mov pm ps py rs sh so tf zip'.split(' '));

/**
 * Host of a link's target, in ASCII, when its text names another site; else null. Hosts are of one site when they have the same
 * registrable domain (Public Suffix List).
 * @param text as it is read
 * @param target the wrappings of Outlook (Safe Links) and Google are looked through
 */
export function otherHost(text: string, target: URL): string | null {
  const { protocol, hostname } = destinationOf(target);
  if (!/^https?:$/.test(protocol)) return null;
  const site = siteOf(hostname);
  return namedHosts(text).some((named) => siteOf(named) !== site) ? hostname : null;
}

/** The hosts that a text names, in ASCII: those of addresses, and words such as `bank.com`. */
function namedHosts(text: string): string[] {
  const words = text
    .slice(0, MAX_LINK_TEXT)
    // Invisible characters make another name of what looks the same.
    .replace(/\p{Cf}/gu, '')
    .replace(DOTS, '.')
    .split(BETWEEN)
    .filter((word) => word !== '');
  return words.flatMap((word) => hostsIn(word, words.length === 1));
}

function hostsIn(word: string, isAlone: boolean): string[] {
  // `@name.example` is a person.
  if (word.startsWith('@')) return [];
  const written = withoutPunctuation(word.normalize('NFKC'));
  const authority = WITH_SCHEME.exec(written)?.[1];
  if (authority !== undefined) {
    // `https://bank.com@evil.com` looks like an address of the bank.
    const [host = '', ...users] = authority.split('@').reverse().map(asciiHost);
    // A shortened address may have only the beginning of its host.
    const isCut = /…|\.{2}/.test(word);
    return [...(host !== '' && (!isCut || isKnown(host)) ? [host] : []), ...users.filter(isKnown)];
  }
  const name = WITHOUT_SCHEME.exec(written)?.[1] ?? '';
  // In a sentence, `Bank.com` is the name of a company: an address is written in small letters there.
  const isAddress = isAlone || name === name.toLowerCase() || /^www\d?\./i.test(name);
  if (!isAddress || !name.includes('.') || name.includes('@') || isFile(name)) return [];
  return [asciiHost(name)].filter(isKnown);
}

/** A word without the signs around it, such as the end of its sentence. */
function withoutPunctuation(word: string): string {
  const begun = word.replace(/^[^\p{L}\p{N}]+/u, '');
  let end = begun.length;
  while (end > 0 && /[\p{P}\p{S}\p{Cs}]/u.test(begun[end - 1] as string) && begun[end - 1] !== '/') end--;
  return begun.slice(0, end);
}

const asciiHost = (name: string): string => domainToASCII(name.replace(/:.*$/s, '').replace(/\.$/, ''));

/** Whether it ends with a top-level domain that exists. */
function isKnown(host: string): boolean {
  const { domain, isIcann } = parse(host);
  return domain !== null && isIcann === true;
}

function isFile(name: string): boolean {
  const labels = name.toLowerCase().split('.');
  return labels.length === 2 && FILE_ENDINGS.has(labels[1] as string);
}

/** Names below a private suffix, such as `github.io`, belong to different people. */
const siteOf = (host: string): string =>
  getDomain(host, { allowPrivateDomains: true }) ?? host.replace(/\.$/, '');

/** The address that a link leads to in the end, where the link itself says it. */
function destinationOf(target: URL): URL {
  const { hostname, pathname, searchParams } = target;
  const isSafeLink = hostname.endsWith('.safelinks.protection.outlook.com');
  const isGoogle = hostname === 'www.google.com' && pathname === '/url';
  if (!isSafeLink && !isGoogle) return target;
  return parseUrl(searchParams.get('url') ?? searchParams.get('q') ?? '') ?? target;
}
