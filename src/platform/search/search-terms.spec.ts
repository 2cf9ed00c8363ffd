import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  ARCHIVE_TERMS,
  GENERAL_TERMS,
  GMAIL_TERMS,
  requireReadableTerms,
  SearchTermUnsupported,
  findTextPhrases,
} from './search-terms';
import { formatTerm } from './format-query';

const UNREADABLE = [
  ['newer_than:2w', 'newer_than:2w'],
  ['older_than:12h', 'older_than:12h'],
  ['older_than:1.5y', 'older_than:1.5y'],
  ['newer_than:d', 'newer_than:d'],
  ['larger:0.1M', 'larger:0.1M'],
  ['size:1G', 'size:1G'],
  ['larger:1GB', 'larger:1GB'],
  ['smaller:big', 'smaller:big'],
  ['after:2025', 'after:2025'],
  ['after:20250101', 'after:20250101'],
  ['before:1735689600000', 'before:1735689600000'],
  ['after:2025/02/29', 'after:2025/02/29'],
  ['before:2025-13-01', 'before:2025-13-01'],
  ['older:31/12/2024', 'older:31/12/2024'],
  ['newer:2025/00/10', 'newer:2025/00/10'],
  ['after:0025/01/01', 'after:0025/01/01'],
  ['after:yesterday', 'after:yesterday'],
  ['is:unraed', 'is:unraed'],
  ['has:atachment', 'has:atachment'],
  ['category:promo', 'category:promo'],
  ['from:""', 'from:""'],
  ['subject:"!!!"', 'subject:"!!!"'],
  ['filename:*', 'filename:*'],
  ['rfc822msgid:<>', 'rfc822msgid:<>'],
  ['label:""', 'label:""'],
  ['from:()', 'from:()'],
  ['subject:{}', 'subject:()'],
  ['from:to:ada', 'from:'],
  ['newer_than:', 'newer_than:'],
  ['newer_than: 2d', 'newer_than:'],
  ['larger: 5M', 'larger:'],
  ['from:', 'from:'],
  ['(a OR)', 'OR'],
  ['(OR a)', 'OR'],
  ['(a | | b)', 'OR'],
  ['{a OR ()}', 'OR'],
  ['(- from:x)', '-'],
  ['(a - from:x)', '-'],
  ['(a ! (b c))', '-'],
  ['(a - "b c")', '-'],
] as const;

const MEANING_NOTHING = [
  '"',
  '""',
  '-',
  '--',
  '!',
  '()',
  '{}',
  '-()',
  'OR',
  '***',
  '"open',
  'a "open',
  '{a ***}',
  '-(***)',
  'a OR',
  'OR a',
  '- from:x',
  '- a',
];

