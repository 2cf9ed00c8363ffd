import { QuoteType, Tokenizer } from 'htmlparser2';
import { declarationsOf, isHiding } from './inline-style';

/** Most UTF-16 units of a document that are read; mail programs cut long before. */
export const MAX_HTML = 2 * 1024 * 1024;

/** An image in its document. */
export interface ImageReference {
  readonly src: string;
  readonly width: string | null;
  readonly height: string | null;
  readonly style: string | null;
  readonly alt: string | null;
  readonly hidden: boolean;
  /** Classes of the image and of the element that hides it. */
  readonly classes: readonly string[];
  /** Number of pieces of visible text before the image. */
  readonly textsBefore: number;
}

/** Addresses that an HTML document refers to. */
export interface HtmlReferences {
  readonly images: readonly ImageReference[];
  /** Addresses of all other content that is loaded when the document is shown: backgrounds, fonts, style sheets, sounds. */
  readonly loads: readonly string[];
  /** Targets of links and of areas of image maps. */
  readonly links: readonly string[];
  /** Number of pieces of visible text. */
  readonly texts: number;
  /** Classes that the style sheets of the document name. */
  readonly styledClasses: ReadonlySet<string>;
}

const ATTRIBUTES = new Set(
  'src srcset href style width height alt class hidden background poster type'.split(' '),
);
const VOID = new Set('area base bgsound br col embed hr img input link meta source track wbr'.split(' '));
const NOT_SHOWN = new Set(['script', 'style', 'title', 'template']);
/** Elements whose end tag may be missing, with the siblings whose beginning ends them. */
const ENDED_BY: Readonly<Record<string, readonly string[]>> = {
  p: ['div', 'p', 'table', 'ul', 'ol', 'h1', 'h2', 'h3', 'h4', 'center', 'blockquote'],
};
/** A visible character: preheaders are filled up with characters that have no width. */
const VISIBLE = /[^\s\p{Cf}\p{Mn}]/u;
const MAX_STYLE_SHEET = 256 * 1024;
const MAX_CANDIDATES = 20;
const MAX_CLASSES = 50;
const CSS_URL = /url\(\s{0,20}["']?([^"')\s]{1,4096})/gi;
const CSS_CLASS = /\.([A-Za-z_][\w-]{0,63})/g;

/**
 * Addresses that the first `MAX_HTML` units of a document refer to. It works on the tokenizer alone, without a stack of
 * open elements: neither depth nor missing end tags matter, and the time is linear in the input. Comments are not read,
 * not even those for one mail program.
 */
export function htmlReferences(html: string): HtmlReferences {
  const text = html.length > MAX_HTML ? html.slice(0, MAX_HTML) : html;
  const collector = new ReferenceCollector(text);
  const tokenizer = new Tokenizer({ decodeEntities: true }, collector);
  tokenizer.write(text);
  tokenizer.end();
  return collector;
}

class ReferenceCollector implements HtmlReferences {
  readonly images: ImageReference[] = [];
  readonly loads: string[] = [];
  readonly links: string[] = [];
  readonly styledClasses = new Set<string>();
  texts = 0;

  private element = '';
  private attributes = new Map<string, string>();
  private attribute = '';
  private value: string[] = [];
  /** The element that hides its content, and the number of open elements of its name since then; null: none. */
  private hiding: { readonly name: string; readonly classes: readonly string[]; depth: number } | null = null;
  private notShown: string | null = null;

  constructor(private readonly html: string) {}

  onopentagname(start: number, end: number): void {
    this.element = this.name(start, end);
    this.attributes = new Map();
  }

  onattribname(start: number, end: number): void {
    this.attribute = this.name(start, end);
    this.value = [];
  }

  onattribdata(start: number, end: number): void {
    if (ATTRIBUTES.has(this.attribute)) this.value.push(this.html.slice(start, end));
  }

  onattribentity(codePoint: number): void {
    if (ATTRIBUTES.has(this.attribute)) this.value.push(String.fromCodePoint(codePoint));
  }

  onattribend(quote: QuoteType): void {
    // The first of two attributes of one name holds (HTML §13.2.5.33).
    if (!ATTRIBUTES.has(this.attribute) || this.attributes.has(this.attribute)) return;
    this.attributes.set(this.attribute, quote === QuoteType.NoValue ? '' : this.value.join(''));
  }

  onopentagend(): void {
    const { element } = this;
    if (this.notShown === null) this.readElement(element);
    if (NOT_SHOWN.has(element)) this.notShown ??= element;
  }

  onselfclosingtag(): void {
    // In HTML the slash has no meaning.
    this.onopentagend();
  }

  onclosetag(start: number, end: number): void {
    const name = this.name(start, end);
    if (this.notShown === name) this.notShown = null;
    if (this.hiding?.name === name && --this.hiding.depth === 0) this.hiding = null;
  }

  ontext(start: number, end: number): void {
    if (this.notShown === 'style') this.readStyleSheet(this.html.slice(start, end));
    else if (this.notShown === null && !this.hiding && VISIBLE.test(this.html.slice(start, end)))
      this.texts++;
  }

  ontextentity(codePoint: number): void {
    const isShown = this.notShown === null && !this.hiding;
    if (isShown && VISIBLE.test(String.fromCodePoint(codePoint))) this.texts++;
  }

  oncdata(): void {}
  oncomment(): void {}
  ondeclaration(): void {}
  onend(): void {}
  onprocessinginstruction(): void {}

  private readElement(element: string): void {
    const style = this.attributes.get('style') ?? null;
    this.loadsOf(element, style);
    if (element === 'img') this.addImage(style);
    else if (element === 'a' || element === 'area') this.keep(this.links, 'href');
    this.hide(element, style);
  }

  private addImage(style: string | null): void {
    const src = this.attributes.get('src');
    if (src === undefined) return;
    const get = (name: string): string | null => this.attributes.get(name) ?? null;
    this.images.push({
      src,
      width: get('width'),
      height: get('height'),
      style,
      alt: get('alt'),
      hidden: this.hiding !== null || this.attributes.has('hidden'),
      classes: [...this.classes(), ...(this.hiding?.classes ?? [])],
      textsBefore: this.texts,
    });
  }

  private loadsOf(element: string, style: string | null): void {
    this.keep(this.loads, 'background');
    this.keep(this.loads, 'poster');
    if (element === 'link') this.keep(this.loads, 'href');
    if (element !== 'img') this.keep(this.loads, 'src');
    for (const candidate of (this.attributes.get('srcset') ?? '').split(',', MAX_CANDIDATES)) {
      const [address] = candidate.trim().split(/\s/, 1);
      if (address) this.loads.push(address);
    }
    if (style !== null) this.addAddresses(style);
  }

  private keep(list: string[], attribute: string): void {
    const value = this.attributes.get(attribute);
    if (value !== undefined) list.push(value);
  }

  private hide(element: string, style: string | null): void {
    if (VOID.has(element)) return;
    if (this.hiding && ENDED_BY[this.hiding.name]?.includes(element)) this.hiding = null;
    if (this.hiding) {
      if (this.hiding.name === element) this.hiding.depth++;
    } else if (this.attributes.has('hidden') || (style !== null && isHiding(declarationsOf(style)))) {
      this.hiding = { name: element, classes: this.classes(), depth: 1 };
    }
  }

  private classes(): string[] {
    const names = this.attributes.get('class') ?? '';
    return names.split(/\s+/, MAX_CLASSES).filter((name) => name !== '');
  }

  private readStyleSheet(text: string): void {
    const css = text.slice(0, MAX_STYLE_SHEET);
    this.addAddresses(css);
    for (const [, name] of css.matchAll(CSS_CLASS)) this.styledClasses.add(name as string);
  }

  private addAddresses(css: string): void {
    for (const [, address] of css.matchAll(CSS_URL)) this.loads.push(address as string);
  }

  private name(start: number, end: number): string {
    return this.html.slice(start, Math.min(end, start + 32)).toLowerCase();
  }
}
