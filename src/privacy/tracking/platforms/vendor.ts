/** One company's hosts, and where they are known from. */
export interface Vendor {
  readonly vendor: string;
  readonly source: Source;
  /**
   * Places open-tracking images are loaded from: `host` or `host/path`. The host is a suffix in lower case, `#` stands
   * for a run of digits. The path is how path and query must begin, compared without case, `*` stands for anything;
   * it is missing where the host serves nothing but tracking.
   */
  readonly places: readonly string[];
}

/**
 * The list that names the vendor's first place; others of it are from one of these lists too. EP: EasyPrivacy's mail
 * trackers; MTB: MailTrackerBlocker; K: none of them, but seen in mails of the platform.
 */
export type Source = 'EP' | 'MTB' | 'K';

/** A row of the lists. @param places as of `Vendor` */
export const vendor = (source: Source, name: string, ...places: string[]): Vendor => ({
  vendor: name,
  source,
  places,
});
