import { tokenize, type QuerySpan, type QueryToken } from './query-tokens';
import { searchWords } from './search-values';

/** A term of a query. Without an operator it is searched for in the whole message. Its span begins with its operator. */
export interface QueryTerm extends QuerySpan {
  readonly kind: 'term';
  readonly operator: string | undefined;
  readonly value: string;
  readonly quoted: boolean;
}

/** The meaning of a query. */
export type QueryNode =
  | { readonly kind: 'and' | 'or'; readonly children: readonly QueryNode[] }
  | { readonly kind: 'not'; readonly child: QueryNode }
  | QueryTerm;

/** A part of a query that was dropped or completed. */
export interface UnreadablePart extends QuerySpan {
  /** Its text in the query: `"open`, `from:()`, `-`. */
  readonly text: string;
  readonly reason: 'unclosed' | 'sign' | 'nothing' | 'alternative' | 'operator' | 'depth';
}

/** A query, and the parts of it that `parseQuery` drops or completes. */
export interface ReadQuery {
  readonly tree: QueryNode;
  readonly tokens: readonly QueryToken[];
  readonly unreadable: readonly UnreadablePart[];
}

/** Operators whose value is text in a field of the message. */
export const TEXT_OPERATORS: ReadonlySet<string> = new Set([
  'from', 'to', 'cc', 'bcc', 'replyto', 'subject', 'list', 'filename', 'deliveredto', 'rfc822msgid', 'body', 'file', 'hash',
  'account',
]); // prettier-ignore

export const OPERATORS: ReadonlySet<string> = new Set([
  'from', 'to', 'cc', 'bcc', 'replyto', 'subject', 'list', 'filename', 'deliveredto', 'rfc822msgid', 'label', 'in', 'is',
  'has', 'category', 'body', 'file', 'hash', 'account', 'after', 'before', 'newer', 'older', 'newer_than', 'older_than', 'size', 'larger', 'smaller',
]); // prettier-ignore

const MAX_DEPTH = 64;

/**
 * Parses a query; never fails, as Gmail's does not: stray brackets and operators are dropped. `OR` binds tighter than
 * the implicit AND (`a b OR c` is `a (b OR c)`), which the provider leaves undocumented. See ADR 119.
 */
export function parseQuery(query: string): QueryNode {
  return readQuery(query).tree;
}

/** Parses a query like `parseQuery`, and lists the parts that it had to drop or complete. */
export function readQuery(query: string): ReadQuery {
  const all = tokenize(query, OPERATORS);
  const { tokens, misplaced } = dropSigns(all.filter(({ kind }) => kind !== 'and'));
  const parser = new Parser(tokens);
  const tree = dropBlankWords(parser.parseAll());
  const { unreadable } = parser;
  const isEmpty = tree.kind === 'and' && tree.children.length === 0;
  // An empty query means every message. A query that has text but no meaning must not.
  if (misplaced && !isEmpty) unreadable.push({ ...spanOf(misplaced), text: '-', reason: 'sign' });
  if (isEmpty && query.trim() !== '' && unreadable.length === 0) unreadable.push(wholeOf(query));
  return { tree, tokens: all, unreadable };
}

const spanOf = ({ offset, length }: QuerySpan): QuerySpan => ({ offset, length });

function wholeOf(query: string): UnreadablePart {
  const text = query.trim();
  return { text, offset: query.indexOf(text), length: text.length, reason: 'nothing' };
}

/**
 * Drops signs that stand apart from a value, as in `Smith - Sons` and `Bonjour !`. At the start, or before anything but
 * a word, such a sign may be meant as a negation: without it the query would say the opposite, so it is reported as
 * misplaced.
 */
function dropSigns(tokens: readonly QueryToken[]): {
  readonly tokens: readonly QueryToken[];
  readonly misplaced: QueryToken | undefined;
} {
  const isText = (at: number): boolean => {
    const before = tokens[at - 1]?.kind;
    const next = tokens[at + 1];
    const ends = next === undefined || next.kind === ')' || next.kind === '}' || next.kind === 'sign';
    const isWord = next?.kind === 'term' && !next.quoted;
    return (before === 'term' || before === 'sign') && (ends || isWord);
  };
  const isMisplaced = ({ kind }: QueryToken, at: number): boolean => kind === 'sign' && !isText(at);
  return { tokens: tokens.filter(({ kind }) => kind !== 'sign'), misplaced: tokens.find(isMisplaced) };
}

/** Whether a term has no letter or digit to look for. */
export function isBlankText({ operator, value }: QueryTerm): boolean {
  return (operator === undefined || TEXT_OPERATORS.has(operator)) && searchWords(value).trim() === '';
}

/** Drops words without letters and digits beside words of the same kind: `Smith & Sons` is `Smith Sons`. */
function dropBlankWords(node: QueryNode): QueryNode {
  if (node.kind === 'term') return node;
  if (node.kind === 'not') return { kind: 'not', child: dropBlankWords(node.child) };
  const children = node.children.map(dropBlankWords);
  if (node.kind === 'or') return { kind: 'or', children };
  const saying = children.filter((child) => child.kind !== 'term' || !isBlankText(child));
  const isMatched = (blank: QueryTerm): boolean =>
    saying.some(
      (child) => blank.operator === undefined || (child.kind === 'term' && child.operator === blank.operator),
    );
  const left = children.filter((child) => child.kind !== 'term' || !isBlankText(child) || !isMatched(child));
  return left.length === 1 ? (left[0] as QueryNode) : { kind: 'and', children: left };
}

