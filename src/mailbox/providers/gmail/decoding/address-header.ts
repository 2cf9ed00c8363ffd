import libmime from 'libmime';

const WORD = String.raw`=\?[\w*-]+\?[QqBb]\?[^?]*\?=`;
const WORDS = String.raw`${WORD}(?:\s*${WORD})*`;
/** Quoted strings and comments up to where they end, or the end of the field, and encoded words outside of both. */
const TOKENS = new RegExp(String.raw`"(?:[^"\\]|\\.)*"?|\((?:[^()\\]|\\.)*\)?|${WORDS}`, 'gs');
const ONLY_WORDS = new RegExp(`^\\s*${WORDS}\\s*$`);
const ALL_WORDS = new RegExp(WORDS, 'g');
/** RFC 5322 section 3.2.3: they mean something unless quoted. */
const SPECIALS = /[()<>[\]:;@\\,"]/;

/**
 * RFC 2047 words of an address list decoded, so that the result has the structure of what was sent: an encoded comma
 * or bracket is part of a name (section 5 (3)) and becomes part of a quoted one. Otherwise the display name, which
 * anybody may choose, could pass for the address of somebody else.
 */
export function decodeAddressWords(field: string): string {
  // Some encode the address as well: then there is no structure to keep.
  if (ONLY_WORDS.test(field)) return libmime.decodeWords(field);
  return field.replace(TOKENS, (token) => {
    if (token.startsWith('"')) return withWordsEscaped(token, /["\\]/g);
    if (token.startsWith('(')) return withWordsEscaped(token, /[()\\]/g);
    const text = libmime.decodeWords(token);
    return SPECIALS.test(text) ? `"${text.replace(/["\\]/g, '\\$&')}"` : text;
  });
}

function withWordsEscaped(token: string, special: RegExp): string {
  return token.replace(ALL_WORDS, (words) => libmime.decodeWords(words).replace(special, '\\$&'));
}
