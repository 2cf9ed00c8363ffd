import { Tokenizer } from 'htmlparser2';
import {
  ALLOWED_ELEMENTS,
  BREAKS_OUT,
  DROPPED_EMPTY,
  DROPPED_WITH_CONTENT,
  FOREIGN_ELEMENTS,
  impliedEnds,
  IN_LINE,
  INTEGRATION_POINTS,
  reachesAcross,
  VOID_ELEMENTS,
  type ImpliedEnd,
} from './elements';
import { escapeHtml } from './escape';
import type { LinkText } from './link-text';
import { linkLabel } from './links';
import { ElementWriter, type MarkupContext, type WrittenElement } from './element-writer';
import { READ_ATTRIBUTES } from './attributes';

/** Greatest depth of elements; deeper ones are left out, but not their content. */
const MAX_DEPTH = 100;
const MAX_STYLE = 512 * 1024;
/**
 * Least lengths that count for a tag and for a piece of text: each costs time in the parser of the last gate, however
 * short it is.
 */
const LEAST_TAG = 40;
const LEAST_TEXT = 16;
const MAX_NAME = 32;

export interface SafeMarkup {
  readonly html: string;
  /** The sources of the style elements, one after the other. */
  readonly css: string;
}

/**
 * Rewrites HTML into markup that has only allowed elements and attributes, is closed in order and escaped
 * throughout, so that every parser reads it alike. Works on the tokenizer alone, with a bounded stack: time is linear
 * in the source, whatever its depth.
 */
export function safeMarkup(html: string, context: MarkupContext): SafeMarkup {
  const writer = new MarkupWriter(html, context);
  const tokenizer = new Tokenizer({ decodeEntities: true }, writer);
  writer.stop = () => tokenizer.pause();
  tokenizer.write(html);
  tokenizer.end();
  return writer.result();
}

class MarkupWriter {
  stop: () => void = () => undefined;
  private readonly elements: ElementWriter;
  private readonly pieces: string[] = [];
  private readonly styles: string[] = [];
  private readonly open: WrittenElement[] = [];
  /** Texts of the links that are open. */
  private readonly linkTexts: LinkText[] = [];
  /** Numbers of elements, by name, that were left out because they are too deep, and whose end tags are still to come. */
  private readonly leftOut = new Map<string, number>();
  private hiddenBy: string | null = null;
  /** Whether hidden foreign content may contain HTML here. */
  private isIntegrated = false;
  private styleLength = 0;
  private full = false;

  private tag = '';
  private attributes = new Map<string, string>();
  private attribute: string | null = null;
  private value = '';

  constructor(
    private readonly source: string,
    private readonly context: MarkupContext,
  ) {
    this.elements = new ElementWriter(context);
  }

  result(): SafeMarkup {
    while (this.open.length > 0) this.closeTop();
    return { html: this.pieces.join(''), css: this.styles.join('\n') };
  }

  ontext(start: number, end: number): void {
    this.addText(this.source.slice(start, end));
  }

  ontextentity(codePoint: number): void {
    this.addText(String.fromCodePoint(codePoint));
  }

  onopentagname(start: number, end: number): void {
    this.tag = this.name(start, end);
    this.attributes = new Map();
  }

  onattribname(start: number, end: number): void {
    const name = this.name(start, end);
    // The first of several attributes of one name counts.
    this.attribute = READ_ATTRIBUTES.has(name) && !this.attributes.has(name) ? name : null;
    this.value = '';
  }

  onattribdata(start: number, end: number): void {
    if (this.attribute !== null) this.value += this.source.slice(start, end);
  }

  onattribentity(codePoint: number): void {
    if (this.attribute !== null) this.value += String.fromCodePoint(codePoint);
  }

  onattribend(): void {
    if (this.attribute !== null) this.attributes.set(this.attribute, this.value);
    this.attribute = null;
  }

  onopentagend(end: number): void {
    this.openElement(false, end + 1);
  }

  onselfclosingtag(end: number): void {
    this.openElement(true, end + 1);
  }

  onclosetag(start: number, end: number): void {
    const name = this.name(start, end);
    if (this.hiddenBy !== null) {
      if (this.hiddenBy === name) this.hiddenBy = null;
      if (INTEGRATION_POINTS.has(name)) this.isIntegrated = false;
      return;
    }
    // Browsers read `</br>` as `<br>`.
    if (name === 'br') this.add('<br>');
    else this.closeElement(name);
  }

