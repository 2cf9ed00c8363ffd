import { decideTerms } from './decide-terms';
import { formatQuery } from './format-query';
import { parseQuery } from './query-parser';

const decided = (query: string): string | boolean => {
  const rest = decideTerms(parseQuery(query), ({ operator, value }) =>
    operator === 'account' ? value === 'mine' : undefined,
  );
  return typeof rest === 'boolean' ? rest : formatQuery(rest);
};

describe('decideTerms', () => {
  it.each([
    ['copper', 'copper'],
    ['account:mine', true],
    ['account:other', false],
    ['-account:other', true],
    ['account:mine copper', 'copper'],
    ['account:other copper', false],
    ['{account:mine copper}', true],
    ['{account:other copper}', 'copper'],
    ['{account:other copper pipe}', '{copper pipe}'],
    ['-(account:mine copper)', '-copper'],
    ['-(account:other copper) pipe', 'pipe'],
    ['-{account:mine copper} pipe', false],
    ['', ''],
  ])('should leave of %j: %j', (query, expected) => {
    expect(decided(query)).toBe(expected);
  });
});
