import { allowForExamples, anyUtf16, fc, holds, mixtureOf } from '../../../test/support/properties';
import { OPERATORS } from './query-parser';
import { compileSearch, type SearchContext } from './search-compiler';
import { GENERAL_TERMS, requireReadableTerms, SearchTermUnsupported } from './search-terms';

allowForExamples();

const context: SearchContext = {
  now: Date.UTC(2025, 5, 15),
  email: 'me@sandbox.test',
  accountId: 'a',
  labelId: (name) => (name.toLowerCase() === 'inbox' ? 'INBOX' : undefined),
  isUserLabel: () => false,
  isSpelled: false,
  unreadable: 'refused',
};

const refuses = (query: string): boolean => {
  try {
    requireReadableTerms(query, GENERAL_TERMS);
    compileSearch(query, context);
    return false;
  } catch (error) {
    if (error instanceof SearchTermUnsupported) return true;
    throw error;
  }
};

/** Values that no operator but those of text can read. */
const garbage = fc.stringMatching(/^[a-z0-9.,/_-]{0,12}$/).map((text) => `zz${text}q`);
const operator = fc.constantFrom(...OPERATORS);
const OF_TEXT = new Set([
  'from',
  'to',
  'cc',
  'bcc',
  'replyto',
  'subject',
  'list',
  'filename',
  'deliveredto',
  'rfc822msgid',
  'body',
  'account',
]);

describe('a search with a value that cannot be read', () => {
  it('should be refused for every operator, including negated ones', () => {
    holds(
      500,
      fc.property(operator, garbage, (name, value) => {
        if (OF_TEXT.has(name)) return;
        for (const query of [`${name}:${value}`, `-${name}:${value}`, `from:ada -(b ${name}:${value})`])
          expect([query, refuses(query)]).toEqual([query, true]);
      }),
    );
  });

  it('should be refused for text operators when there is no word to search for', () => {
    holds(
      200,
      fc.property(operator, fc.stringMatching(/^[!?*.,;&/ ]{0,5}$/), (name, value) => {
        for (const query of [`${name}:"${value}"`, `-${name}:"${value}"`])
          expect([query, refuses(query)]).toEqual([query, true]);
      }),
    );
  });

  it('should never be read as matching all messages, or all that its negation leaves', () => {
    const text = fc.oneof(
      anyUtf16(30),
      mixtureOf([
        '"',
        '(',
        ')',
        '{',
        '}',
        '-',
        '!',
        '+',
        '|',
        ' OR ',
        ' ',
        'from:',
        'label:',
        'newer_than:',
        '2w',
        '*',
        '&',
      ]),
    );
    const odd = {
      labels: new Set(['Nothing']),
      internalDate: Date.UTC(1990, 0, 1),
      facts: () => ({
        from: '', to: '', cc: '', bcc: '', subject: '', replyTo: '', deliveredTo: '', list: '', messageId: '', attachmentNames: [], hasAttachment: false,
      }), // prettier-ignore
      size: () => 1,
      hasText: () => false,
    };
    holds(
      1_000,
      fc.property(text, (query) => {
        if (query.trim() === '' || refuses(query)) return;
        // A message without any words matches only what a readable negation lets through.
        if (/[-!]/.test(query)) return;
        expect([query, compileSearch(query, context).matches(odd)]).toEqual([query, false]);
      }),
    );
  });
});
