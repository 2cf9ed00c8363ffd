/**
 * Query parameters that identify the campaign or the reader of a click, from the lists of ClearURLs and AdGuard's
 * TrackParamFilter. Names are compared without case.
 */
export const PARAMETER_NAMES: readonly string[] = [
  // Campaigns
  ...['source', 'medium', 'campaign', 'cid', 'content', 'keyword', 'kwd'].map((name) => `pk_${name}`),
  ...['source', 'medium', 'campaign', 'cid', 'content', 'keyword', 'kwd', 'group', 'placement'].map(
    (name) => `mtm_${name}`,
  ),
  '_openstat',
  's_cid',
  'wt_mc',
  'xtor',
  'cmpid',
  'wickedid',
  'rb_clickid',
  // Readers of mails
  '_hsenc',
  '_hsmi',
  '__hssc',
  '__hstc',
  '__hsfp',
  'hsCtaTracking',
  'mc_eid',
  'mc_cid',
  'mc_tc',
  'mkt_tok',
  '_kx',
  'vero_id',
  'vero_conv',
  'ml_subscriber',
  'ml_subscriber_hash',
  '_cldee',
  'oly_anon_id',
  'oly_enc_id',
  '__s',
  // Clicks
  'fbclid',
  'gclid',
  'gclsrc',
  'gbraid',
  'wbraid',
  'dclid',
  'srsltid',
  'msclkid',
  'twclid',
  'yclid',
  'ysclid',
  'irclickid',
  'awc',
  'tduid',
  'sscid',
  '_ga',
  '_gl',
  '_branch_match_id',
];

/** Prefixes of names, which have to be longer than the prefix. */
export const PARAMETER_PREFIXES: readonly string[] = ['utm_', 'itm_', 'otm_', 'hsa_', 'bsft_', 'mindbox-'];

/** Prefixes of names, which may be equal to the prefix. */
export const PARAMETER_STEMS: readonly string[] = ['cm_mmc', 'ttclid', 'li_fat_id', 'igshid'];

/** Most characters of a name: longer ones belong to no known tracker. */
const MAX_NAME = 64;
const MAX_QUERY = 32_768;
const MAX_PARAMETERS = 50;
const BY_LOWER_CASE = new Map(PARAMETER_NAMES.map((name) => [name.toLowerCase(), name]));
const NAME = /^[\w.-]+$/;

/**
 * Names of the parameters of a link that follow the reader: campaigns (`utm_…`) and identifiers of clicks, mails and
 * readers, in query and fragment, in the order of the link and each once. Names have the spelling of the
 * lists, whatever their case in the link is. At most 50.
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
  // A parameter without a value identifies no reader.
  if (equals <= 0 || equals > 3 * MAX_NAME || equals === part.length - 1) return null;
  const name = decode(part.slice(0, equals));
  const lower = name.toLowerCase();
  if (name.length > MAX_NAME || !NAME.test(name)) return null;
  const known = BY_LOWER_CASE.get(lower);
  if (known !== undefined) return known;
  if (PARAMETER_PREFIXES.some((prefix) => lower.length > prefix.length && lower.startsWith(prefix)))
    return lower;
  return PARAMETER_STEMS.some((stem) => lower.startsWith(stem)) ? lower : null;
}

function decode(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
