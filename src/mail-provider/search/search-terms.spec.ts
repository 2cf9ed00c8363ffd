import { requireGeneralTerms, SearchTermUnsupported, textPhrases } from './search-terms';

describe('requireGeneralTerms', () => {
  it.each([
    'from:a to:b cc:c subject:"d e" list:f',
    'is:unread -is:starred in:anywhere label:Bills',
    'has:attachment filename:pdf larger:5M older_than:1y after:2024/01/01',
    'rfc822msgid:<a@b> {x OR y} "AROUND here"',
    '',
  ])('should accept %j', (query) => expect(() => requireGeneralTerms(query)).not.toThrow());

  it.each([
    ['category:promotions', 'category:promotions'],
    ['from:a {x -category:social}', 'category:social'],
    ['has:drive', 'has:drive'],
    ['is:muted', 'is:muted'],
    ['in:snoozed', 'in:snoozed'],
    ['in:chats', 'in:chats'],
    ['label:CATEGORY_FORUMS', 'label:CATEGORY_FORUMS'],
    ['a AROUND 3 b', 'AROUND'],
  ])('should refuse %j by name', (query, term) => {
    expect(() => requireGeneralTerms(query)).toThrow(new SearchTermUnsupported(term));
  });
});

describe('textPhrases', () => {
  it('should give the words to look for as they were written', () => {
    const { phrases, excluded } = textPhrases('from:x Réunion "les clés" {a b}');
    expect([...phrases]).toEqual([
      [' reunion ', 'Réunion'],
      [' les cles ', 'les clés'],
      [' a ', 'a'],
      [' b ', 'b'],
    ]);
    expect(excluded).toBeNull();
  });

  it('should say which word must not be there', () => {
    expect(textPhrases('socks -invoice').excluded).toBe('invoice');
    expect(textPhrases('-(a -b)').excluded).toBe('a');
    expect(textPhrases('-from:x').excluded).toBeNull();
  });
});
