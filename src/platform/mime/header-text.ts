import { decodeCharset, decodeUnlabelled } from './charset';
import type { Defects } from './defects';
import { decodeQuotedPrintableWord } from './quoted-printable-decoder';

/**
 * An encoded word (RFC 2047 §2). Programs leave some question marks in the text of a word as they are. They are limited, so
 * that matching is linear in the length of the value.
 */
const ENCODED_WORD = /=\?([^?\s]{1,75})\?([bq])\?([^?]*(?:(?<!=)\?(?!=)[^?]*){0,20})\?=/gi;

/** Controls, and the marks that reorder or hide text: they have no place in a one-line value. */
const NOT_PRINTABLE = /[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu;

/**
 * Decodes a header value to readable text: encoded words (RFC 2047; words split in the middle of a character are joined
 * first), raw 8-bit bytes as UTF-8, else in `charset`, else as windows-1252; controls removed, white space collapsed.
 * @param value one UTF-16 unit per byte, as `HeaderFields` has it
 * @param charset the charset of the body, which is that of 8-bit headers as well
 */
export function decodeHeaderText(value: string, defects?: Defects, charset: string | null = null): string {
  return singleLine(decodeEncodedWords(value, defects, charset));
}

/** Decodes encoded words and 8-bit bytes of a header value, and nothing else. */
export function decodeEncodedWords(
  value: string,
  defects?: Defects,
  bodyCharset: string | null = null,
): string {
  const decodeBytes = (text: string): string =>
    decodeUnlabelled(Buffer.from(text, 'latin1'), bodyCharset, defects);
  if (!value.includes('=?')) return decodeBytes(value);
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
    if (!adjacent) text += decodeBytes(between);
    pendingCharset = charset;
    pending.push(bytes);
  }
  flush();
  return text + decodeBytes(value.slice(end));
}

/** Matches anything but printable ASCII with single spaces: only then is there something to do. */
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

const MAX_PARAMETERS = 1_000;

export interface StructuredValue {
  /** The text before the first semicolon, comma or blank, lower case, without comments: `text/plain`, `attachment`. */
  value: string;
  /** Parameters by lower-case name, decoded (RFC 2231 continuations and charsets, RFC 2047 words, 8-bit bytes). */
  parameters: ReadonlyMap<string, string>;
  /** Plain parameters as written, one UTF-16 unit per byte: a boundary is compared with bytes, not with text. */
  literals: ReadonlyMap<string, string>;
}

interface Segment {
  index: number;
  encoded: boolean;
  value: string;
}

/** Parses a Content-Type or Content-Disposition value (RFC 2045 §5.1, RFC 2231), leniently and in linear time. */
export function parseStructuredValue(field: string, defects?: Defects): StructuredValue {
  const [first = '', ...others] = splitOutsideQuotes(field);
  const { value, parameter } = splitValue(first);
  const plain = new Map<string, string>();
  const extended = new Map<string, Segment[]>();
  for (const piece of parameter === '' ? others : [parameter, ...others]) {
    const equals = piece.indexOf('=');
    if (equals === -1) continue;
    const name = piece.slice(0, equals).trim().toLowerCase();
    const text = unquote(piece.slice(equals + 1).trim());
    const star = /^([^*]+)\*(?:(\d{1,4})(\*)?)?$/.exec(name);
    if (!star) {
      if (!plain.has(name)) plain.set(name, text);
      continue;
    }
    const [, base = '', index, continuedEncoded] = star;
    const segments = extended.get(base) ?? [];
    segments.push({
      index: Number(index ?? 0),
      encoded: index === undefined || continuedEncoded !== undefined,
      value: text,
    });
    extended.set(base, segments);
  }
  const parameters = new Map<string, string>();
  for (const [name, text] of plain) parameters.set(name, decodeHeaderText(text, defects));
  // RFC 2231 §4.1 / RFC 6266 §4.3: the extended form wins over the plain one.
  for (const [name, segments] of extended) parameters.set(name, joinSegments(segments, defects));
  return { value, parameters, literals: plain };
}

/** Separates a value from the parameter that follows it without a semicolon: `text/html charset=utf-8`. */
function splitValue(text: string): { readonly value: string; readonly parameter: string } {
  const equals = text.indexOf('=');
  let start = equals === -1 ? text.length : text.slice(0, equals).trimEnd().length;
  while (equals !== -1 && start > 0 && !/[\s,]/.test(text.charAt(start - 1))) start -= 1;
  // White space around the slash is obsolete syntax (RFC 822 §3.1.4).
  const tidy = text
    .slice(0, start)
    .replace(/["']/g, '')
    .split('/')
    .map((part) => part.trim())
    .join('/');
  return { value: (/^[^\s,]*/.exec(tidy)?.[0] ?? '').toLowerCase(), parameter: text.slice(start) };
}

function joinSegments(segments: Segment[], defects?: Defects): string {
  segments.sort((a, b) => a.index - b.index);
  let charset: string | null = null;
  const chunks = segments.map((segment, position) => {
    if (!segment.encoded) return Buffer.from(segment.value, 'latin1');
    let text = segment.value;
    if (position === 0) {
      const declared = /^([^']*)'[^']*'/.exec(text);
      if (declared) {
        charset = declared[1] ?? null;
        text = text.slice(declared[0].length);
      }
    }
    return decodePercents(text);
  });
  const bytes = Buffer.concat(chunks);
  // Some mailers split an RFC 2047 word over RFC 2231 continuations.
  if (charset === null && bytes.includes('=?')) return decodeHeaderText(bytes.toString('latin1'), defects);
  return singleLine(decodeCharset(bytes, charset, defects));
}

function decodePercents(text: string): Buffer {
  return Buffer.from(
    text.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(parseInt(hex, 16))),
    'latin1',
  );
}

/** Splits at semicolons, keeping quoted strings whole and leaving out comments in parentheses. */
function splitOutsideQuotes(field: string): string[] {
  const pieces: string[] = [];
  let start = 0;
  let piece = '';
  let quoted = false;
  let commentDepth = 0;
  let afterEquals = false;
  for (let pos = 0; pos < field.length; pos++) {
    const char = field[pos];
    if (char === '\\' && (quoted || commentDepth > 0)) {
      pos++;
    } else if (quoted) {
      if (char === '"') quoted = false;
    } else if (commentDepth > 0) {
      if (char === '(') commentDepth++;
      else if (char === ')' && --commentDepth === 0) start = pos + 1;
    } else if (char === '"') {
      quoted = true;
      afterEquals = false;
    } else if (char === '(' && !afterEquals) {
      // Unquoted file names hold parentheses; only those before a value begins are comments.
      piece += field.slice(start, pos);
      commentDepth = 1;
    } else if (char === '=') {
      afterEquals = true;
    } else if (char === ';') {
      pieces.push(piece + field.slice(start, pos));
      if (pieces.length >= MAX_PARAMETERS) return pieces;
      piece = '';
      start = pos + 1;
      afterEquals = false;
    }
  }
  pieces.push(piece + (commentDepth > 0 ? '' : field.slice(start)));
  return pieces;
}

/** The content of a quoted string; a backslash escapes only a quote or itself, since raw Windows paths occur. */
function unquote(text: string): string {
  if (!text.startsWith('"')) return text;
  const closing = text.length > 1 && text.endsWith('"') ? text.length - 1 : text.length;
  return text.slice(1, closing).replace(/\\(["\\])/g, '$1');
}
