import { pickWords } from './picked-words';

describe('pickWords', () => {
  it('should pick the longest of the words as the search has them', () => {
    const random = cycle(0, 0.1, 0.3, 0.5, 0.7, 0.9);
    expect(pickWords('The Plumber’s copper, Zürich', 2, random)).toEqual(['plumber', 'copper']);
  });

  it('should pick none of a text without words', () => {
    expect(pickWords('', 3)).toEqual([]);
    expect(pickWords(' … ?!', 3)).toEqual([]);
  });

  it('should pick no word that a cut may have divided', () => {
    const text = `start${'x'.repeat(70)} middle ${'a '.repeat(40_000)}end`;
    for (let at = 0; at < 1; at += 0.05) {
      const words = pickWords(text, 5, cycle(at, 0.2, 0.6, 0.999));
      expect(words.every((word) => ['middle', 'a', 'end'].includes(word))).toBe(true);
    }
  });

  it('should pick words of scripts without spaces', () => {
    expect(pickWords('東京', 3, cycle(0, 0.9))).toEqual(expect.arrayContaining(['東', '京']));
  });
});

/** Answers these numbers over and over. */
function cycle(...numbers: readonly number[]): () => number {
  let at = 0;
  return () => numbers[at++ % numbers.length]!;
}
