import type { QueryNode, QueryTerm } from '../../../src/platform/search/query-parser';

/** The terms of a query, in their order. */
export function findTerms(node: QueryNode): QueryTerm[] {
  if (node.kind === 'term') return [node];
  return (node.kind === 'not' ? [node.child] : node.children).flatMap(findTerms);
}
