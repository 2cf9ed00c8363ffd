import { parseUrl } from '../../platform/egress/parse-url';
import { decodeEncodedWords } from '../../platform/mime/header-text';

/** Longest address in characters: the size of the column of sender addresses. */
const MAX_LENGTH = 320;

/** Characters of an unquoted local part or a domain, beyond ASCII too (RFC 6532). */
const ATOM = String.raw`[^\s\p{Cc}\p{Cs}()<>[\]:;@\\,"]`;
const QUOTED = String.raw`"[^\p{Cc}\p{Cs}"\\]+"`;
const LITERAL = String.raw`\[[\w.:]+\]`;
const ADDRESS = new RegExp(`^(?:${ATOM}+|${QUOTED})@(?:${ATOM}+|${LITERAL})$`, 'u');

/** Whether the text is one bare address (RFC 5322 §3.4.1). */
export function isMailAddress(text: string): boolean {
  return text.length <= MAX_LENGTH && ADDRESS.test(text);
}

/** Ways to leave a list, according to the author of a message. Strangers write them: they are shown, never fetched. */
export interface UnsubscribeOptions {
  /** The first https URL, else the first http one. */
  readonly unsubscribeUrl: string | null;
  /** A mailto URL with one recipient and, where given, a subject and a body. */
  readonly unsubscribeMailto: string | null;
  /** Whether a POST to `unsubscribeUrl` unsubscribes (RFC 8058). */
  readonly oneClick: boolean;
}

interface UnsubscribeLink {
  readonly scheme: 'https' | 'http' | 'mailto';
  readonly uri: string;
}

const MAX_FIELD = 10_000;
const MAX_URI = 4_096;
const MAX_URIS = 20;

