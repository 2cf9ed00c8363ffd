/** A token of CSS (CSS Syntax Level 3, §4), with escapes decoded. */
export type CssToken =
  | { readonly type: 'ident' | 'function' | 'at' | 'hash' | 'string' | 'url'; readonly value: string }
  /** A number: `raw` is its written form; `unit` is in lower case: empty, `%` or a unit. */
  | { readonly type: 'number'; readonly raw: string; readonly unit: string }
  /** One character that stands for itself. */
  | { readonly type: 'delim'; readonly value: string }
  | { readonly type: 'space' }
  /** A string or address that is not closed on its line: nothing that contains it is valid. */
  | { readonly type: 'bad' };

const SPACE = /[ \t\r\n\f]+/y;
const NUMBER = /[+-]?(?:\d*\.\d+|\d+)(?:e[+-]?\d+)?/iy;
const NAME_PART = /[\w\u0080-\uffff-]+/y;
const NAME_START = /(?:--|-?(?:[a-zA-Z_\u0080-\uffff]|\\[^\r\n\f]))/y;
const ESCAPE = /\\(?:([0-9a-f]{1,6})(?:\r\n|[ \t\r\n\f])?|([^\r\n\f]))/iy;
const MAX_NUMBER = 20;
const MAX_CODE_POINT = 0x10ffff;

/**
 * Cuts CSS into tokens in linear time. Never throws.
 * @param limit most tokens, which take many times the room of their source; later text is not read
 */
export function cssTokens(css: string, limit: number): CssToken[] {
  return new CssTokenizer(css).read(limit);
}

class CssTokenizer {
  private readonly tokens: CssToken[] = [];
  private pos = 0;

  constructor(private readonly css: string) {}

  read(limit: number): CssToken[] {
    while (this.pos < this.css.length && this.tokens.length < limit) this.tokens.push(this.readToken());
    return this.tokens;
  }

  private readToken(): CssToken {
    const { css } = this;
    const char = css[this.pos] as string;
    if (css.startsWith('/*', this.pos)) return this.skipComment();
    for (const mark of ['<!--', '-->']) {
      if (!css.startsWith(mark, this.pos)) continue;
      this.pos += mark.length;
      return { type: 'space' };
    }
    if (this.take(SPACE) !== null) return { type: 'space' };
    if (char === '"' || char === "'") return this.readString(char);
    if (this.sees(NUMBER)) return this.readNumber();
    if (char === '#' || char === '@') return this.readMarked(char);
    if (this.sees(NAME_START)) return this.readIdentLike();
    this.pos++;
    return { type: 'delim', value: char };
  }

  private skipComment(): CssToken {
    const end = this.css.indexOf('*/', this.pos + 2);
    this.pos = end === -1 ? this.css.length : end + 2;
    return { type: 'space' };
  }

  private readNumber(): CssToken {
    const raw = this.take(NUMBER) as string;
    let unit = '';
    if (this.css[this.pos] === '%') {
      this.pos++;
      unit = '%';
    } else if (this.sees(NAME_START)) {
      unit = this.readName().toLowerCase();
    }
    return raw.length > MAX_NUMBER ? { type: 'bad' } : { type: 'number', raw, unit };
  }

  private readMarked(char: '#' | '@'): CssToken {
    this.pos++;
    const isName = char === '#' ? this.sees(NAME_PART) || this.sees(ESCAPE) : this.sees(NAME_START);
    if (!isName) return { type: 'delim', value: char };
    return { type: char === '#' ? 'hash' : 'at', value: this.readName() };
  }

  private readIdentLike(): CssToken {
    const value = this.readName();
    if (this.css[this.pos] !== '(') return { type: 'ident', value };
    this.pos++;
    if (value.toLowerCase() !== 'url') return { type: 'function', value };
    this.take(SPACE);
    const quote = this.css[this.pos];
    return quote === '"' || quote === "'" ? { type: 'function', value } : this.readUrl();
  }

  private readName(): string {
    let name = '';
    for (;;) {
      const piece = this.take(NAME_PART) ?? this.readEscape();
      if (piece === null) return name;
      name += piece;
    }
  }

  private readString(quote: string): CssToken {
    this.pos++;
    let value = '';
    const plain = quote === '"' ? /[^"\\\r\n\f]+/y : /[^'\\\r\n\f]+/y;
    for (;;) {
      const piece = this.take(plain) ?? this.readEscape() ?? this.take(/\\(?:\r\n|[\r\n\f])/y, '');
      if (piece !== null) {
        value += piece;
        continue;
      }
      const char = this.css[this.pos];
      if (char === quote) this.pos++;
      else if (char === '\\') this.pos++;
      else if (char !== undefined) return { type: 'bad' };
      return { type: 'string', value };
    }
  }

  /** An address without quotes; `url(` and white space have been read. */
  private readUrl(): CssToken {
    let value = '';
    for (;;) {
      const piece = this.take(/[^\\"'() \t\r\n\f]+/y) ?? this.readEscape();
      if (piece === null) break;
      value += piece;
    }
    this.take(SPACE);
    if (this.pos >= this.css.length) return { type: 'url', value };
    if (this.css[this.pos] === ')') {
      this.pos++;
      return { type: 'url', value };
    }
    // An unreadable address is skipped to its closing parenthesis (CSS Syntax §4.3.14).
    while (this.pos < this.css.length && this.css[this.pos] !== ')') {
      if (this.readEscape() === null) this.pos++;
    }
    this.pos++;
    return { type: 'bad' };
  }

  private readEscape(): string | null {
    ESCAPE.lastIndex = this.pos;
    const found = ESCAPE.exec(this.css);
    if (!found) return null;
    this.pos = ESCAPE.lastIndex;
    const [, hex, character = ''] = found;
    if (hex === undefined) return character;
    const code = parseInt(hex, 16);
    const isCharacter = code > 0 && code <= MAX_CODE_POINT && !(code >= 0xd800 && code <= 0xdfff);
    return isCharacter ? String.fromCodePoint(code) : '\ufffd';
  }

  private sees(pattern: RegExp): boolean {
    pattern.lastIndex = this.pos;
    return pattern.test(this.css);
  }

  private take(pattern: RegExp, instead?: string): string | null {
    pattern.lastIndex = this.pos;
    const found = pattern.exec(this.css);
    if (!found) return null;
    this.pos = pattern.lastIndex;
    return instead ?? found[0];
  }
}
