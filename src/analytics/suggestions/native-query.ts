import { subjectPattern } from '../../mailbox/message-index/subject-key';
import { searchTerm, searchText } from '../../rules/query/search-text';

const SAYS_SOMETHING = /[\p{L}\p{N}]/u;
/** More make no difference, and queries have a limit. */
const MAX_SUBJECT_WORDS = 20;

/**
 * Selects the mail of one sender; whatever the address holds, it is no operator.
 * @returns null for what is no address: a word would select senders by their names, `me` the account itself
 */
export function fromQuery(address: string): string | null {
  const [local = '', domain = ''] = splitAtLast(address, '@');
  if (!SAYS_SOMETHING.test(local) || !SAYS_SOMETHING.test(domain)) return null;
  const text = searchText(address);
  return text === undefined ? null : `from:(${searchTerm(text)})`;
}

/**
 * Selects subjects with the words of this one's pattern, in any order and among others: the search language has no
 * patterns. It knows whole words only, so that those with digits attached are left out.
 * @returns null when no word is left
 */
export function subjectQuery(subject: string): string | null {
  const pattern = new Set(subjectPattern(subject).split(' '));
  const words = subject
    .normalize('NFKC')
    .toLowerCase()
    .split(/[^\p{L}\p{M}\p{N}_]+/u)
    .filter((word) => pattern.has(word) && SAYS_SOMETHING.test(word));
  const distinct = [...new Set(words)].slice(0, MAX_SUBJECT_WORDS);
  return distinct.length === 0 ? null : `subject:(${distinct.map((word) => `"${word}"`).join(' ')})`;
}

function splitAtLast(text: string, separator: string): readonly string[] {
  const at = text.lastIndexOf(separator);
  return at === -1 ? [] : [text.slice(0, at), text.slice(at + 1)];
}
