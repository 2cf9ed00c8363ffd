/** Letters that Unicode does not decompose but that people type without their stroke or ligature. */
const SPECIAL: Readonly<Record<string, string>> = {
  ß: 'ss',
  œ: 'oe',
  æ: 'ae',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ħ: 'h',
  ł: 'l',
  ŧ: 't',
  ı: 'i',
  ς: 'σ',
};

/**
 * Accents, Hebrew points, Arabic vowel signs, the stretching sign and invisible joiners. Marks of other scripts, and
 * the voicing marks of kana, are parts of letters and stay. By constructor: the compile target lacks the `v` flag.
 */
const STRIPPED = new RegExp(
  '[[\\p{Mn}&&[\\p{Script=Inherited}\\p{Script=Hebrew}\\p{Script=Arabic}]]--[\\u3099\\u309a]]|[\\u0640\\u00ad\\u200b-\\u200d]',
  'gv',
);

const SPECIAL_LETTERS = /[ßœæøđðþħłŧıς]/g;

/** Scripts written without spaces: each character (with its marks) is a word, a phrase finds a sequence. */
const UNSPACED =
  '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Bopomofo}\\u30fc\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}';

const TOKEN = new RegExp(`[${UNSPACED}]\\p{M}*|[[\\p{L}\\p{N}\\p{M}]--[${UNSPACED}]]+`, 'gv');

/** ASCII letters and digits together with everything beyond ASCII; what is between separates words in any script. */
const RUN = /[A-Za-z0-9\u0080-\uffff]+/g;
const ASCII_RUN = /^[A-Za-z0-9]+$/;

/** Longer words are encoded data, not words; PostgreSQL would refuse a lexeme of 2 KiB. */
export const MAX_TOKEN_LENGTH = 64;

/**
 * Folds a text for searching: compatibility forms unified (NFKD), accents removed, lower case, `ß` as `ss` and the
 * like. Two texts that differ only in case or accents fold to the same.
 */
export function foldText(text: string): string {
  return text
    .normalize('NFKD')
    .replace(STRIPPED, '')
    .normalize('NFC')
    .toLowerCase()
    .replace(STRIPPED, '')
    .replace(SPECIAL_LETTERS, (letter) => SPECIAL[letter] ?? letter);
}

/**
 * The folded words of a text, in order: runs of letters and digits, one word per character in scripts written
 * without spaces. `alice@example.com` gives `alice`, `example`, `com`. Words are cut at 64 characters.
 */
export function searchTokens(text: string): string[] {
  const tokens: string[] = [];
  for (const run of text.match(RUN) ?? []) {
    // Most words of most mails are plain ASCII, which needs no folding but lower case.
    if (ASCII_RUN.test(run)) tokens.push(cutToken(run.toLowerCase()));
    else for (const token of foldText(run).match(TOKEN) ?? []) tokens.push(cutToken(token));
  }
  return tokens;
}

function cutToken(token: string): string {
  if (token.length <= MAX_TOKEN_LENGTH) return token;
  const last = token.charCodeAt(MAX_TOKEN_LENGTH - 1);
  return token.slice(0, last >= 0xd800 && last <= 0xdbff ? MAX_TOKEN_LENGTH - 1 : MAX_TOKEN_LENGTH);
}
