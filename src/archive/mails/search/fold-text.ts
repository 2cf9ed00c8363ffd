import { replaceSpecialLetters } from '../../../platform/text/special-letters';

/**
 * Accents, Hebrew points, Arabic vowel signs, the stretching sign and invisible joiners. Marks of other scripts, and
 * the voicing marks of kana, are parts of letters and stay. By constructor: the compile target lacks the `v` flag.
 */
const STRIPPED = new RegExp(
  '[[\\p{Mn}&&[\\p{Script=Inherited}\\p{Script=Hebrew}\\p{Script=Arabic}]]--[\\u3099\\u309a]]|[\\u0640\\u00ad\\u200b-\\u200d]',
  'gv',
);

/** Scripts written without spaces: each character (with its marks) is a word, a phrase finds a sequence. */
const UNSPACED =
  '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Bopomofo}\\u30fc\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}';

const TOKEN = new RegExp(`[${UNSPACED}]\\p{M}*|[[\\p{L}\\p{N}\\p{M}]--[${UNSPACED}]]+`, 'gv');

/** A word of a text that is not folded; invisible marks do not end it. */
export const WORD = new RegExp(
  `[${UNSPACED}]\\p{M}*|[[\\p{L}\\p{N}\\p{M}\\u0640\\u00ad\\u200b-\\u200d]--[${UNSPACED}]]+`,
  'gv',
);

/** Longer words are encoded data, not words; PostgreSQL would refuse a lexeme of 2 KiB. */
export const MAX_TOKEN_LENGTH = 64;
/** UTF-8 never needs more for one UTF-16 unit. */
const MAX_BYTES_PER_UNIT = 3;

/** End of Latin Extended-A, and the block of general punctuation. */
const LAST_LATIN = 0x17f;
const FIRST_PUNCTUATION = 0x2000;
const LAST_PUNCTUATION = 0x206f;
const NEEDS_CONTEXT = 0;
const SEPARATOR = 1;
const FOLDED_CODES = buildFoldedCodes();

/**
 * Folds a text for searching: compatibility forms unified (NFKD), accents removed, lower case, `ß` as `ss` and the
 * like. Two texts that differ only in case or accents fold to the same.
 */
export function foldText(text: string): string {
  return replaceSpecialLetters(
    text.normalize('NFKD').replace(STRIPPED, '').normalize('NFC').toLowerCase().replace(STRIPPED, ''),
  );
}

/**
 * The folded words of a text, in order: runs of letters and digits, one word per character in scripts written
 * without spaces. `alice@example.com` gives `alice`, `example`, `com`. Words are cut at 64 characters.
 */
export function searchTokens(text: string): string[] {
  const tokens: string[] = [];
  visitTokens(text, (word, length) => tokens.push(word.toString('utf8', 0, length)));
  return tokens;
}

/**
 * Calls `visit` with each of the `searchTokens` of a text as UTF-8: the first `length` bytes of `word`, which the
 * next word overwrites. A string for every word would be most of the cost of indexing a mail.
 */
export function visitTokens(text: string, visit: (word: Buffer, length: number) => void): void {
  const word = Buffer.allocUnsafe(MAX_TOKEN_LENGTH * MAX_BYTES_PER_UNIT);
  const codes = utf16Of(text);
  let length = 0;
  let start = 0;
  for (let pos = 0; pos < codes.length; pos++) {
    const code = codes[pos] as number;
    const folded = code < FOLDED_CODES.length ? (FOLDED_CODES[code] as number) : NEEDS_CONTEXT;
    if (folded > SEPARATOR) {
      if (length < MAX_TOKEN_LENGTH) word[length++] = folded;
    } else if (folded === SEPARATOR) {
      if (length > 0) visit(word, length);
      length = 0;
      start = pos + 1;
    } else {
      // The next characters may change how the letters before them fold.
      const end = endOfRun(codes, pos);
      visitFolded(text.slice(start, end), word, visit);
      length = 0;
      start = end;
      pos = end - 1;
    }
  }
  if (length > 0) visit(word, length);
}

function visitFolded(run: string, word: Buffer, visit: (word: Buffer, length: number) => void): void {
  for (const token of foldText(run).match(TOKEN) ?? []) visit(word, word.write(cutToken(token), 'utf8'));
}

/** Up to the next character that is ASCII and neither letter nor digit: it separates words in any script. */
function endOfRun(codes: Uint16Array, start: number): number {
  let end = start;
  while (end < codes.length) {
    const code = codes[end] as number;
    if (code < 0x80 && FOLDED_CODES[code] === SEPARATOR) break;
    end++;
  }
  return end;
}

/** Reading an array is several times faster than asking a string for one character after the other. */
function utf16Of(text: string): Uint16Array {
  const codes = new Uint16Array(text.length);
  Buffer.from(codes.buffer).write(text, 'utf16le');
  return codes;
}

function cutToken(token: string): string {
  if (token.length <= MAX_TOKEN_LENGTH) return token;
  const last = token.charCodeAt(MAX_TOKEN_LENGTH - 1);
  return token.slice(0, last >= 0xd800 && last <= 0xdbff ? MAX_TOKEN_LENGTH - 1 : MAX_TOKEN_LENGTH);
}

/**
 * Makes a table of what characters fold to whatever stands next to them: the code of an ASCII letter or digit, or a separator of
 * words. True of ASCII, of most accented Latin letters and of typographic punctuation.
 */
function buildFoldedCodes(): Uint8Array {
  const codes = new Uint8Array(LAST_PUNCTUATION + 1).fill(NEEDS_CONTEXT);
  for (let code = 0; code <= LAST_PUNCTUATION; code++) {
    if (code > LAST_LATIN && code < FIRST_PUNCTUATION) continue;
    const folded = foldText(String.fromCharCode(code));
    if (/^[a-z0-9]$/.test(folded)) codes[code] = folded.charCodeAt(0);
    else if (folded !== '' && !/[\p{L}\p{N}\p{M}]/u.test(folded)) codes[code] = SEPARATOR;
  }
  return codes;
}
