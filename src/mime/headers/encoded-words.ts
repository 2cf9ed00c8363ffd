import { decodeCharset } from '../text/charset';
import { decodeQuotedPrintableWord } from '../transfer/quoted-printable-decoder';
import type { Defects } from '../defects';

/** `[^?]*` cannot cross the next question mark, so matching is linear in the length of the value. */
const ENCODED_WORD = /=\?([^?\s]{1,75})\?([bq])\?([^?]*)\?=/gi;

/** Controls, and the marks that reorder or hide text: they have no place in a one-line value. */
const NOT_PRINTABLE = /[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu;

/**
 * The readable text of a header value: encoded words decoded (RFC 2047; words split in the middle of a character
 * are joined first), raw 8-bit bytes read as UTF-8 or windows-1252, controls removed, white space collapsed.
 * @param value one UTF-16 unit per byte, as `HeaderFields` has it
 */
export function decodeHeaderText(value: string, defects?: Defects): string {
  return singleLine(decodeEncodedWords(value, defects));
}

/** Decodes encoded words and 8-bit bytes of a header value, and nothing else. */
export function decodeEncodedWords(value: string, defects?: Defects): string {
  if (!value.includes('=?')) return decodeBytes(value, defects);
  let text = '';
  let end = 0;
  let pending: Buffer[] = [];
  let pendingCharset = '';
  const flush = (): void => {
    if (pending.length > 0) text += decodeCharset(Buffer.concat(pending), pendingCharset, defects);
    pending = [];
  };
  for (const match of value.matchAll(ENCODED_WORD)) {
    const [word, label = '', encoding = '', payload = ''] = match;
    const between = value.slice(end, match.index);
    end = match.index + word.length;
    // RFC 2231 §5 appends a language to the charset.
    const charset = label.replace(/\*.*$/, '').toLowerCase();
    const bytes =
      encoding === 'b' || encoding === 'B'
        ? Buffer.from(payload, 'base64')
        : decodeQuotedPrintableWord(payload);
    const adjacent = pending.length > 0 && between.trim() === '';
    if (!adjacent || charset !== pendingCharset) flush();
    if (!adjacent) text += decodeBytes(between, defects);
    pendingCharset = charset;
    pending.push(bytes);
  }
  flush();
  return text + decodeBytes(value.slice(end), defects);
}

/** Anything but printable ASCII with single spaces: only then is there something to do. */
const UNTIDY = /[^ -~]| {2}/;

/** Removes controls and direction marks, and makes every run of white space one space. */
export function singleLine(text: string): string {
  if (!UNTIDY.test(text)) return text.trim();
  return text
    .replace(/[\s\u2028\u2029]+/g, ' ')
    .replace(NOT_PRINTABLE, '')
    .replace(/ {2,}/g, ' ')
    .trim();
}

function decodeBytes(value: string, defects?: Defects): string {
  return decodeCharset(Buffer.from(value, 'latin1'), null, defects);
}
