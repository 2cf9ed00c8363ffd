import { allowForExamples, fc, holds, mixtureOf } from '../../../test/support/properties';
import { findTerms } from '../../../test/support/search/find-terms';
import { formatQuery } from './format-query';
import { parseQuery, type QueryNode } from './query-parser';

allowForExamples();

/** A tree without the places of its terms. */
function meaningOf(node: QueryNode): unknown {
  if (node.kind === 'term') return [node.operator, node.value, node.quoted];
  return node.kind === 'not' ? ['not', meaningOf(node.child)] : [node.kind, node.children.map(meaningOf)];
}

describe('a formatted query', () => {
  it('should have the tree that it was made of', () => {
    const pieces = ['(', ')', '{', '}', '-', ' ', ' ', ' OR ', ' AND ', '|', 'from:', 'subject:', '"a b"', 'copper', 'x*', '*rechnung', 'é', '+', 'http://a', '&']; // prettier-ignore
    holds(
      2_000,
      fc.property(mixtureOf(pieces, 14), (query) => {
        const tree = parseQuery(query);
        // An operator apart from its value is refused, or sent as it was typed.
        fc.pre(findTerms(tree).every(({ value, quoted }) => quoted || !value.endsWith(':')));
        const formatted = formatQuery(tree);
        expect([query, formatted, meaningOf(parseQuery(formatted))]).toEqual([
          query,
          formatted,
          meaningOf(tree),
        ]);
      }),
    );
  });
});
