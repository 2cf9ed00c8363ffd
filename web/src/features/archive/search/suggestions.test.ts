import { describe, expect, it } from 'vitest';
import { suggestionsFor } from './suggestions';

const NOTHING = { recent: [], saved: [] };
const KEPT = {
  recent: ['copper pipe', 'from:ada', 'roof'],
  saved: [{ name: 'Invoices of the plumber', query: 'from:plumber invoice' }],
};

const queriesFor = (typed: string, kept = NOTHING as Parameters<typeof suggestionsFor>[1]): string[] =>
  suggestionsFor(typed, kept).map(({ q }) => q);

describe('suggestions for a search', () => {
  it.each([
    ['fr', ['from:']],
    ['invoice fr', ['invoice from:']],
    ['-fr', ['-from:']],
    ['(fr', ['(from:']],
    ['FR', ['from:']],
    ['un', ['is:unread ']],
    ['is:', ['is:unread ', 'is:starred ', 'is:important ']],
    ['newer', ['newer_than:']],
  ])('should complete the term of %s', (typed, wanted) => {
    expect(queriesFor(typed)).toEqual(wanted);
  });

  it.each(['', 'invoice ', 'from:', 'from:a', '"words fr', 'zzz'])(
    'should offer no term for "%s"',
    (typed) => {
      expect(queriesFor(typed)).toEqual([]);
    },
  );

  it('should be the searches of before while nothing is typed', () => {
    expect(queriesFor('', KEPT)).toEqual(['copper pipe', 'from:ada', 'roof', 'from:plumber invoice']);
  });

  it('should be those searches of before that have what is typed', () => {
    expect(queriesFor('PIPE', KEPT)).toEqual(['copper pipe']);
    expect(queriesFor('plumb', KEPT)).toEqual(['from:plumber invoice']);
    expect(queriesFor('roof', KEPT)).toEqual([]);
  });
});
