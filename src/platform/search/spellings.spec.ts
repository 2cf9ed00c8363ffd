import { findTerms } from '../../../test/support/search/find-terms';
import { formatQuery, formatTerm } from './format-query';
import { parseQuery } from './query-parser';
import { joinNumbers, spellingsOf } from './spellings';

const spelled = (query: string): string[] =>
  findTerms(parseQuery(query)).flatMap(spellingsOf).map(formatTerm);

describe('spellingsOf', () => {
  it.each<[string, string[]]>([
    ['copper', ['copper']],
    ['Müller', ['Müller', 'muller', 'mueller']],
    ['Mueller', ['Mueller', 'müller', 'muller']],
    ['Muller', ['Muller']],
    ['from:Jörg', ['from:Jörg', 'from:jorg', 'from:joerg']],
    ['Straße', ['Straße', 'strasse']],
    ['Strasse', ['Strasse', 'straße']],
    ['Sørensen', ['Sørensen', 'sorensen']],
    ['café', ['café', 'cafe']],
    ['Müll*', ['Müll*', 'mull*', 'muell*']],
    ['*rückung', ['*rückung', '*ruckung', '*rueckung']],
    ['queue blue', ['queue', 'blue']],
    ['e-mail', ['e-mail', 'email']],
    ["O'Brien", ["O'Brien", 'OBrien']],
    ['OBrien', ['OBrien', "o'brien"]],
    ['OBrie*', ['OBrie*', "o'brie*"]],
    ['71450/36214', ['71450/36214', '7145036214']],
    ['DE89370400440532013000', ['DE89370400440532013000', '"DE89 3704 0044 0532 0130 00"']],
    ['DE89370400440532013001', ['DE89370400440532013001']],
    ['كتاب', ['كتاب', 'الكتاب', 'والكتاب', 'بالكتاب', 'للكتاب']],
  ])('should be those of %s', (query, expected) => {
    expect(spelled(query)).toEqual(expected);
  });

  it.each([
    '"Müller"',
    'from:mueller@firm.example',
    'from:mueller.example',
    'label:Müller',
    'rfc822msgid:müller',
  ])('should be %s alone, as it is written', (query) => {
    expect(spelled(query)).toEqual([query]);
  });

  it('should combine the forms of the words of one value', () => {
    expect(spelled('Müller-Jörg')).toHaveLength(9 + 1);
    expect(spelled('Müller-Jörg-Özil-Üner').length).toBeLessThan(9);
  });
});

describe('joinNumbers', () => {
  it.each([
    ['DE89 3704 0044 0532 0130 00 rent', '{(DE89 3704 0044 0532 0130 00) "DE89370400440532013000"} rent'],
    ['call 0612 345678', 'call {(0612 345678) "0612345678"}'],
    ['-(0612 345678)', '-(0612 345678)'],
    ['0612 from:345678', '0612 from:345678'],
    ['{0612 345678}', '{0612 345678}'],
    ['room 12 34', 'room 12 34'],
  ])('should read %s as %s', (query, expected) => {
    expect(formatQuery(joinNumbers(parseQuery(query)))).toBe(expected);
  });
});