class Parser {
  readonly unreadable: UnreadablePart[] = [];
  private at = 0;

  constructor(private readonly tokens: readonly QueryToken[]) {}

  parseAll(): QueryNode {
    const nodes: QueryNode[] = [];
    while (this.at < this.tokens.length) {
      push(nodes, this.parseSequence(undefined, 0));
      // Skips a closing bracket without an opening one.
      this.at++;
    }
    return group('and', nodes) ?? { kind: 'and', children: [] };
  }

  private parseSequence(operator: string | undefined, depth: number): QueryNode | undefined {
    const nodes: QueryNode[] = [];
    while (!this.atEndOfGroup()) push(nodes, this.parseAlternatives(operator, depth));
    return group('and', nodes);
  }

  private parseAlternatives(operator: string | undefined, depth: number): QueryNode | undefined {
    const nodes: QueryNode[] = [];
    let node = this.parseUnary(operator, depth);
    push(nodes, node);
    while (this.peekKind() === 'or') {
      const or = this.tokens[this.at++] as QueryToken;
      const before = node;
      node = this.parseUnary(operator, depth);
      push(nodes, node);
      // Without one of its sides the query would find more, or less, than was meant.
      if (before === undefined || node === undefined)
        this.unreadable.push({ ...spanOf(or), text: 'OR', reason: 'alternative' });
    }
    return group('or', nodes);
  }

  /** Parses a term or bracket with the signs and operators before it, of which there may be any number. */
  private parseUnary(outer: string | undefined, depth: number): QueryNode | undefined {
    let operator = outer;
    let negated = false;
    const start = this.at;
    for (; !this.atEndOfGroup() && this.peekKind() !== 'or';) {
      const token = this.tokens[this.at++] as QueryToken;
      if (token.kind === 'not') negated = !negated;
      else if (token.kind === 'operator') {
        // `from:to:ada` is `to:ada`.
        if (operator !== outer) this.report(`${operator}:`, 'operator', start);
        operator = token.name;
      } else if (token.kind === 'around') {
        // `a AROUND 5 b` is taken as `a b`: the distance and the order are not checked.
        if (this.peekKind() === 'term') this.at++;
        return undefined;
      } else {
        const node =
          token.kind === 'term' ? this.parseTerm(token, operator) : this.parseBracket(token, operator, depth);
        if (node === undefined) this.requireNothingBefore(operator, negated, '()', start);
        return node !== undefined && negated ? { kind: 'not', child: node } : node;
      }
    }
    this.requireNothingBefore(operator === outer ? undefined : operator, negated, '', start);
    return undefined;
  }

  /** Reports an operator or a sign whose value is missing. @param start the first of their tokens */
  private requireNothingBefore(
    operator: string | undefined,
    negated: boolean,
    value: string,
    start: number,
  ): void {
    if (operator !== undefined) this.report(`${operator}:${value}`, 'operator', start);
    else if (negated) this.report(`-${value}`, 'sign', start);
  }

  /** Reports the tokens from one on to the last that was read. */
  private report(text: string, reason: UnreadablePart['reason'], start: number): void {
    const first = this.tokens[start] as QueryToken;
    const last = this.tokens[this.at - 1] ?? first;
    const { offset } = first;
    this.unreadable.push({ text, reason, offset, length: last.offset + last.length - offset });
  }

  private parseTerm(token: QueryToken & { kind: 'term' }, operator: string | undefined): QueryTerm {
    const { text, quoted } = token;
    if (token.unclosed) this.report(`"${text}`, 'unclosed', this.at - 1);
    else if (!quoted && this.isOperatorWithoutValue(text)) this.report(text, 'operator', this.at - 1);
    const before = this.tokens[this.at - 2];
    const isBeside = before?.kind === 'operator' && before.offset + before.length === token.offset;
    const offset = isBeside ? before.offset : token.offset;
    const length = token.offset + token.length - offset;
    return { kind: 'term', operator, value: text, quoted, offset, length };
  }

  /** Whether `from:` is followed by nothing that could be its value. */
  private isOperatorWithoutValue(text: string): boolean {
    const next = this.peekKind();
    const isFollowed =
      next === 'term' || next === '(' || next === '{' || next === 'operator' || next === 'not';
    return !isFollowed && text.endsWith(':') && OPERATORS.has(text.slice(0, -1).toLowerCase());
  }

  private parseBracket(open: QueryToken, operator: string | undefined, depth: number): QueryNode | undefined {
    if (depth >= MAX_DEPTH) {
      this.report(open.kind, 'depth', this.at - 1);
      return undefined;
    }
    if (open.kind === '(') {
      const node = this.parseSequence(operator, depth + 1);
      if (this.peekKind() === ')') this.at++;
      return node;
    }
    const nodes: QueryNode[] = [];
    while (!this.atEndOfGroup()) push(nodes, this.parseAlternatives(operator, depth + 1));
    if (this.peekKind() === '}') this.at++;
    return group('or', nodes);
  }

  private atEndOfGroup(): boolean {
    const kind = this.peekKind();
    return kind === undefined || kind === ')' || kind === '}';
  }

  private peekKind(): QueryToken['kind'] | undefined {
    return this.tokens[this.at]?.kind;
  }
}

function push(nodes: QueryNode[], node: QueryNode | undefined): void {
  if (node !== undefined) nodes.push(node);
}

/** Groups nodes; undefined for none, and the node itself for one. */
function group(kind: 'and' | 'or', children: readonly QueryNode[]): QueryNode | undefined {
  return children.length > 1 ? { kind, children } : children[0];
}
