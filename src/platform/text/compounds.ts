/** `e-mail`, `O'Brien`: also written as one word. */
const COMPOUND = /^[\p{Lu}\p{Ll}\p{M}\p{N}]+(?:['’‐-][\p{Lu}\p{Ll}\p{M}\p{N}]+)+\*?$/u;
const MAX_JOINED_WORDS = 4;

/** Whether a text of so many words, or the beginning of one, is also written as one word. */
export const isCompound = (text: string, words: number): boolean =>
  words > 1 && words <= MAX_JOINED_WORDS && COMPOUND.test(text);

const IRISH = /^o(?=[b-df-hj-np-tv-z])(?<name>[a-z]{4,20})$/;

/** The name after its O, `brien` of `obrien`; null for other words. */
export const nameAfterO = (word: string): string | null => IRISH.exec(word)?.groups?.name ?? null;
