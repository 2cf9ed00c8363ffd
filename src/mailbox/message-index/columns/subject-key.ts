import { createHash } from 'node:crypto';

const REPLY_PREFIX = /^\s*(?:re|fwd?|aw|wg|tr|rv|sv|vs|antw|ref|réf)\s*(?:\[\d+\]|\(\d+\))?\s*[:：]\s*/iu;
/** Names of months and days in English and French, and their usual short forms. */
const DATE_WORDS = new Set(
  (
    'january february march april may june july august september october november december ' +
    'jan feb mar apr jun jul aug sep sept oct nov dec ' +
    'monday tuesday wednesday thursday friday saturday sunday mon tue tues wed thu thur thurs fri sat sun ' +
    'janvier février mars avril mai juin juillet août septembre octobre novembre décembre ' +
    'janv févr avr juil déc lundi mardi mercredi jeudi vendredi samedi dimanche ' +
    'am pm st nd rd th er'
  ).split(' '),
);

/**
 * What the subjects of a series have in common: without reply prefixes, digits and dates, in lower case, words
 * parted by single blanks. `Re: Invoice #4711 of 3 March 2026` and `Invoice #12 of 4 April 2026` → `invoice of`.
 */
export function subjectPattern(subject: string): string {
  let rest = subject.normalize('NFKC');
  for (let bare = rest.replace(REPLY_PREFIX, ''); bare !== rest; bare = rest.replace(REPLY_PREFIX, '')) {
    rest = bare;
  }
  return rest
    .toLowerCase()
    .split(/[^\p{L}\p{M}]+/u)
    .filter((word) => word !== '' && !DATE_WORDS.has(word))
    .join(' ');
}

/** Equal for subjects of the same pattern: a signed 64-bit number as text; null when the pattern is empty. */
export function subjectKey(subject: string): string | null {
  const pattern = subjectPattern(subject);
  if (pattern === '') return null;
  return createHash('sha256').update(pattern).digest().readBigInt64BE(0).toString();
}
