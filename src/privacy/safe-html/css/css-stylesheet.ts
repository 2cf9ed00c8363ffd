import { ALLOWED_ELEMENTS } from '../markup/elements';
import { addressesIn, closingOf, safeDeclarations, splitAt, type CssImages } from './css-declarations';
import { cssTokens, type CssToken } from './css-tokens';

/** Scope of the rules of one part of a message. */
export interface CssScope {
  /** Class of the element that contains the part; the part's selectors match only below it. */
  readonly scope: string;
  /** Prefix of the part's own classes and ids. */
  readonly prefix: string;
  /** Class of the element that replaces the part's `body`. */
  readonly body: string;
}

/** A class or id that needs no escape. */
export const PLAIN_NAME = /^-?[A-Za-z_][\w-]{0,99}$/;

const PSEUDO_CLASSES = new Set(['hover', 'link', 'visited', 'active', 'first-child', 'last-child']);
const COMBINATORS = new Set(['>', '+', '~']);
const MAX_SELECTOR_TOKENS = 60;
const MAX_SELECTORS = 100;
const MAX_MEDIA_TOKENS = 100;
const MAX_NESTING = 3;
/** Most tokens read; style sheets of newsletters have ten thousand. */
const MAX_TOKENS = 200_000;

/**
 * The rules of a style element that are safe, scoped to their part of the message: plain selectors, declarations (see
 * `safeDeclarations`), `@media`. Every other at-rule is removed (`@import`, `@font-face`, …). Linear in the source.
 */
export function safeStylesheet(css: string, scope: CssScope, images: CssImages): string {
  return new StylesheetWriter(cssTokens(css, MAX_TOKENS), scope, images).writeRules(0, Infinity, 0);
}

class StylesheetWriter {
  /** Position of the closing token of each token that opens a bracket. */
  private readonly closedAt = new Map<number, number>();

  constructor(
    private readonly tokens: readonly CssToken[],
    private readonly scope: CssScope,
    private readonly images: CssImages,
  ) {
    const open: { index: number; closing: string }[] = [];
    for (const [index, token] of tokens.entries()) {
      const closing = closingOf(token);
      if (closing !== null) open.push({ index, closing });
      else if (token.type === 'delim' && token.value === open.at(-1)?.closing) {
        this.closedAt.set(open.pop()?.index as number, index);
      }
    }
  }

  writeRules(from: number, until: number, nesting: number): string {
    const end = Math.min(until, this.tokens.length);
    let written = '';
    let pos = from;
    while (pos < end) {
      const token = this.tokens[pos] as CssToken;
      if (token.type === 'space') {
        pos++;
        continue;
      }
      const { block, next } = this.ruleAt(pos, end, token.type === 'at');
      written += this.writeRule(token, pos, block, next, nesting);
      pos = next;
    }
    return written;
  }

  private writeRule(
    token: CssToken,
    start: number,
    block: number | null,
    next: number,
    nesting: number,
  ): string {
    const isMedia = token.type === 'at' && token.value.toLowerCase() === 'media';
    if (block === null || (token.type === 'at' && (!isMedia || nesting >= MAX_NESTING))) {
      this.leaveOut(this.tokens.slice(start, next));
      return '';
    }
    const close = Math.min(next, this.closedAt.get(block) ?? next);
    if (isMedia) {
      const condition = mediaCondition(this.tokens.slice(start + 1, block));
      const inner = condition === null ? '' : this.writeRules(block + 1, close, nesting + 1);
      return inner === '' ? '' : `@media ${condition}{${inner}}\n`;
    }
    const declarations = safeDeclarations(this.tokens.slice(block + 1, close), this.images);
    if (declarations === '') return '';
    const selectors = splitAt(this.tokens.slice(start, block), ',')
      .slice(0, MAX_SELECTORS)
      .flatMap((selector) => this.writeSelector(selector) ?? []);
    return selectors.length === 0 ? '' : `${selectors.join(',')}{${declarations}}\n`;
  }

  /** The end of the rule that begins at `start`, and the position of its block; null: none. */
  private ruleAt(start: number, end: number, isAtRule: boolean): { block: number | null; next: number } {
    let pos = start;
    while (pos < end) {
      const token = this.tokens[pos] as CssToken;
      if (token.type === 'delim' && token.value === '{') {
        return { block: pos, next: Math.min(end, (this.closedAt.get(pos) ?? end) + 1) };
      }
      if (isAtRule && token.type === 'delim' && token.value === ';') return { block: null, next: pos + 1 };
      pos = closingOf(token) === null ? pos + 1 : (this.closedAt.get(pos) ?? end) + 1;
    }
    return { block: null, next: end };
  }

  /** Leaves tokens out, and counts the content that they would have loaded. */
  private leaveOut(tokens: readonly CssToken[]): void {
    const [first] = tokens;
    const isImport = first?.type === 'at' && first.value.toLowerCase() === 'import';
    const imported = isImport ? tokens.find(({ type }) => type === 'string') : undefined;
    if (imported?.type === 'string') this.images(imported.value);
    else for (const url of addressesIn(tokens)) this.images(url);
  }

  private writeSelector(tokens: readonly CssToken[]): string | null {
    if (tokens.length > MAX_SELECTOR_TOKENS) return null;
    let written = '';
    for (let index = 0; index < tokens.length; index++) {
      const token = tokens[index] as CssToken;
      const piece = this.writeSelectorPiece(token, tokens[index + 1]);
      if (piece === null) return null;
      written += piece;
      if (token.type === 'delim' && (token.value === '.' || token.value === ':')) index++;
    }
    const plain = written.replace(/\s+/g, ' ').trim();
    return plain === '' ? null : `.${this.scope.scope} ${plain}`;
  }

  private writeSelectorPiece(token: CssToken, next: CssToken | undefined): string | null {
    if (token.type === 'space') return ' ';
    if (token.type === 'hash')
      return PLAIN_NAME.test(token.value) ? `#${this.scope.prefix}${token.value}` : null;
    if (token.type === 'ident') return this.writeElement(token.value.toLowerCase());
    if (token.type !== 'delim') return null;
    if (token.value === '*' || COMBINATORS.has(token.value)) return token.value;
    if (next?.type !== 'ident') return null;
    if (token.value === '.') return PLAIN_NAME.test(next.value) ? `.${this.scope.prefix}${next.value}` : null;
    const isPseudo = token.value === ':' && PSEUDO_CLASSES.has(next.value.toLowerCase());
    return isPseudo ? `:${next.value.toLowerCase()}` : null;
  }

  private writeElement(name: string): string | null {
    if (name === 'body' || name === 'html') return `.${this.scope.body}`;
    return ALLOWED_ELEMENTS.has(name) ? name : null;
  }
}

/** The condition written anew; null when it has other tokens than names, measures and brackets. */
function mediaCondition(tokens: readonly CssToken[]): string | null {
  if (tokens.length > MAX_MEDIA_TOKENS) return null;
  let depth = 0;
  let written = '';
  for (const token of tokens) {
    if (token.type === 'space') written += ' ';
    else if (token.type === 'ident' && PLAIN_NAME.test(token.value)) written += token.value;
    else if (token.type === 'number' && /^(?:%|[a-z]{0,8})$/.test(token.unit))
      written += token.raw + token.unit;
    else if (token.type === 'delim' && [':', ',', '(', ')'].includes(token.value)) {
      written += token.value;
      if (token.value === '(') depth++;
      if (token.value === ')' && --depth < 0) return null;
    } else return null;
  }
  return depth === 0 ? written.replace(/ {2,}/g, ' ').trim() : null;
}
