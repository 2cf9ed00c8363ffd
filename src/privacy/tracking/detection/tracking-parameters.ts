import { PARAMETER_NAMES, PARAMETER_PREFIXES, PARAMETER_STEMS } from './data/tracking-parameters';

/** Longer names are nobody's. */
const MAX_NAME = 64;
const MAX_QUERY = 32_768;
const MAX_PARAMETERS = 50;
const BY_LOWER_CASE = new Map(PARAMETER_NAMES.map((name) => [name.toLowerCase(), name]));
const NAME = /^[\w.-]+$/;

/**
 * Names of the parameters of a link that follow the reader: campaigns (`utm_…`) and identifiers of clicks, mails and
 * readers, in query and fragment, in the order of the link and each once. Spelled as their inventors do, whatever
 * the link does to their case. At most 50.
 */
export function trackingParameters(url: URL): string[] {
  const found = new Set<string>();
  for (const text of [url.search.slice(1), url.hash.slice(1)]) {
    for (const part of text.slice(0, MAX_QUERY).split(/[&;?]/)) {
      const name = trackingName(part);
      if (name !== null) found.add(name);
      if (found.size === MAX_PARAMETERS) return [...found];
    }
  }
  return [...found];
}

function trackingName(part: string): string | null {
  const equals = part.indexOf('=');
  // Without a value nobody is followed.
  if (equals <= 0 || equals > 3 * MAX_NAME || equals === part.length - 1) return null;
  const name = decoded(part.slice(0, equals));
  const lower = name.toLowerCase();
  if (name.length > MAX_NAME || !NAME.test(name)) return null;
  const known = BY_LOWER_CASE.get(lower);
  if (known !== undefined) return known;
  if (PARAMETER_PREFIXES.some((prefix) => lower.length > prefix.length && lower.startsWith(prefix)))
    return lower;
  return PARAMETER_STEMS.some((stem) => lower.startsWith(stem)) ? lower : null;
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
