import { MAX_TOKEN_LENGTH } from './fold-text';

/** Words of fewer letters are not indexed backwards, so the end of a word that is searched for must have one letter less. */
export const MIN_REVERSED_LETTERS = 7;
export const MIN_SUFFIX_LETTERS = MIN_REVERSED_LETTERS - 1;
/** The sign before words that are written backwards. No word has it: it is neither letter nor digit. */
const REVERSED = '<';
const REVERSED_CODE = REVERSED.charCodeAt(0);
/** A folded word takes at most 3 bytes a UTF-16 unit. */
export const MAX_REVERSED_BYTES = MAX_TOKEN_LENGTH * 3 + 1;
const LETTERS_OR_DIGITS = /^(?:[\p{L}\p{M}]+|\d+)$/u;

/**
 * Writes a word backwards, so that it is found by its end: `*rechnung` is the beginning `<gnunhcer`. Words of letters only, and
 * numbers of digits only, as telephone numbers are found by their end.
 * @returns bytes written; 0: the word is short or has letters and digits
 */
export function reverseWord(word: Buffer, length: number, output: Buffer): number {
  const first = word[0] as number;
  const isNumber = isDigit(first);
  for (let at = 0; at < length; at++) {
    const byte = word[at] as number;
    if (byte >= 0x80) return reverseText(word.toString('utf8', 0, length), output);
    if (isDigit(byte) !== isNumber) return 0;
    output[length - at] = byte;
  }
  output[0] = REVERSED_CODE;
  return length + 1;
}

/** The lexeme whose beginning finds words by their end. @param end folded letters, or digits */
export const reversedEnd = (end: string): string => REVERSED + [...end].toReversed().join('');

const isDigit = (code: number): boolean => code >= 0x30 && code <= 0x39;

function reverseText(word: string, output: Buffer): number {
  const characters = [...word];
  if (characters.length < MIN_REVERSED_LETTERS || !LETTERS_OR_DIGITS.test(word)) return 0;
  return output.write(REVERSED + characters.toReversed().join(''), 'utf8');
}
