import { excerptOf, highlighted } from './excerpt';
import { rankMetadata } from './metadata-rank';
import { soughtTerms } from './sought-terms';
import { findMatches } from './text-matches';

/** The marked parts of a text. */
const marked = (query: string, text: string, field: 'text' | 'subject' | 'sender' = 'text'): string[] =>
  findMatches(text, soughtTerms(query), field).map(({ start, end }) => text.slice(start, end));

describe('findMatches', () => {
  it.each<[string, string, string[]]>([
    ['copper', 'Copper, copper and coppers', ['Copper', 'copper', 'coppers']],
    ['copper pipes', 'A copper pipe and coppers', ['copper']],
    ['"copper pipes"', 'copper, pipes; copper old pipes', ['copper, pipes']],
    ['cafe x', 'Ein Café', ['Café']],
    ['müller x', 'Mueller, Muller and Müller', ['Mueller', 'Muller', 'Müller']],
    ['muller x', 'Mueller, Muller and Müller', ['Mueller', 'Muller', 'Müller']],
    ['inv* x', 'Invoices and inventory', ['Invoices', 'inventory']],
    ['*rechnung x', 'Die Stromrechnung', ['Stromrechnung']],
    ['-copper pipes', 'copper pipes', ['pipes']],
    ['copper OR lead', 'lead or copper', ['lead', 'copper']],
    ['DE89370400440532013000', 'to DE89 3704 0044 0532 0130 00.', ['DE89 3704 0044 0532 0130 00']],
    ['"DE89 3704 0044 0532 0130 00"', 'to DE89370400440532013000.', ['DE89370400440532013000']],
    ['0612345678', 'call +33 6 12 34 56 78 now', ['33 6 12 34 56 78']],
    ['subject:copper', 'copper', []],
    ['larger:1M', '1M', []],
    ['書類 x', '重要書類です', ['書類']],
  ])('should mark for %j in %j %j', (query, text, expected) => {
    expect(marked(query, text)).toEqual(expected);
  });

  it('should mark the words of an operator in its field only', () => {
    expect(marked('from:paul copper', 'Paul', 'sender')).toEqual(['Paul']);
    expect(marked('from:paul copper', 'Paul copper', 'subject')).toEqual(['copper']);
  });

  it('should find no more than 500 places, in a text of any length', () => {
    expect(marked('copper x', 'copper '.repeat(100_000))).toHaveLength(500);
  });
});

describe('excerptOf', () => {
  const long = `${'Nothing here. '.repeat(100)}copper ${'and more of this. '.repeat(20)}copper pipes ${'rest '.repeat(200)}`;

  it('should show the part in which most of the words stand together', () => {
    const excerpt = excerptOf(long, soughtTerms('copper pipes x'), 'text')!;
    expect(excerpt.text).toMatch(/^….*copper pipes rest.*…$/);
    expect(excerpt.highlights.map(({ start, end }) => excerpt.text.slice(start, end))).toEqual([
      'copper',
      'pipes',
    ]);
    expect(excerpt.text.length).toBeLessThanOrEqual(242);
  });

  it('should show a short text whole, in one line', () => {
    expect(excerptOf('The\r\n copper\tpipes', soughtTerms('copper x'), 'text')).toEqual({
      text: 'The copper pipes',
      highlights: [{ start: 4, end: 10 }],
    });
  });

  it('should have none for a text that does not match', () => {
    expect(excerptOf('lead', soughtTerms('copper'), 'text')).toBeNull();
    expect(excerptOf('', soughtTerms('copper'), 'text')).toBeNull();
    expect(highlighted('lead', soughtTerms('copper'), 'subject')).toBeNull();
  });

  it('should mark all words of a subject', () => {
    expect(highlighted('Copper and copper', soughtTerms('copper'), 'subject')!.highlights).toEqual([
      { start: 0, end: 6 },
      { start: 11, end: 17 },
    ]);
  });
});

describe('rankMetadata', () => {
  const message = { subject: 'Copper', from: 'Paul <paul@plumber.example>', to: 'me@example.com' };

  it('should put the subject before the sender, and both before the text', () => {
    const rank = (query: string): number => rankMetadata(message, soughtTerms(query));
    expect(rank('copper')).toBeGreaterThan(rank('paul'));
    expect(rank('paul')).toBeGreaterThan(rank('zinc'));
    expect(rank('zinc')).toBeGreaterThan(0);
    expect(rank('larger:1M')).toBe(0);
  });
});
