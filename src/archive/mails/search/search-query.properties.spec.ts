import { allowForExamples, anyUtf16, fc, holds } from '../../../../test/support/properties';
import { searchTokens } from './fold-text';
import { parseSearchQuery } from './search-query';
import { tsqueryOf } from './word-query';

allowForExamples();

/** A term that a user searches for, before it is typed. */
interface Wanted {
  readonly words: readonly string[];
  readonly isPhrase: boolean;
  readonly isExcluded: boolean;
}

const VOCABULARY = ['invoice', 'Café', 'straße', '東', 'x1', 'Öl', 'a', 'the'];
/** Separators of words: text without a word, a quote or a minus. */
const SEPARATORS = [' ', '  ', '\t', '\n', ' & ', ' | ', ' ! ', ' ( ', " ' ", ' :* ', ' <-> ', '\\ ', ' , '];

const wanted: fc.Arbitrary<Wanted> = fc
  .record({
    words: fc.array(fc.constantFrom(...VOCABULARY), { minLength: 1, maxLength: 3 }),
    isPhrase: fc.boolean(),
    isExcluded: fc.boolean(),
  })
  .map((term) => (term.isPhrase ? term : { ...term, words: term.words.slice(0, 1) }));

const typed = ({ words, isPhrase, isExcluded }: Wanted): string =>
  (isExcluded ? '-' : '') + (isPhrase ? `"${words.join(' ')}"` : (words[0] as string));

/** Whether a text of these tokens is found, by the meaning of what was wanted alone. */
function isFound(text: readonly string[], terms: readonly Wanted[]): boolean {
  return terms.every(({ words, isPhrase, isExcluded }, index) => {
    const tokens = words.flatMap(searchTokens);
    const isPrefix = index === terms.length - 1 && !isPhrase && !isExcluded;
    const occurs = text.some((_, at) =>
      tokens.every((token, place) => {
        const word = text[at + place] ?? '';
        return isPrefix && place === tokens.length - 1 ? word.startsWith(token) : word === token;
      }),
    );
    return occurs !== isExcluded;
  });
}

/** Whether a text matches a query as PostgreSQL reads it: operands joined by `&`, phrases by `<->`. */
function matches(text: readonly string[], query: string): boolean {
  return query.split(' & ').every((operand) => {
    const isExcluded = operand.startsWith('!');
    const lexemes = [...operand.matchAll(/'([^']*)'(:\*)?/g)].map(([, word = '', star]) => ({
      word,
      isPrefix: star !== undefined,
    }));
    const occurs = text.some((_, at) =>
      lexemes.every(({ word, isPrefix }, place) => {
        const found = text[at + place] ?? '';
        return isPrefix ? found.startsWith(word) : found === word;
      }),
    );
    return occurs !== isExcluded;
  });
}

describe('a query typed to search the archive', () => {
  it('should find the meant mail, whatever separates the words', () => {
    holds(
      500,
      fc.property(
        fc.array(wanted, { minLength: 1, maxLength: 4 }),
        fc.array(fc.constantFrom(...SEPARATORS), { minLength: 1, maxLength: 4 }),
        fc.array(fc.constantFrom(...VOCABULARY, 'invoices', 'them'), { maxLength: 8 }),
        (terms, separators, document) => {
          const input = terms
            .map((term, at) => typed(term) + (separators[at % separators.length] as string))
            .join('');
          const query = parseSearchQuery(input);
          const text = document.flatMap(searchTokens);
          expect([input, query !== null && matches(text, tsqueryOf(query))]).toEqual([
            input,
            isFound(text, terms),
          ]);
        },
      ),
    );
  });

  it('should find the text that it was taken from', () => {
    holds(
      300,
      fc.property(anyUtf16(), fc.nat(10), (text, from) => {
        const tokens = searchTokens(text);
        const part = tokens.slice(from % (tokens.length + 1));
        const query = parseSearchQuery(`"${part.join(' ')}"`);
        if (part.length === 0) expect(query).toBeNull();
        else expect(query !== null && matches(tokens, tsqueryOf(query))).toBe(true);
      }),
    );
  });
});
