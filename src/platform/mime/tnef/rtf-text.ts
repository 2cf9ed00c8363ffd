import { decodeCharset } from '../charset';
import { charsetOfCodepage } from './tnef-file';
import { codepageOfFont, isUnfinished } from './rtf-charsets';

/** Destinations whose text is none of the document. */
const HIDDEN = new Set([
  'colortbl', 'stylesheet', 'info', 'pict', 'object', 'header', 'footer', 'headerl', 'headerr', 'headerf',
  'footerl', 'footerr', 'footerf', 'listtable', 'listoverridetable', 'rsidtbl', 'generator', 'xmlnstbl', 'themedata',
  'colorschememapping', 'latentstyles', 'datastore', 'fldinst', 'filetbl', 'revtbl',
]); // prettier-ignore
/** Destinations with text of a document that is none of the body of a message. */
const BESIDE_BODY = new Set([
  'header', 'footer', 'headerl', 'headerr', 'headerf', 'footerl', 'footerr', 'footerf', 'footnote', 'annotation', 'shptxt',
]); // prettier-ignore
const SYMBOLS: Readonly<Record<string, string>> = {
  par: '\n', line: '\n', sect: '\n', page: '\n', row: '\n', cell: '\t', tab: '\t', emdash: '\u2014', endash: '\u2013',
  lquote: '\u2018', rquote: '\u2019', ldblquote: '\u201c', rdblquote: '\u201d', bullet: '\u2022', emspace: '\u2003',
  enspace: '\u2002',
}; // prettier-ignore
const TOKEN =
  /\\([a-zA-Z]{1,32})(-?\d{1,10})? ?|\\'([0-9a-fA-F]{2})|\\([^a-zA-Z'])|([{}])|[\r\n]+|[^\\{}\r\n]+|\\/g;
/** Most groups in each other; deeper ones are read as part of the last. */
const MAX_DEPTH = 500;
const MAX_TEXT = 4 * 1024 * 1024;

export interface RtfText {
  readonly kind: 'html' | 'plain';
  readonly text: string;
}

/**
 * Converts RTF to the HTML from which Outlook made it (MS-OXRTFEX), or else to plain text. Linear in its length; at most 4 MiB.
 * @param isDocument whether headers, footers, notes, remarks and text boxes are wanted, which messages do not have
 */
export function rtfToText(rtf: Buffer, isDocument = false): RtfText {
  const source = rtf.toString('latin1');
  const kind = /\\fromhtml1?\b/.test(source.slice(0, 1_000)) ? 'html' : 'plain';
  return { kind, text: new RtfReader(kind === 'html', isDocument).read(source) };
}

interface Group {
  readonly isHidden: boolean;
  /** In HTML: text that only RTF needs, between `\htmlrtf` and `\htmlrtf0`. */
  readonly isRtfOnly: boolean;
  /** Number of characters that stand in for each Unicode one. */
  readonly fallback: number;
  /** Whether it describes fonts. */
  readonly isFonts: boolean;
  /** The font described, or of the text. */
  readonly font: number | null;
}

class RtfReader {
  private group: Group = {
    isHidden: false,
    isRtfOnly: false,
    fallback: 1,
    isFonts: false,
    font: null,
  };
  private readonly groups: Group[] = [];
  private readonly pieces: string[] = [];
  private length = 0;
  private codepage = 1252;
  private readonly fonts = new Map<number, number>();
  private defaultFont: number | null = null;
  private bytes: number[] = [];
  private toSkip = 0;
  private isDestination = false;

  constructor(
    private readonly isHtml: boolean,
    private readonly isDocument: boolean,
  ) {}

  read(source: string): string {
    for (const [token, word, number, hex, sign, brace] of source.matchAll(TOKEN)) {
      if (this.length > MAX_TEXT) break;
      if (hex !== undefined) this.addByte(parseInt(hex, 16));
      else if (brace !== undefined) this.enterOrLeave(brace);
      else if (word !== undefined) this.obey(word, number === undefined ? null : Number(number));
      else if (sign !== undefined) this.obeySign(sign);
      else if (!/^[\r\n\\]/.test(token)) this.addText(token);
    }
    this.flush();
    return this.pieces.join('').trim();
  }

