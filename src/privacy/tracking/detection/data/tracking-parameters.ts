/**
 * Query parameters that say which campaign or which reader a link was clicked from, as ClearURLs and AdGuard's
 * TrackParamFilter list them. Names are compared without case.
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

/** Families of names: whatever begins so, and has something more. */
export const PARAMETER_PREFIXES: readonly string[] = ['utm_', 'itm_', 'otm_', 'hsa_', 'bsft_', 'mindbox-'];

/** Likewise, and the beginning itself. */
export const PARAMETER_STEMS: readonly string[] = ['cm_mmc', 'ttclid', 'li_fat_id', 'igshid'];
