/** Of one encoded word, its marks included (RFC 2047 section 2). */
const MAX_WORD = 75;
const PREFIX = '=?UTF-8?B?';
const SUFFIX = '?=';
/** Bytes whose base64 fits between the marks. */
const MAX_BYTES = Math.floor((MAX_WORD - PREFIX.length - SUFFIX.length) / 4) * 3;

const PRINTABLE_ASCII = /^[\x20-\x7e]*$/;

/**
 * A header's value in ASCII: as it is, or as encoded words (RFC 2047), with a single blank between them that belongs to
 * none. No character is divided between two words. What only looks like an encoded word is encoded as well.
 */
export function encodedHeader(text: string): string {
  if (PRINTABLE_ASCII.test(text) && !text.includes('=?')) return text;
  const words: string[] = [''];
  for (const character of text) {
    const word = `${words.at(-1)}${character}`;
    if (Buffer.byteLength(word) > MAX_BYTES) words.push(character);
    else words[words.length - 1] = word;
  }
  return words.map((word) => `${PREFIX}${Buffer.from(word, 'utf8').toString('base64')}${SUFFIX}`).join(' ');
}
