import { searchTokens } from './fold-text';
import {
  fitTogether,
  indexWords,
  MAX_POSITIONS_PER_LEXEME,
  NO_WORDS,
  PASSAGE_OVERLAP,
  quoteLexeme,
} from './search-vector';

const empty = { subject: '', sender: '', recipients: '', attachmentNames: [], text: '' };

/** The size PostgreSQL counts against its limit: lexeme, alignment, count and positions. */
function storedBytes(vector: string): number {
  return vector.split(' ').reduce((sum, entry) => {
    const colon = entry.lastIndexOf(':');
    return sum + Buffer.byteLength(entry.slice(1, colon - 1)) + 4 + entry.slice(colon).split(',').length * 2;
  }, 0);
}

const numbered = (count: number): string =>
  Array.from({ length: count }, (_, index) => `w${index}`).join(' ');

/** The words of a vector by position, as they are written. */
function wordsIn(vector: string): (string | undefined)[] {
  const words: (string | undefined)[] = [];
  for (const [, word, positions = ''] of vector.matchAll(/'([^'<]*)':(\S+)/g))
    for (const position of positions.split(',')) {
      const at = parseInt(position, 10);
      // A word and its spelling without a written umlaut ("mueller", "muller") stand at one place.
      if (word!.length > (words[at]?.length ?? 0)) words[at] = word;
    }
  return words;
}

/** Positions count from the first word of the body, whose fields before it are empty. */
const positioned = (vector: string): string[] => {
  const entries = [...vector.matchAll(/('[^']*'):(\d+)/g)];
  const first = Math.min(...entries.map(([, , at]) => Number(at)));
  return entries.map(([, word, at]) => `${word}:${Number(at) - first + 1}`);
};

describe('indexWords', () => {
  it('should weight fields and keep them apart', () => {
    const { vector } = indexWords({
      subject: 'Café bill',
      sender: 'Al <al@x.org>',
      recipients: 'bo@x.org',
      attachmentNames: ['bill.pdf'],
      text: 'the bill',
    });
    expect(vector).toBe(
      "'cafe':1A 'bill':2A,58C,77 'al':19B,20B 'x':21B,40C 'org':22B,41C 'bo':39C 'pdf':59C 'the':76",
    );
  });

  it.each([
    ['Rechnungen', "'rechnungen':1 '<negnunhcer':1"],
    ['Straße 1234567', "'strasse':1 '<essarts':1 '1234567':2 '<7654321':2"],
    ['Счёт-фактура', "'счет':1 'фактура':2 '<аруткаф':2"],
    ['short x1234567y', "'short':1 'x1234567y':2"],
    ['Mueller Poet queue', "'mueller':1 'muller':1 '<relleum':1 'poet':2 'pot':2 'queue':3"],
    ['71450/36214', "'71450':1 '36214':2 '7145036214':19 '<4126305417':19"],
  ])('should index %s also in the spellings that it is searched by', (text, expected) => {
    expect(positioned(indexWords({ ...empty, text }).vector)).toEqual(positioned(expected));
  });

  it('should be empty for a mail without words', () => {
    expect(indexWords(empty)).toEqual(NO_WORDS);
  });

  it.each([
    ['a word 256 times', 'the '.repeat(256)],
    ['16,000 words', numbered(16_000)],
  ])('should keep %s in one vector', (_, text) => {
    const { vector, passages } = indexWords({ ...empty, text });
    expect(passages).toEqual([]);
    expect(wordsIn(vector).filter(Boolean)).toHaveLength(text.trim().split(' ').length);
  });

  it.each([
    ['a word more often than 256 times', 'the '.repeat(1_000)],
    [
      'addresses of a list',
      Array.from({ length: 600 }, (_, index) => `person${index}@club.example`).join(', '),
    ],
    ['more than 16,383 words', numbered(40_000)],
    [
      'ideographs',
      String.fromCodePoint(...Array.from({ length: 40_000 }, (_, index) => 0x4e00 + (index % 700))),
    ],
    ['short words', Array.from({ length: 90_000 }, (_, index) => `a${index.toString(36)}`).join(' ')],
    ['long words', Array.from({ length: 40_000 }, (_, index) => `${'é'.repeat(50)}${index}`).join(' ')],
  ])('should divide %s into passages that have each phrase', (_, text) => {
    const { vector, passages, isCut } = indexWords({ ...empty, subject: 'minutes', text });
    expect([vector, isCut]).toEqual(['', false]);
    expect(wordsIn(passages[0]!)[1]).toBe('minutes');
    const all: string[] = [];
    for (const passage of passages) {
      expect(storedBytes(passage)).toBeLessThanOrEqual(900_000);
      const words = wordsIn(passage).flatMap((word) =>
        word === undefined || word === 'minutes' ? [] : word,
      );
      const repeated = all.length === 0 ? 0 : PASSAGE_OVERLAP;
      expect(words.slice(0, repeated)).toEqual(all.slice(all.length - repeated));
      all.push(...words.slice(repeated));
    }
    expect(all).toEqual(searchTokens(text));
  });

  it('should say that it keeps no more than 1,000 passages', () => {
    const { passages, isCut } = indexWords({ ...empty, text: 'a '.repeat(200_000) });
    expect([passages.length, isCut]).toEqual([1_000, true]);
  });
});

describe('fitTogether', () => {
  const many = indexWords({ ...empty, text: 'com '.repeat(MAX_POSITIONS_PER_LEXEME - 1) });
  const one = indexWords({ ...empty, text: 'com' });
  const two = indexWords({ ...empty, text: 'com com' });
  const long = indexWords({ ...empty, text: 'com '.repeat(300) });
  const far = indexWords({ ...empty, text: numbered(16_300) });

  it.each([
    ['few words', one, two, true],
    ['256 times one word', many, one, true],
    ['257 times one word', many, two, false],
    ['more positions than there are', far, many, false],
    ['passages', one, long, false],
  ])('should judge %s', (_, first, second, expected) => {
    expect(fitTogether(first, second)).toBe(expected);
  });
});

describe('quoteLexeme', () => {
  it('should double quotes and backslashes', () => {
    expect(quoteLexeme("it's a \\ b")).toBe("'it''s a \\\\ b'");
  });
});
