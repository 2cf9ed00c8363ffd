/** `ae`, `oe` and `ue` between consonants, as German names are written without their dots: `mueller`, `joerg`. Not `queue`, `blue`, `poetry`. */
const WRITTEN_DOTS = /(?<=^|[b-df-hj-np-rtv-xzs])(?<!q)([aou])e(?=[b-df-hj-np-tv-xz])/g;
const ASCII_WORD = /^[a-z]{4,}$/;

/**
 * Writes a folded word as if its umlauts had lost their dots: `mueller` as `muller`, which `Müller` is folded to. Other words are
 * taken along (`guest` as `gust`): one more spelling finds a little more.
 * @returns null for a word without written umlauts
 */
export function dropWrittenDots(word: string): string | null {
  if (!ASCII_WORD.test(word)) return null;
  const without = word.replace(WRITTEN_DOTS, '$1');
  return without === word ? null : without;
}

/** Writes a word in lower case with its umlauts: `mueller` as `müller`. */
export const writeDots = (word: string): string => word.replace(WRITTEN_DOTS, '$1\u0308').normalize('NFC');

const LETTER_E = 0x65;
const VOWELS_BEFORE = new Set([0x61, 0x6f, 0x75]);

/** Whether a word in UTF-8 may have written umlauts: most have none, and need not become strings. */
export function mayHaveWrittenDots(word: Buffer, length: number): boolean {
  for (let at = 1; at < length - 1; at++)
    if (word[at] === LETTER_E && VOWELS_BEFORE.has(word[at - 1] as number)) return true;
  return false;
}
