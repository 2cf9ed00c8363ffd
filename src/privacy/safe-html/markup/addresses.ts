import { parseUrl } from '../../../platform/egress/parse-url';

/** Characters that browsers remove from an address before they read its scheme: tabs, line ends, controls at its ends. */
// eslint-disable-next-line no-control-regex
const IGNORED = /[\t\r\n]|^[\u0000-\u0020]+|[\u0000-\u0020]+$/g;
const LINK_SCHEMES = new Set(['http:', 'https:', 'mailto:', 'tel:']);
const MAX_LINK = 16_384;

/** An address as a browser would read it. */
export function cleanAddress(address: string): string {
  return address.replace(IGNORED, '');
}

/** Whether loading the address would fetch something from another machine. */
export function isRemote(address: string): boolean {
  return /^(?:(?:https?|ftp|wss?|file):|[\\/]{2})/i.test(cleanAddress(address));
}

/** Whether a list of candidates (`srcset`) names an image of another machine. */
export function hasRemoteCandidate(srcset: string): boolean {
  return /(?:^|[\s,])(?:(?:https?|ftp):|[\\/]{2})/i.test(srcset);
}

/**
 * Target of a link in the form of a browser: http, https, mailto or tel. Null for every other scheme, and for links that
 * lead nowhere outside the page they were written for.
 */
export function linkTarget(href: string): URL | null {
  const address = cleanAddress(href);
  if (address.length > MAX_LINK) return null;
  const absolute = /^[\\/]{2}/.test(address) ? `https:${address}` : address;
  const url = parseUrl(absolute);
  return url && LINK_SCHEMES.has(url.protocol) ? url : null;
}

/**
 * The address without some parameters of its query and fragment, whatever the case they are written in. The others stay
 * unchanged, as they may be signed.
 * @param names in any case
 */
export function removeParameters(url: URL, names: readonly string[]): string {
  if (names.length === 0) return url.href;
  const unwanted = new Set(names.map((name) => name.toLowerCase()));
  const bare = new URL(url);
  // The marks are written too: otherwise a `?` or `#` at the beginning of the text would be taken for the mark.
  bare.search = `?${removePairs(url.search.slice(1), unwanted)}`;
  bare.hash = `#${removePairs(url.hash.slice(1), unwanted)}`;
  // An empty query has no mark.
  if (bare.search === '') bare.search = '';
  if (bare.hash === '') bare.hash = '';
  return bare.href;
}

function removePairs(text: string, unwanted: ReadonlySet<string>): string {
  // Even positions hold pairs, odd ones their separators.
  const pieces = text.split(/([&;?])/);
  if (!pieces.some((piece, place) => place % 2 === 0 && unwanted.has(parameterName(piece)))) return text;
  let kept = '';
  for (let place = 0; place < pieces.length; place += 2) {
    const pair = pieces[place] as string;
    if (unwanted.has(parameterName(pair))) continue;
    kept += (kept === '' ? '' : (pieces[place - 1] ?? '')) + pair;
  }
  return kept;
}

function parameterName(pair: string): string {
  const [name] = pair.split('=', 1);
  try {
    return decodeURIComponent(name as string).toLowerCase();
  } catch {
    return (name as string).toLowerCase();
  }
}
