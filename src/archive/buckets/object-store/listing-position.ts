import { EndlessListing } from './object-store-failure';

/** Most entries of a page; each page is requested with this limit. */
export const LISTING_PAGE = 1_000;
/** Most consecutive pages without an entry. Stores send some where many objects have been deleted. */
const MAX_EMPTY_PAGES = 50;

/** Position from which a listing goes on. */
export interface ListingPosition {
  /** Parameter that requests the next page: a continuation token, or a key; '' for the first page. */
  readonly token: string;
  /** The last key listed. */
  readonly lastKey: string;
  readonly emptyPages: number;
}

export const LISTING_START: ListingPosition = { token: '', lastKey: '', emptyPages: 0 };

/** The part of a page that tells whether a listing makes progress. */
export interface ListedPage {
  readonly keys: readonly string[];
  /** Parameter that requests the next page; null: this is the last page. */
  readonly next: string | null;
  /** Whether a key may have several entries, as uploads do. */
  readonly repeats?: boolean;
}

/**
 * The position after a page. The operator of the store may be hostile: keys have to grow in the order of their UTF-8 bytes
 * (Amazon S3 API Reference, ListObjectsV2), tokens to change, and empty pages to come to an end.
 * @returns null after the last page
 * @throws EndlessListing
 */
export function positionAfter(
  prefix: string,
  from: ListingPosition,
  { keys, next, repeats = false }: ListedPage,
): ListingPosition | null {
  if (keys.length > LISTING_PAGE) throw new EndlessListing('A page is larger than it was asked for.');
  let { lastKey } = from;
  for (const key of keys) {
    if (!key.startsWith(prefix)) throw new EndlessListing('A key is not below the prefix.');
    const order = Buffer.compare(Buffer.from(lastKey), Buffer.from(key));
    if (order > 0 || (order === 0 && !repeats)) throw new EndlessListing('Keys do not grow.');
    lastKey = key;
  }
  if (next === null) return null;
  if (next === '') throw new EndlessListing('There is more, and no way to it.');
  if (next === from.token) throw new EndlessListing('The continuation is the one of the page before.');
  const emptyPages = keys.length === 0 ? from.emptyPages + 1 : 0;
  if (emptyPages > MAX_EMPTY_PAGES) throw new EndlessListing('Page after page is empty.');
  return { token: next, lastKey, emptyPages };
}