  private enterOrLeave(brace: string): void {
    this.flush();
    this.toSkip = 0;
    if (brace === '{') {
      if (this.groups.length < MAX_DEPTH) this.groups.push(this.group);
    } else {
      this.group = this.groups.pop() ?? this.group;
    }
    this.isDestination = false;
  }

  private obey(word: string, number: number | null): void {
    if (word !== 'u') this.flush();
    if (this.describeFont(word, number)) return;
    const isDestination = this.isDestination;
    this.isDestination = false;
    if (word === 'u') return this.addUnicode(number ?? 0);
    if (word === 'uc') this.change({ fallback: Math.max(0, Math.min(number ?? 1, 10)) });
    else if (word === 'ansicpg' && number !== null) this.codepage = number;
    else if (word === 'fonttbl') this.change({ isHidden: true, isFonts: true });
    else if (word === 'htmlrtf') this.change({ isRtfOnly: number !== 0 });
    else if (word === 'htmltag' && isDestination) this.change({ isHidden: !this.isHtml });
    else if (this.isDocument && BESIDE_BODY.has(word)) {
      this.change({ isHidden: false });
      this.add('\n');
    } else if (word === 'mhtmltag' || HIDDEN.has(word) || isDestination) this.change({ isHidden: true });
    else this.addSymbol(word);
  }

  /** Characters of a font are those of its charset. @returns whether the word is one of fonts */
  private describeFont(word: string, number: number | null): boolean {
    if (word === 'deff') this.defaultFont = number;
    else if (word === 'f') this.change({ font: number });
    else if (word === 'plain') this.change({ font: null });
    else if (!this.group.isFonts || number === null) return false;
    else if (word === 'fcharset') this.addFont(codepageOfFont(number));
    else if (word === 'cpg') this.addFont(number);
    else return false;
    return true;
  }

  private addFont(codepage: number | null): void {
    if (codepage !== null && this.group.font !== null) this.fonts.set(this.group.font, codepage);
  }

  private get present(): number {
    const font = this.group.font ?? this.defaultFont;
    return (font === null ? undefined : this.fonts.get(font)) ?? this.codepage;
  }

  private addSymbol(word: string): void {
    const symbol = SYMBOLS[word];
    if (symbol === undefined) return;
    if (this.toSkip > 0) this.toSkip -= 1;
    else this.add(symbol);
  }

  private obeySign(sign: string): void {
    if (sign === '*') {
      this.isDestination = true;
      return;
    }
    if (sign === '~') this.addText('\u00a0');
    else if (sign === '_') this.addText('\u2011');
    else if ('\\{}'.includes(sign)) this.addText(sign);
    else if (sign === '\n' || sign === '\r') this.addSymbol('par');
  }

  private change(values: Partial<Group>): void {
    this.group = { ...this.group, ...values };
  }

  private addUnicode(number: number): void {
    this.flush();
    this.add(String.fromCharCode(number < 0 ? number + 0x1_0000 : number & 0xffff));
    this.toSkip = this.group.fallback;
  }

  private addByte(byte: number): void {
    this.isDestination = false;
    if (this.toSkip > 0) this.toSkip -= 1;
    else this.bytes.push(byte);
  }

  private addText(text: string): void {
    this.isDestination = false;
    let read = Math.min(this.toSkip, text.length);
    this.toSkip -= read;
    // The second byte of a character may be a letter.
    if (read < text.length && isUnfinished(this.bytes, this.present))
      this.bytes.push(text.charCodeAt(read++) & 0xff);
    if (this.bytes.length > 0) this.flush();
    this.add(text.slice(read));
  }

  private flush(): void {
    if (this.bytes.length === 0) return;
    this.add(decodeCharset(Buffer.from(this.bytes), charsetOfCodepage(this.present)));
    this.bytes = [];
  }

  private add(text: string): void {
    if (this.group.isHidden || (this.isHtml && this.group.isRtfOnly)) return;
    this.pieces.push(text);
    this.length += text.length;
  }
}
