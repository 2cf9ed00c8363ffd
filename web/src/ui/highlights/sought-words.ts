/** Places of a message in which a term of a search is looked for. */
export type SoughtPlace = 'people' | 'subject' | 'text' | 'filename';

/** A word or phrase that a search looks for. */
export interface SoughtTerm {
  readonly places: readonly SoughtPlace[];
  /** Its words, each in the forms that count. */
  readonly words: readonly (readonly string[])[];
  readonly match: 'whole' | 'beginning' | 'end';
  /** Finds a number whichever way its groups are written; null: it is none. */
  readonly number: RegExp | null;
}

const ALL: readonly SoughtPlace[] = ['people', 'subject', 'text', 'filename'];
const PLACES: Readonly<Record<string, readonly SoughtPlace[]>> = {
  from: ['people'],
  to: ['people'],
  cc: ['people'],
  bcc: ['people'],
  subject: ['subject'],
  body: ['text'],
  file: ['filename'],
  filename: ['filename'],
};
/** Terms that are not text. */
const OTHERS =
  /^(?:replyto|list|deliveredto|rfc822msgid|hash|label|in|is|has|category|account|after|before|newer|older|newer_than|older_than|size|larger|smaller)$/;
const TERM = /(-?)(?:([A-Za-z_\d]+):(?!\/\/))?(?:"([^"]*)"?|([^\s(){}"]+)|([({]))/g;
const EXCLUDED_GROUP = /-(?:\w+:)?[({][^(){}]*[)}]/g;
export const WORD = /[\p{L}\p{N}\p{M}]+/gu;
const MOST_TERMS = 32;
const MIN_NUMBER = 7;

/** The words and phrases of a search that can be marked in a message; those that it excludes are left out. */
export function soughtWords(q: string): readonly SoughtTerm[] {
  const terms: SoughtTerm[] = [];
  const text = q.replace(EXCLUDED_GROUP, (group) => ' '.repeat(group.length));
  const end = text.trimEnd().length;
  for (const { 0: written, 1: sign, 2: operator, 3: phrase, 4: word = '', index } of text.matchAll(TERM)) {
    const name = operator?.toLowerCase();
    const isOther = name !== undefined && OTHERS.test(name);
    // `re:` and other unknown names are text.
    const places = name === undefined ? ALL : PLACES[name];
    const value = phrase ?? (places || isOther ? word : `${operator} ${word}`);
    if (sign === '-' || isOther || /^(?:OR|AND|AROUND)$/.test(value)) continue;
    const isTyped = phrase === undefined && name === undefined && index + written.length === end;
    const term = soughtTerm(value, places ?? ALL, phrase === undefined, isTyped);
    if (term) terms.push(term);
  }
  return terms.slice(0, MOST_TERMS);
}

function soughtTerm(
  value: string,
  places: readonly SoughtPlace[],
  isPlain: boolean,
  isTyped: boolean,
): SoughtTerm | null {
  const words = (value.match(WORD) ?? []).map(formsOf);
  if (words.length === 0) return null;
  const match =
    isPlain && value.startsWith('*')
      ? 'end'
      : isTyped || (isPlain && value.endsWith('*'))
        ? 'beginning'
        : 'whole';
  return { places, words, match, number: numberPattern(value) };
}

function numberPattern(value: string): RegExp | null {
  const characters = value.replace(/[^\p{L}\p{N}]/gu, '');
  if (characters.length < MIN_NUMBER || !/^[A-Za-z\d]*\d[A-Za-z\d]*$/.test(characters)) return null;
  return new RegExp(`(?<![\\p{L}\\p{N}])${[...characters].join('[\\s./()-]{0,2}')}(?![\\p{L}\\p{N}])`, 'giu');
}

const SPECIAL: Readonly<Record<string, string>> = {
  ß: 'ss',
  œ: 'oe',
  æ: 'ae',
  ø: 'o',
  đ: 'd',
  ł: 'l',
  ı: 'i',
};
/** Umlauts as they are written without dots, in `mueller`. */
const WRITTEN_DOTS = /(?<=^|[b-df-hj-np-rtv-xzs])(?<!q)([aou])e(?=[b-df-hj-np-tv-xz])/g;

/** A word without case and accents, and with its umlauts as letters without dots. */
export function formsOf(word: string): readonly string[] {
  const folded = word
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]+/g, '')
    .normalize('NFC')
    .toLowerCase()
    .replace(/[ßœæøđłı]/g, (letter) => SPECIAL[letter] ?? letter);
  if (!/^[a-z]{4,}$/.test(folded)) return [folded];
  const without = folded.replace(WRITTEN_DOTS, '$1');
  return without === folded ? [folded] : [folded, without];
}