  oncdata(): void {}
  oncomment(): void {}
  ondeclaration(): void {}
  onprocessinginstruction(): void {}
  onend(): void {}

  /** Handles a start tag. @param end offset in the source after the tag */
  private openElement(selfClosing: boolean, end: number): void {
    const { tag, attributes } = this;
    if (this.full) return;
    if (this.hiddenBy !== null) {
      if (!FOREIGN_ELEMENTS.has(this.hiddenBy)) return;
      if (INTEGRATION_POINTS.has(tag)) this.isIntegrated = true;
      if (this.isIntegrated || !BREAKS_OUT.has(tag)) return;
      this.hiddenBy = null;
    }
    this.elements.countRemote(tag, attributes);
    if (DROPPED_WITH_CONTENT.has(tag)) {
      const isEmpty = DROPPED_EMPTY.has(tag) || (selfClosing && FOREIGN_ELEMENTS.has(tag));
      if (!isEmpty) this.hiddenBy = tag;
      this.isIntegrated = false;
      return;
    }
    // Browsers read `image` as `img`.
    if (tag === 'img' || tag === 'image') {
      this.add(this.elements.writeImage(attributes, this.isHidden));
      return;
    }
    const name = tag === 'body' ? 'div' : tag;
    if (!ALLOWED_ELEMENTS.has(name)) return;
    if (!IN_LINE.has(name)) this.linkTexts.at(-1)?.add(' ');
    for (const end of impliedEnds(name)) this.closeImplied(end);
    if (VOID_ELEMENTS.has(name)) {
      this.add(this.elements.writeEmpty(name, attributes));
      return;
    }
    if (this.open.length >= MAX_DEPTH) {
      this.leftOut.set(tag, (this.leftOut.get(tag) ?? 0) + 1);
      return;
    }
    const label = tag === 'a' ? linkLabel(this.source, end) : '';
    const element = this.elements.begin(tag, attributes, { isHidden: this.isHidden, label });
    this.add(element.startTag);
    if (this.full) return;
    this.open.push(element);
    if (element.linkText) this.linkTexts.push(element.linkText);
  }

  private get isHidden(): boolean {
    return this.open.at(-1)?.isHidden ?? false;
  }

  private closeElement(tag: string): void {
    const leftOut = this.leftOut.get(tag) ?? 0;
    if (leftOut > 0) {
      this.leftOut.set(tag, leftOut - 1);
      return;
    }
    for (let level = this.open.length - 1; level >= 0; level--) {
      const element = this.open[level] as WrittenElement;
      if (element.tag === tag) return this.closeDownTo(level);
      if (!reachesAcross(tag, element.tag)) return;
    }
  }

  /** Closes elements that end here without an end tag. */
  private closeImplied({ closes, within }: ImpliedEnd): void {
    let lowest = -1;
    for (let level = this.open.length - 1; level >= 0; level--) {
      const { tag } = this.open[level] as WrittenElement;
      if (within.has(tag)) break;
      if (closes.has(tag)) lowest = level;
    }
    if (lowest !== -1) this.closeDownTo(lowest);
  }

  private closeDownTo(level: number): void {
    while (this.open.length > level) this.closeTop();
  }

  private closeTop(): void {
    const element = this.open.pop();
    if (!element) return;
    this.pieces.push(`</${element.name}>`);
    if (!IN_LINE.has(element.name)) this.linkTexts.at(-1)?.add(' ');
    if (!element.linkText) return;
    this.linkTexts.pop();
    const note = element.linkText.note(this.context.texts);
    if (note !== '') this.add(note);
  }

  private addText(text: string): void {
    if (this.hiddenBy === null) {
      this.add(escapeHtml(text));
      if (!this.isHidden) this.linkTexts.at(-1)?.add(text);
    } else if (this.hiddenBy === 'style') this.addStyle(text);
  }

  private addStyle(text: string): void {
    if (this.styleLength + text.length > MAX_STYLE) {
      this.context.findings.truncated = true;
      return;
    }
    this.styleLength += text.length;
    this.styles.push(text);
  }

  private add(piece: string): void {
    if (this.full) return;
    if (
      this.context.findings.hasRoom(Math.max(piece.length, piece.startsWith('<') ? LEAST_TAG : LEAST_TEXT))
    ) {
      this.pieces.push(piece);
      return;
    }
    this.full = true;
    this.stop();
  }

  private name(start: number, end: number): string {
    return this.source.slice(start, Math.min(end, start + MAX_NAME)).toLowerCase();
  }
}
