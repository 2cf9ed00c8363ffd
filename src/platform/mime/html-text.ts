import { Tokenizer } from 'htmlparser2';

/** Elements whose text is not shown. Their end is looked for by name alone: depth is never counted. */
const HIDDEN = new Set(['script', 'style', 'title', 'template']);

/** Elements that do not end a word; every other element does. */
const INLINE = new Set(
  'a abbr b bdi bdo big cite code data dfn em font i ins kbd label mark o:p q s samp small span strike strong sub sup tt u var wbr'.split(
    ' ',
  ),
);

export interface HtmlTextOptions {
  /** Cells of a row stay on one line, a tab between them; otherwise each is on a separate line. */
  readonly keepsRows?: boolean;
}

/**
 * The visible text of an HTML document: entities decoded, elements that are not inline turned into line breaks,
 * scripts, styles and comments left out. At most about `limit` UTF-16 units are produced.
 *
 * It works on the tokenizer alone: without a stack of open elements, neither depth nor missing end tags matter,
 * and the time is linear in the input.
 */
export function htmlToText(html: string, limit: number, options: HtmlTextOptions = {}): string {
  const text = new TextCollector(html, limit, options.keepsRows ?? false);
  const tokenizer = new Tokenizer({ decodeEntities: true }, text);
  text.stop = () => tokenizer.pause();
  tokenizer.write(html);
  if (!text.full) tokenizer.end();
  return text.result();
}

class TextCollector {
  stop: () => void = () => undefined;
  full = false;
  private readonly pieces: string[] = [];
  private length = 0;
  private hiddenBy: string | null = null;
  private lastOpened = '';
  private isRowBegun = false;

  constructor(
    private readonly html: string,
    private readonly limit: number,
    private readonly keepsRows: boolean,
  ) {}

  result(): string {
    const text = this.pieces.join('');
    if (!this.keepsRows)
      return text
        .replace(/[^\S\n]+/g, ' ')
        .replace(/ ?\n[ \n]*/g, '\n')
        .trim();
    // Blocks inside a cell are no lines of their own at its edges.
    return text
      .replace(/[^\S\n\t]+/g, ' ')
      .replace(/ ?[\n\t][ \n\t]*/g, (gap) => (gap.includes('\t') ? '\t' : '\n'))
      .trim();
  }

  ontext(start: number, end: number): void {
    if (this.hiddenBy === null) this.add(this.html.slice(start, end).replace(/[\r\n\t]/g, ' '));
  }

  ontextentity(codePoint: number): void {
    if (this.hiddenBy === null) this.add(String.fromCodePoint(codePoint));
  }

  oncdata(start: number, end: number): void {
    this.ontext(start, end);
  }

  onopentagname(start: number, end: number): void {
    const name = this.name(start, end);
    this.lastOpened = name;
    if (this.hiddenBy === null && HIDDEN.has(name)) this.hiddenBy = name;
    if (!INLINE.has(name)) this.add(this.keepsRows ? this.gapBefore(name) : '\n');
  }

  onclosetag(start: number, end: number): void {
    const name = this.name(start, end);
    if (this.hiddenBy === name) this.hiddenBy = null;
    if (name === 'tr' || name === 'table') this.isRowBegun = false;
    if (!INLINE.has(name)) this.add('\n');
  }

  onselfclosingtag(): void {
    if (this.lastOpened === this.hiddenBy) this.hiddenBy = null;
  }

  onattribdata(): void {}
  onattribentity(): void {}
  onattribend(): void {}
  onattribname(): void {}
  oncomment(): void {}
  ondeclaration(): void {}
  onend(): void {}
  onopentagend(): void {}
  onprocessinginstruction(): void {}

  private gapBefore(name: string): string {
    if (name === 'tr' || name === 'table') this.isRowBegun = false;
    if (name !== 'td' && name !== 'th') return '\n';
    const gap = this.isRowBegun ? '\t' : '\n';
    this.isRowBegun = true;
    return gap;
  }

  private name(start: number, end: number): string {
    return this.html.slice(start, Math.min(end, start + 32)).toLowerCase();
  }

  private add(piece: string): void {
    if (this.full) return;
    if (piece === '\n' && this.pieces.at(-1) === '\n') return;
    this.pieces.push(piece);
    this.length += piece.length;
    if (this.length < this.limit) return;
    this.full = true;
    this.stop();
  }
}
