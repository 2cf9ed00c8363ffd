const LETTER = /\p{L}/u;

/** Spaces people and mailers put into numbers: no tab and no line end, which separate one thing from another. */
const SPACES = new Set(
  ' \u00a0\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000',
);
const DASHES = new Set('-\u2010\u2011\u2012\u2013\u2212');
/** Take no room: joiners, direction marks, soft hyphens. Numbers copied from address books are full of them. */
const INVISIBLE = new Set('\u00ad\u200b\u200c\u200d\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2060\ufeff');

/** ASCII digits only: a text is brought to them before it is looked through. */
export const isDigitAt = (text: string, at: number): boolean => {
  const code = text.charCodeAt(at);
  return code >= 0x30 && code <= 0x39;
};

/** A letter of any script. False beyond the ends of the text. */
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
export function withAsciiDigits(text: string): string {
  return text.replace(/[\uff10-\uff19]/g, (digit) =>
    String.fromCharCode(digit.charCodeAt(0) - 0xff10 + 0x30),
  );
}