/** The only value that RFC 8058 §3.1 defines; case-insensitive as all of ABNF (RFC 5234 §2.3). */
const ONE_CLICK = /^[ \t\r\n]*list-unsubscribe=one-click[ \t\r\n]*$/i;
/** Control characters and halves of surrogate pairs. */
const CONTROL = /[\p{Cc}\p{Cs}]/u;
/** RFC 3986 §2: a URL of these characters only is kept as it was written. */
const URL_CHARACTERS = /^[\w.~:/?#[\]@!$&'()*+,;=%-]+$/;
/** Characters that follow a bare URL in prose. */
const CLOSING = new Set([',', ';', '.', ')', "'"]);

/**
 * Reads List-Unsubscribe (RFC 2369) and List-Unsubscribe-Post (RFC 8058), in time proportional to their length. A field that
 * does not follow the grammar is searched for bare URLs, which never count as one-click.
 *
 * @param field the List-Unsubscribe header, folded or not; null when there is none
 * @param post the List-Unsubscribe-Post header, folded or not; null when there is none
 */
export function parseListUnsubscribe(field: string | null, post: string | null): UnsubscribeOptions {
  const text = field === null || field.length > MAX_FIELD ? '' : decode(field);
  const bracketed = parseBracketedUris(text);
  const proper = bracketed.length > 0;
  const links = (proper ? bracketed : findBareUris(text)).flatMap((uri) => linkOf(uri) ?? []);
  const first = (scheme: UnsubscribeLink['scheme']): string | null =>
    links.find((link) => link.scheme === scheme)?.uri ?? null;
  const secure = first('https');
  return {
    unsubscribeUrl: secure ?? first('http'),
    unsubscribeMailto: first('mailto'),
    oneClick: secure !== null && proper && post !== null && ONE_CLICK.test(post),
  };
}

/** The field unfolded (RFC 5322 §2.2.3), with encoded words decoded although the grammar allows none. */
function decode(field: string): string {
  const line = field.replace(/\r?\n(?=[ \t])/g, '');
  return line.includes('=?') ? decodeEncodedWords(Buffer.from(line).toString('latin1')) : line;
}

/**
 * The values in angle brackets, separated by commas, or by semicolons as some programs write. RFC 2369 §2: white space in the
 * brackets is not part of the URL; the field ends at the first item without brackets, and at text behind a closing one. Brackets
 * may be doubled.
 */
function parseBracketedUris(text: string): string[] {
  const uris: string[] = [];
  let at = skipGap(text, 0, '');
  while (text[at] === '<' && uris.length < MAX_URIS) {
    while (text[at + 1] === '<') at += 1;
    let end = text.indexOf('>', at);
    if (end === -1) break;
    uris.push(text.slice(at + 1, end).replace(/[ \t]+/g, ''));
    while (text[end + 1] === '>') end += 1;
    at = skipGap(text, end + 1, '');
    if (text[at] !== ',' && text[at] !== ';') break;
    at = skipGap(text, at, ',;');
  }
  return uris;
}

function findBareUris(text: string): string[] {
  const uris: string[] = [];
  let at = 0;
  while ((at = skipGap(text, at, ',;<>"')) < text.length && uris.length < MAX_URIS) {
    let end = at;
    while (end < text.length && !' \t<>"'.includes(text[end] as string)) end++;
    for (const word of text.slice(at, end).split(/,(?=https?:|mailto:)/i)) {
      let length = word.length;
      while (length > 0 && CLOSING.has(word[length - 1] as string)) length--;
      uris.push(word.slice(0, length));
    }
    at = end;
  }
  return uris;
}

/** The offset behind white space, comments (RFC 5322 §3.2.2, nested ones too) and any of `separators`. */
function skipGap(text: string, start: number, separators: string): number {
  let depth = 0;
  let at = start;
  for (; at < text.length; at++) {
    const character = text[at] as string;
    if (character === '(') depth++;
    else if (depth > 0) {
      if (character === '\\') at++;
      else if (character === ')') depth--;
    } else if (!' \t\r\n'.includes(character) && !separators.includes(character)) break;
  }
  return at;
}

/** The link of a URI; null for one that is unsafe to follow. */
function linkOf(written: string): UnsubscribeLink | null {
  // Programs that escape the field as if it were HTML write ampersands so.
  const uri = written.replaceAll('&amp;', '&');
  if (uri.length > MAX_URI || CONTROL.test(uri)) return null;
  if (/^mailto:/i.test(uri)) return mailtoLink(uri.slice('mailto:'.length));
  return /^https?:\/\/[^/\\]/i.test(uri) ? webLink(uri) : null;
}

function webLink(uri: string): UnsubscribeLink | null {
  const url = parseUrl(uri);
  if (!url) return null;
  // A URL like `https://bank.example@elsewhere.example/` is made to be misread.
  if (url.username !== '' || url.password !== '') return null;
  const written = URL_CHARACTERS.test(uri) ? uri : url.href;
  return written.length > MAX_URI
    ? null
    : { scheme: url.protocol === 'https:' ? 'https' : 'http', uri: written };
}

/**
 * A mailto URL (RFC 6068), reduced to one recipient, a subject and a body: no other recipient gets a copy, nothing is attached.
 * Encoded control characters, line breaks first of all, could begin another header in a careless mail program.
 */
function mailtoLink(rest: string): UnsubscribeLink | null {
  const [addresses = '', ...query] = (rest.split('#', 1)[0] ?? '').split('?');
  const address = decodePercent(addresses.split(',', 1)[0] ?? '');
  if (address === null || !isMailAddress(address)) return null;
  const fields = new Map<string, string>();
  for (const field of query.join('?').split('&')) {
    const separator = field.indexOf('=');
    const name = decodePercent(separator === -1 ? field : field.slice(0, separator))?.toLowerCase();
    const value = separator === -1 ? '' : decodePercent(field.slice(separator + 1));
    if (name === undefined || value === null) return null;
    if ((name === 'subject' || name === 'body') && value !== '' && !fields.has(name)) {
      fields.set(name, `${name}=${encodeURIComponent(value)}`);
    }
  }
  const recipient = encodeURI(address).replace(/[?#&;,/]/g, encodeURIComponent);
  const uri = `mailto:${recipient}${fields.size > 0 ? '?' : ''}${[...fields.values()].join('&')}`;
  return uri.length > MAX_URI ? null : { scheme: 'mailto', uri };
}

/** The text with its escapes decoded; null for malformed escapes and control characters. */
function decodePercent(text: string): string | null {
  try {
    const plain = decodeURIComponent(text);
    return CONTROL.test(plain) ? null : plain;
  } catch {
    return null;
  }
}
