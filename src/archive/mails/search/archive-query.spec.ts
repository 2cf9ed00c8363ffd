import { allowForExamples, fc, holds } from '../../../../test/support/properties';
import { SearchTermUnsupported } from '../../../platform/search/search-terms';
import { readArchiveQuery } from './archive-query';
import { parseExclusions, parseSearchQuery } from './search-query';
import { tsqueryOf } from './word-query';

allowForExamples();

const NOW = Date.UTC(2025, 5, 15);

describe('readArchiveQuery', () => {
  it('should read plain text as words, as it always was', async () => {
    const part = fc.constantFrom('invoice', 'café', '-draft', '"annual report"', '-"a b"', 're:', 'http://a.example', 'a@b.example',
      '(030)', '901', 'x*', '*rechnung', "O'Brien", '&', '- ', '...', '東京', '(a b)'); // prettier-ignore
    await holds(
      500,
      fc.asyncProperty(fc.array(part, { minLength: 1, maxLength: 6 }), (parts) => {
        const q = parts.join(' ');
        const { words, exclusions, tests, conditions } = readArchiveQuery(q, NOW);
        expect([q, tests, conditions]).toEqual([q, [], []]);
        expect([q, exclusions]).toEqual([q, parseExclusions(q)]);
        if (exclusions === null) expect([q, words]).toEqual([q, parseSearchQuery(q) ?? { any: [] }]);
        return Promise.resolve();
      }),
    );
  });

  it.each([
    ['subject:invoice from:ada', "'invoice':A & 'ada':B"],
    ['copper OR pipe', "'copper' | 'pipe':*"],
    ['to:ada body:x', "':t:ada' & 'x':D"],
    ['subject:inv* copper', "'inv':*A & 'copper':*"],
    ['subject:copper -from:ada', "'copper':A & !'ada':B"],
  ])('should ask the index of words once for %s', (q, expected) => {
    const { words, exclusions, tests, conditions } = readArchiveQuery(q, NOW);
    expect([exclusions, tests, conditions]).toEqual([null, [], []]);
    const withoutBrackets = tsqueryOf(words!)
      .replace(/[()] ?/g, '')
      .replace(/ +/g, ' ')
      .trim();
    expect(withoutBrackets.split(' & ').sort()).toEqual(expected.split(' & ').sort());
  });

  it('should leave what rows say to tests, and mixtures to conditions', () => {
    expect(readArchiveQuery('has:attachment larger:5K', NOW)).toEqual({
      words: null,
      exclusions: null,
      tests: [{ test: 'attachment' }, { test: 'larger', bytes: 5120 }],
      conditions: [],
    });
    expect(readArchiveQuery('{has:attachment from:ada}', NOW).conditions).toHaveLength(1);
  });

  it('should read any text or refuse a term of it', async () => {
    const part = fc.constantFrom(
      'from:',
      'a',
      'OR',
      '|',
      '-',
      '!',
      '(',
      ')',
      '{',
      '}',
      '"',
      ' ',
      'is:read',
      '*',
      ':',
      'AROUND',
      '+',
      'to:',
    );
    await holds(
      2_000,
      fc.asyncProperty(fc.array(part, { maxLength: 12 }), (parts) => {
        const q = parts.join('');
        try {
          const { words, exclusions, tests, conditions } = readArchiveQuery(q, NOW);
          const isEverything =
            words === null && exclusions === null && tests.length + conditions.length === 0;
          expect([q, isEverything]).toEqual([q, q.trim() === '']);
        } catch (error) {
          expect([q, error]).toEqual([q, expect.any(SearchTermUnsupported)]);
          const { span } = error as SearchTermUnsupported;
          expect([q, span!.offset + span!.length <= q.length]).toEqual([q, true]);
        }
        return Promise.resolve();
      }),
    );
  });
});