describe('requireReadableTerms', () => {
  const readable = [
    'from:a to:b cc:c subject:"d e" list:f',
    'is:unread -is:starred in:anywhere label:Bills',
    'has:attachment filename:pdf larger:5M smaller:900k size:1000b older_than:1y newer_than:3m',
    'after:2024/01/01 before:2024-02-29 older:12/31/2024 newer:1735689600',
    'rfc822msgid:<a@b> {x OR y} "AROUND here"',
    'Smith & Sons subject:(Smith & Sons) a - b',
    'form:boss http://example.org -http://example.org -"form:boss" 12:30 -12:30',
    'subject:"from:ada"',
    'Bonjour !',
    'Smith - Sons -x (a - b)',
    '',
    '  ',
  ];

  it.each(readable)('should accept %j', (query) => {
    for (const dialect of [GENERAL_TERMS, GMAIL_TERMS])
      expect(() => requireReadableTerms(query, dialect)).not.toThrow();
  });

  describe.each([
    ['every mailbox', GENERAL_TERMS],
    ['Gmail', GMAIL_TERMS],
  ])('in %s', (_name, dialect) => {
    it.each(UNREADABLE)('should refuse %j by name, negated or not', (query, term) => {
      for (const form of [
        query,
        `-${query}`,
        `subject:live -${query}`,
        `a OR ${query}`,
        `-(a {b -${query}})`,
      ]) {
        expect(() => requireReadableTerms(form, dialect)).toThrow(expect.objectContaining({ term }));
      }
    });

    it.each(MEANING_NOTHING)('should refuse %j, which would mean every message', (query) => {
      expect(() => requireReadableTerms(query, dialect)).toThrow(SearchTermUnsupported);
    });

    it('should refuse brackets nested too deeply to read', () => {
      expect(() => requireReadableTerms('('.repeat(100) + 'a', dialect)).toThrow(
        expect.objectContaining({ term: '(' }),
      );
    });

    it('should refuse a misspelt operator only where it would leave messages out', () => {
      expect(() => requireReadableTerms('a -form:boss', dialect)).toThrow(
        expect.objectContaining({ term: 'form:boss' }),
      );
      expect(() => requireReadableTerms('-(a form:boss)', dialect)).toThrow(
        expect.objectContaining({ term: 'form:boss' }),
      );
      expect(() => requireReadableTerms('-(a -form:boss)', dialect)).not.toThrow();
    });
  });

  it.each([
    ['category:promotions', 'category:promotions'],
    ['from:a {x -category:social}', 'category:social'],
    ['has:drive', 'has:drive'],
    ['is:muted', 'is:muted'],
    ['in:snoozed', 'in:snoozed'],
    ['in:chats', 'in:chats'],
    ['a AROUND 3 b', 'AROUND'],
    ['from: ada', 'from:'],
  ])('should refuse %j, which only Gmail understands', (query, term) => {
    expect(() => requireReadableTerms(query, GENERAL_TERMS)).toThrow(expect.objectContaining({ term }));
    expect(() => requireReadableTerms(query, GMAIL_TERMS)).not.toThrow();
  });

  it.each(['body:x', 'file:x', 'hash:x', 'inv*', 'from:inv*', '"a" -inv*', '*rechnung'])(
    'should refuse %j, which Gmail cannot search for',
    (query) => {
      expect(() => requireReadableTerms(query, GMAIL_TERMS)).toThrow(SearchTermUnsupported);
    },
  );

  it.each(['*short', '*', '-*short', 'from:*ing', '*rech-nung', '*rechnung*', '*abcdef1'])(
    'should refuse %j, an end of words that no index has',
    (query) => {
      expect(() => requireReadableTerms(query, GENERAL_TERMS)).toThrow(SearchTermUnsupported);
      expect(() => requireReadableTerms(query, ARCHIVE_TERMS)).toThrow(SearchTermUnsupported);
    },
  );

  it.each(['*rechnung', '-*rechnung', 'subject:*réunion', '*123456', '"*short"'])(
    'should accept %j',
    (query) => {
      expect(() => requireReadableTerms(query, GENERAL_TERMS)).not.toThrow();
      expect(() => requireReadableTerms(query, ARCHIVE_TERMS)).not.toThrow();
    },
  );

  it.each([
    ['from:ada newer_than:2w', 'newer_than:2w'],
    ['from:ada -( is:unraed )', 'is:unraed'],
    ['a "b c', '"b c'],
    ['a OR', 'OR'],
    ['ab from:to:ada', 'from:to:'],
    ['ab from:()', 'from:()'],
    ['ab -()', '-()'],
    [' "" ', '""'],
    ['a - from:x', '-'],
  ])('should say where the term stands that it refuses in %j', (query, term) => {
    const refusal = (): { span?: { offset: number; length: number } } => {
      try {
        requireReadableTerms(query, GENERAL_TERMS);
      } catch (error) {
        return error as SearchTermUnsupported;
      }
      return {};
    };
    const { offset, length } = refusal().span!;
    expect(query.slice(offset, offset + length)).toBe(term);
  });

  it('should name the labels that must exist', () => {
    const query = 'label:inbox in:sent in:anywhere -label:Misspelt {in:"My work" label:STARRED}';
    expect(requireReadableTerms(query, GMAIL_TERMS).map(formatTerm)).toEqual([
      'label:Misspelt',
      'in:"My work"',
    ]);
  });

  const shared = join(__dirname, '../../../../shared/cases/22-imap-search-values.json');
  (existsSync(shared) ? it : it.skip)('should refuse the values that were seen to select everything', () => {
    const { 'matches nothing, its negation everything': values } = JSON.parse(
      readFileSync(shared, 'utf8'),
    ) as {
      'matches nothing, its negation everything': string[];
    };
    const labels = requireReadableTerms('label:Misspelt', GMAIL_TERMS);
    expect(labels.map(formatTerm)).toEqual(['label:Misspelt']);
    for (const value of values.filter((each) => !each.startsWith('label:'))) {
      expect(() => requireReadableTerms(`-${value}`, GENERAL_TERMS)).toThrow(
        expect.objectContaining({ term: value }),
      );
    }
  });
});

describe('findTextPhrases', () => {
  it('should return the search words as they were written', () => {
    const { phrases, excluded } = findTextPhrases('from:x Réunion "les clés" {a b*} body:c');
    expect([...phrases].map(([phrase, term]) => [phrase, formatTerm(term)])).toEqual([
      [':: reunion ', 'Réunion'],
      [':": les cles ', '"les clés"'],
      [':: a ', 'a'],
      [':: b', 'b*'],
      ['body:: c ', 'body:c'],
    ]);
    expect(excluded).toBeNull();
  });

  it('should report which words must be absent', () => {
    expect(findTextPhrases('socks -invoice').excluded?.value).toBe('invoice');
    expect(findTextPhrases('-(a -b)').excluded?.value).toBe('a');
    expect(findTextPhrases('-from:x').excluded).toBeNull();
  });
});
