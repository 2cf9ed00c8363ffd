import type { QueryNode, QueryTerm } from './query-parser';

/** Formats a term as it would be typed. */
export function formatTerm({ operator, value, quoted }: QueryTerm): string {
  const written = quoted ? `"${value}"` : value;
  return operator === undefined ? written : `${operator}:${written}`;
}

/** Formats a query as it would be typed; read again, it has the same tree. */
export function formatQuery(tree: QueryNode): string {
  return tree.kind === 'and' ? tree.children.map(formatNode).join(' ') : formatNode(tree);
}

function formatNode(node: QueryNode): string {
  if (node.kind === 'term') return formatTerm(node);
  if (node.kind === 'not')
    return `-${node.child.kind === 'not' ? `(${formatNode(node.child)})` : formatNode(node.child)}`;
  const parts = node.children.map(formatNode).join(' ');
  return node.kind === 'and' ? `(${parts})` : `{${parts}}`;
}
