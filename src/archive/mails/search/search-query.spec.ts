import { parseExclusions, parseSearchQuery } from './search-query';
import { tsqueryOf, type WordQuery } from './word-query';

const textOf = (query: WordQuery | null): string | null => query && tsqueryOf(query);

describe('parseSearchQuery', () => {
  it.each<[string, string | null]>([
    ['invoice', "'invoice':*"],
    ['invoice ', "'invoice':*"],
    ['Café bill', "'cafe' & 'bill':*"],
    ['"cafe bill"', "( 'cafe' <-> 'bill' )"],
    ['"invoice"', "'invoice'"],
    ['-spam', "!'spam'"],
    ['invoice -spam', "'invoice' & !'spam'"],
    ['-"big sale" boots', "!( 'big' <-> 'sale' ) & 'boots':*"],
    ['alice@example.com', "( 'alice' <-> 'example' <-> 'com':* )"],
    ['alice@example.com bill', "( 'alice' <-> 'example' <-> 'com' ) & 'bill':*"],
    ['well-known', "( ( 'well' <-> 'known':* ) | 'wellknown':* )"],
    ['--x', "!'x'"],
    ['“smart quotes”', "( 'smart' <-> 'quotes' )"],
    ['"never closed', "( 'never' <-> 'closed' )"],
    ['pre"in quotes"post', "'pre' & ( 'in' <-> 'quotes' ) & 'post':*"],
    ['東京', "( '東' <-> '京':* )"],
    ['bill !!!', "'bill':*"],
    ['inv* paid', "'inv':* & 'paid':*"],
    ['paid -inv* "acme"', "'paid' & !'inv':* & 'acme'"],
    ['"inv*" paid', "'inv' & 'paid':*"],
    ['bill -', "'bill':*"],
    ['bill ""', "'bill':*"],
    ["o'brien & (x | y):*", "( ( 'o' <-> 'brien' ) | 'obrien' ) & 'x' & 'y':*"],
    ['OBrien lives', "( 'obrien' | ( 'o' <-> 'brien' ) ) & 'lives':*"],
    ['Mueller -x', "( 'mueller' | 'muller' ) & !'x'"],
    ['*rechnung paid', "( 'rechnung' | '<gnunhcer':* ) & 'paid':*"],
    ['*buch', "'buch':*"],
    ['71450/36214 x', "( ( '71450' <-> '36214' ) | '7145036214' ) & 'x':*"],
    ['030 901 820 x', "( ( '030' & '901' & '820' ) | '<02810903':* ) & 'x':*"],
    [
      'DE89 3704 0044 0532 0130 00 x',
      "( ( 'de89' & '3704' & '0044' & '0532' & '0130' & '00' ) | 'de89370400440532013000' ) & 'x':*",
    ],
    ["'; drop table --", "'drop' & 'table':*"],
    ['', null],
    ['   ', null],
    ['-', null],
    ['"" -"" &|!', null],
    ['😀', null],
  ])('should turn %j into %s', (input, expected) => {
    expect(textOf(parseSearchQuery(input))).toBe(expected);
  });

  it('should limit overlong input', () => {
    const words = textOf(parseSearchQuery('word '.repeat(5_000)));
    expect(words?.split(' & ')).toHaveLength(100);
    expect(textOf(parseSearchQuery('w'.repeat(100_000)))).toBe(`'${'w'.repeat(64)}':*`);
  });

  it('should only ever produce quoted lexemes and operators', () => {
    const pieces = [
      "'",
      '"',
      '\\',
      '&',
      '|',
      '!',
      '<->',
      ':*',
      '(',
      ')',
      ' ',
      '-',
      '\n',
      'a',
      'été',
      '日本',
      '😀',
      '\ud800',
      '\0',
    ];
    const lexeme = /'<?[\p{L}\p{N}\p{M}]+'(?::\*)?/gu;
    const bracket = /\( w(?: (?:<->|&|\|) w)* \)/g;
    const isValid = (query: string): boolean => {
      let rest = query.replace(lexeme, 'w');
      for (let before = ''; before !== rest; rest = rest.replace(bracket, 'w')) before = rest;
      return /^!?w(?: & !?w)*$/.test(rest);
    };
    let state = 7;
    for (let round = 0; round < 5_000; round++) {
      let input = '';
      for (let index = 0; index < 10; index++) {
        state = (state * 1_103_515_245 + 12_345) & 0x7fffffff;
        input += pieces[(state >> 8) % pieces.length] as string;
      }
      const query = textOf(parseSearchQuery(input));
      if (query !== null) expect([query, isValid(query)]).toEqual([query, true]);
    }
  });
});

describe('parseExclusions', () => {
  it.each([
    ['-a', "'a'"],
    ['-a -"b c" --d', "'a' | ( 'b' <-> 'c' ) | 'd'"],
    ['-a ☕', "'a'"],
    ['-a b', null],
    ['a', null],
    ['☕', null],
    ['', null],
  ])('should read %j as %j', (input, expected) => {
    expect(textOf(parseExclusions(input))).toBe(expected);
  });
});
