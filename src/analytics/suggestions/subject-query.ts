import { subjectPattern } from '../../mailbox/message-index/columns/subject-key';

const SAYS_SOMETHING = /[\p{L}\p{N}]/u;
/** More make no difference, and queries have a limit. */
const MAX_SUBJECT_WORDS = 20;

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
