const LETTER = /\p{L}/u;

/** Spaces that people and mail programs put into numbers; tabs and line ends are not among them, as they separate items. */
const SPACES = new Set(
  ' \u00a0\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000',
);
const DASHES = new Set('-\u2010\u2011\u2012\u2013\u2212');
/** Characters without width: joiners, direction marks, soft hyphens. Numbers copied from address books are full of them. */
const INVISIBLE = new Set('\u00ad\u200b\u200c\u200d\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2060\ufeff');

/** Whether an ASCII digit stands at a position: other digits have been converted before (`convertDigits`). */
export const isDigitAt = (text: string, at: number): boolean => {
  const code = text.charCodeAt(at);
  return code >= 0x30 && code <= 0x39;
};

/** Whether a letter of any script stands at a position; false beyond the ends of the text. */
export function isLetterAt(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  if (code < 0x80) return (code | 0x20) >= 0x61 && (code | 0x20) <= 0x7a;
  return code >= 0xaa && LETTER.test(text.charAt(at));
}

export const isWordAt = (text: string, at: number): boolean => isDigitAt(text, at) || isLetterAt(text, at);

export const isSpace = (character: string): boolean => SPACES.has(character);

export const isDash = (character: string): boolean => DASHES.has(character);

export const isInvisible = (character: string): boolean => INVISIBLE.has(character);

/** The same text with full-width digits (of Japanese mail) as ASCII; every character keeps its place. */
export function convertDigits(text: string): string {
  return text.replace(/[\uff10-\uff19]/g, (digit) =>
    String.fromCharCode(digit.charCodeAt(0) - 0xff10 + 0x30),
  );
}

/**
 * Whether a number that begins here is not part of something longer: no word, decimal, code or path stands right before
 * it.
 */
export function beginsAt(text: string, start: number): boolean {
  let at = start - 1;
  while (at >= 0 && isInvisible(text.charAt(at))) at--;
  if (at < 0) return true;
  if (isWordAt(text, at)) return false;
  const before = text.charAt(at);
  if (before === '.') return !isDigitAt(text, at - 1);
  if (isDash(before)) return !isWordAt(text, at - 1);
  if (before === '=') return !isQuery(text, at);
  if (before === '/' || before === '\\' || before === ':') {
    // `CB:4111…` and `tel/06…` are labels, `12:4111…` and `x/1/4111…` are paths.
    return before === ':' ? !isDigitAt(text, at - 1) : !isWordAt(text, at - 1);
  }
  return !'_#@+$€£%&~^*•●'.includes(before) || isMarkup(text, at);
}

/** Whether a number that ends here (exclusive) is not cut out of something longer. */
export function endsAt(text: string, end: number): boolean {
  let at = end;
  while (isInvisible(text.charAt(at))) at++;
  if (at >= text.length) return true;
  if (isWordAt(text, at)) return false;
  const next = text.charAt(at);
  if (next === '.' || next === '/' || next === ':') return !isDigitAt(text, at + 1) && !isPathOn(text, at);
  if (isDash(next)) return !isWordAt(text, at + 1);
  return !'_@#%€$£+='.includes(next);
}

/** Whether a character marks emphasis, as in `*0612345678*`. */
function isMarkup(text: string, at: number): boolean {
  return text.charAt(at) === '*' && !/[*\p{L}\p{N}•]/u.test(text.charAt(at - 1));
}

/** Whether a path continues: `4111…/details` does, `4111…/ exp. 09/27` does not, nor does a full stop before the next sentence. */
function isPathOn(text: string, at: number): boolean {
  return text.charAt(at) === '/' && isLetterAt(text, at + 1);
}

/** Whether an equals sign gives a parameter of a web address its value. */
function isQuery(text: string, at: number): boolean {
  const name = /[?&][\w.[\]-]{0,40}$/.exec(text.slice(Math.max(0, at - 42), at));
  return name !== null;
}
