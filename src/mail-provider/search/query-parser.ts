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
      push(nodes, this.sequence(undefined, 0));
      // A closing bracket nobody opened.
      this.at++;
    }
    return group('and', nodes) ?? { kind: 'and', children: [] };
  }

  private sequence(operator: string | undefined, depth: number): QueryNode | undefined {
    const nodes: QueryNode[] = [];
    while (!this.atEndOfGroup()) push(nodes, this.alternatives(operator, depth));
    return group('and', nodes);
  }

  private alternatives(operator: string | undefined, depth: number): QueryNode | undefined {
    const nodes: QueryNode[] = [];
    push(nodes, this.unary(operator, depth));
    while (this.kind() === 'or') {
      this.at++;
      push(nodes, this.unary(operator, depth));
    }
    return group('or', nodes);
  }

  /** A term or bracket with the signs and operators before it; a loop, as there may be any number of them. */
  private unary(outer: string | undefined, depth: number): QueryNode | undefined {
    let operator = outer;
    let negated = false;
    for (; !this.atEndOfGroup() && this.kind() !== 'or';) {
      const token = this.tokens[this.at++] as QueryToken;
      if (token.kind === 'not') negated = !negated;
      else if (token.kind === 'operator') operator = token.name;
      else if (token.kind === 'around') {
        // `a AROUND 5 b` is taken as `a b`: the distance and the order are not checked.
        if (this.kind() === 'term') this.at++;
        return undefined;
      } else {
        const node =
          token.kind === 'term' ? term(operator, token.text) : this.bracket(token.kind, operator, depth);
        return node !== undefined && negated ? { kind: 'not', child: node } : node;
      }
    }
    return undefined;
  }

  private bracket(
    open: QueryToken['kind'],
    operator: string | undefined,
    depth: number,
  ): QueryNode | undefined {
    if (depth >= MAX_DEPTH) return undefined;
    if (open === '(') {
      const node = this.sequence(operator, depth + 1);
      if (this.kind() === ')') this.at++;
      return node;
    }
    const nodes: QueryNode[] = [];
    while (!this.atEndOfGroup()) push(nodes, this.alternatives(operator, depth + 1));
    if (this.kind() === '}') this.at++;
    return group('or', nodes);
  }

  private atEndOfGroup(): boolean {
    const kind = this.kind();
    return kind === undefined || kind === ')' || kind === '}';
  }

  private kind(): QueryToken['kind'] | undefined {
    return this.tokens[this.at]?.kind;
  }
}

function term(operator: string | undefined, value: string): QueryNode {
  return { kind: 'term', operator, value };
}

function push(nodes: QueryNode[], node: QueryNode | undefined): void {
  if (node !== undefined) nodes.push(node);
}

/** Empty groups say nothing and vanish. */
function group(kind: 'and' | 'or', children: readonly QueryNode[]): QueryNode | undefined {
  return children.length > 1 ? { kind, children } : children[0];
}
