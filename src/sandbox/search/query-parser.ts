import { tokenize, type QueryToken } from './query-tokens';

/** What a query means. A term without operator looks at the whole message. */
export type QueryNode =
  | { readonly kind: 'and' | 'or'; readonly children: readonly QueryNode[] }
  | { readonly kind: 'not'; readonly child: QueryNode }
  | { readonly kind: 'term'; readonly operator: string | undefined; readonly value: string };

export const OPERATORS: ReadonlySet<string> = new Set([
  'from', 'to', 'cc', 'bcc', 'replyto', 'subject', 'list', 'filename', 'deliveredto', 'rfc822msgid', 'label', 'in', 'is',
  'has', 'category', 'after', 'before', 'newer', 'older', 'newer_than', 'older_than', 'size', 'larger', 'smaller',
]); // prettier-ignore

const MAX_DEPTH = 64;

/**
 * Parses a query; never fails, as Gmail's does not: stray brackets and operators are dropped. `OR` binds tighter than
 * the implicit AND (`a b OR c` is `a (b OR c)`), which the provider leaves undocumented.
 */
export function parseQuery(query: string): QueryNode {
  return new Parser(tokenize(query, OPERATORS)).all();
}

class Parser {
  private at = 0;

  constructor(private readonly tokens: readonly QueryToken[]) {}

  all(): QueryNode {
    const nodes: QueryNode[] = [];
    while (this.at < this.tokens.length) {
      nodes.push(this.sequence(undefined, 0));
      // A closing bracket nobody opened.
      this.at++;
    }
    return group('and', nodes);
  }

  private sequence(operator: string | undefined, depth: number): QueryNode {
    const nodes: QueryNode[] = [];
    for (let kind = this.kind(); kind !== undefined && kind !== ')' && kind !== '}'; kind = this.kind()) {
      const node = this.alternatives(operator, depth);
      if (node !== undefined) nodes.push(node);
    }
    return group('and', nodes);
  }

  private alternatives(operator: string | undefined, depth: number): QueryNode | undefined {
    const nodes: QueryNode[] = [];
    const first = this.unary(operator, depth);
    if (first !== undefined) nodes.push(first);
    while (this.kind() === 'or') {
      this.at++;
      const next = this.unary(operator, depth);
      if (next !== undefined) nodes.push(next);
    }
    return nodes.length === 0 ? undefined : group('or', nodes);
  }

  private unary(operator: string | undefined, depth: number): QueryNode | undefined {
    const token = this.tokens[this.at];
    if (token === undefined || token.kind === ')' || token.kind === '}' || token.kind === 'or')
      return undefined;
    this.at++;
    switch (token.kind) {
      case 'not': {
        const child = this.unary(operator, depth);
        return child === undefined ? undefined : { kind: 'not', child };
      }
      case 'operator':
        return this.unary(token.name, depth);
      case '(':
      case '{':
        return this.bracket(token.kind, operator, depth);
      case 'around':
        // `a AROUND 5 b` is taken as `a b`: the distance and the order are not checked.
        if (this.kind() === 'term') this.at++;
        return undefined;
      case 'term':
        return { kind: 'term', operator, value: token.text };
    }
  }

  private bracket(open: '(' | '{', operator: string | undefined, depth: number): QueryNode | undefined {
    if (depth >= MAX_DEPTH) return undefined;
    if (open === '(') {
      const node = this.sequence(operator, depth + 1);
      if (this.kind() === ')') this.at++;
      return node;
    }
    const nodes: QueryNode[] = [];
    for (let kind = this.kind(); kind !== undefined && kind !== '}' && kind !== ')'; kind = this.kind()) {
      const node = this.alternatives(operator, depth + 1);
      if (node !== undefined) nodes.push(node);
    }
    if (this.kind() === '}') this.at++;
    return group('or', nodes);
  }

  private kind(): QueryToken['kind'] | undefined {
    return this.tokens[this.at]?.kind;
  }
}

function group(kind: 'and' | 'or', children: readonly QueryNode[]): QueryNode {
  return children.length === 1
    ? (children[0] as QueryNode)
    : { kind: children.length === 0 ? 'and' : kind, children };
}
