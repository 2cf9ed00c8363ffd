/** Most characters of an address: browsers follow no longer one. */
const MAX_PARSED = 32_768;
/** Characters that a browser skips at the beginning of an address (WHATWG URL, "C0 control or space"). */
const LEADING = /^[\u0000-\u0020]+/; // eslint-disable-line no-control-regex
const SCHEME_RELATIVE = /^[/\\]{2}/;
const REMOTE = /^https?:/i;

/**
 * The http(s) URL in an attribute, as a browser reads it: line breaks and tabs are dropped, a host may be
 * internationalised (the result has it in ASCII), and `//host` means https. null for all other addresses: `cid:`,
 * `data:`, relative ones, which in a mail lead nowhere.
 */
export function remoteUrl(attribute: string): URL | null {
  if (attribute.length > MAX_PARSED) return null;
  const text = attribute.replace(LEADING, '').replace(/[\t\r\n]/g, '');
  const absolute = SCHEME_RELATIVE.test(text) ? `https:${text}` : text;
  if (!REMOTE.test(absolute)) return null;
  try {
    return new URL(absolute);
  } catch {
    return null;
  }
}

/** Host in lower case, without port and without the dot that may end it. */
export function hostOf(url: URL): string {
  return url.hostname.endsWith('.') ? url.hostname.slice(0, -1) : url.hostname;
}

/** A URL for display, without user name and password, cut after `maxCharacters`. */
export function shownUrl(url: URL, maxCharacters: number): string {
  const shown = new URL(url);
  shown.username = '';
  shown.password = '';
  return shown.href.slice(0, maxCharacters);
}
