/** The hosts of one company. */
export interface Vendor {
  readonly vendor: string;
  readonly source: Source;
  /**
   * Places from which open-tracking images are loaded: `host` or `host/path`. The host is a suffix in lower case, in which
   * `#` stands for a run of digits. The path is the beginning of path and query, compared without case, in which `*` stands
   * for any text; it is missing when the host serves only tracking.
   */
  readonly places: readonly string[];
}

/**
 * The list that names the vendor's first place; others of it are from one of these lists too. EP: EasyPrivacy's mail
 * trackers; MTB: MailTrackerBlocker; K: none of them, but seen in mails of the platform.
 */
export type Source = 'EP' | 'MTB' | 'K';

/** Makes a row of the lists. @param places see `Vendor` */
export const vendor = (source: Source, name: string, ...places: string[]): Vendor => ({
  vendor: name,
  source,
  places,
});
