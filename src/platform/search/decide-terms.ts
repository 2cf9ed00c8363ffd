import type { QueryNode, QueryTerm } from './query-parser';

/**
 * Takes the terms out of a query whose answer is known before any message is looked at.
 * @param decide whether all messages have it, or none does; undefined when that depends on the message
 * @returns the rest, or the answer for all messages when that is known
 */
export function decideTerms(
  node: QueryNode,
  decide: (term: QueryTerm) => boolean | undefined,
): QueryNode | boolean {
  if (node.kind === 'term') return decide(node) ?? node;
  if (node.kind === 'not') {
    const child = decideTerms(node.child, decide);
    return typeof child === 'boolean' ? !child : { kind: 'not', child };
  }
  const ends = node.kind === 'or';
  const children = node.children.map((child) => decideTerms(child, decide));
  if (children.includes(ends)) return ends;
  const open = children.filter((child) => typeof child !== 'boolean');
  if (open.length === 0 && node.children.length > 0) return !ends;
  return open.length === 1 ? open[0]! : { kind: node.kind, children: open };
}
