import { MAX_TOKEN_LENGTH, searchTokens } from '../search/fold-text';

/** UTF-16 units of a text from which words are picked. */
const WINDOW = 65_536;
/** Words of a text that are looked at; the longest of them are taken, as few other mails have them. */
const CANDIDATES = 16;

/**
 * Picks some words of a text at random, as the search has them.
 * @param random from 0 up to 1, as `Math.random` answers
 */
export function pickWords(text: string, most: number, random: () => number = Math.random): string[] {
  const start = Math.floor(random() * Math.max(0, text.length - WINDOW + 1));
  const end = start + WINDOW;
  const words = searchTokens(text.slice(start, end));
  // A word at a cut may be a part of one.
  if (start > 0) words.shift();
  if (end < text.length) words.pop();
  const candidates = Array.from(
    { length: words.length === 0 ? 0 : CANDIDATES },
    () => words[Math.floor(random() * words.length)]!,
  );
  return [...new Set(candidates.filter(isSearchable))]
    .toSorted((one, other) => other.length - one.length)
    .slice(0, most);
}

/** Whether a word is found by itself: a search refuses marks without a letter, and the index cuts words that are too long. */
function isSearchable(word: string): boolean {
  const [only, further] = searchTokens(word);
  return (
    only === word && further === undefined && word.length < MAX_TOKEN_LENGTH && /[\p{L}\p{N}]/u.test(word)
  );
}
