/** Searches that a person has made in this browser, kept until they sign out or clear them. */

const PREFIX = 'mailroom-searches-';
const MOST = 8;

const keyOf = (userId: string): string => PREFIX + userId;

/** The newest first. */
export function readRecentSearches(userId: string): readonly string[] {
  const kept = localStorage.getItem(keyOf(userId));
  return kept === null ? [] : parse(kept);
}

export function keepRecentSearch(userId: string, q: string): void {
  const others = readRecentSearches(userId).filter((one) => one !== q);
  localStorage.setItem(keyOf(userId), JSON.stringify([q, ...others].slice(0, MOST)));
}

export const clearRecentSearches = (userId: string): void => localStorage.removeItem(keyOf(userId));

/** Removes the searches of everyone who has used this browser. */
export function forgetAllSearches(): void {
  for (const key of Object.keys(localStorage)) if (key.startsWith(PREFIX)) localStorage.removeItem(key);
}

/** The stored text may have been changed by hand. */
function parse(kept: string): readonly string[] {
  try {
    const searches: unknown = JSON.parse(kept);
    return Array.isArray(searches) ? searches.filter((one) => typeof one === 'string').slice(0, MOST) : [];
  } catch (error) {
    if (error instanceof SyntaxError) return [];
    throw error;
  }
}
