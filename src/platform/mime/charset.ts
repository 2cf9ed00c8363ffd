import iconv from 'iconv-lite';
import { isAscii, isUtf8 } from 'node:buffer';
import type { Defects } from './defects';

/**
 * Labels whose declared repertoire is routinely exceeded, or that iconv-lite does not know by that name.
 * The values are supersets, so a correctly labelled text decodes the same (WHATWG Encoding, "Names and labels").
 */
const ALIASES: Readonly<Record<string, string>> = {
  'iso-8859-1': 'windows-1252',
  iso8859_1: 'windows-1252',
  'iso8859-1': 'windows-1252',
  iso88591: 'windows-1252',
  latin1: 'windows-1252',
  'latin-1': 'windows-1252',
  cp819: 'windows-1252',
  'iso-8859-1-windows-3.1-latin-1': 'windows-1252',
  'iso-8859-8-i': 'iso-8859-8',
  'iso-8859-8-e': 'iso-8859-8',
  'iso-8859-6-i': 'iso-8859-6',
  'iso-8859-6-e': 'iso-8859-6',
  'iso-8859-9': 'windows-1254',
  'iso-8859-11': 'windows-874',
  'tis-620': 'windows-874',
  gb2312: 'gb18030',
  gb_2312: 'gb18030',
  'gb_2312-80': 'gb18030',
  'euc-cn': 'gb18030',
  gbk: 'gb18030',
  'x-gbk': 'gb18030',
  big5: 'big5-hkscs',
  'x-big5': 'big5-hkscs',
  'euc-kr': 'cp949',
  'ks_c_5601-1987': 'cp949',
  'ks_c_5601-1989': 'cp949',
  ks_c_5601: 'cp949',
  ksc5601: 'cp949',
  'x-windows-949': 'cp949',
  'x-sjis': 'shift_jis',
  'x-shift-jis': 'shift_jis',
  'shift-jis': 'shift_jis',
  sjis: 'shift_jis',
  ms_kanji: 'shift_jis',
  cp932: 'shift_jis',
  'x-euc-jp': 'euc-jp',
  csiso2022jp: 'iso-2022-jp',
  jis: 'iso-2022-jp',
  'iso-2022-jp-1': 'iso-2022-jp',
  'iso-2022-jp-2': 'iso-2022-jp',
  'iso-2022-jp-3': 'iso-2022-jp',
  'iso-2022-jp-ms': 'iso-2022-jp',
  'unicode-1-1-utf-7': 'utf-7',
  'unicode-1-1-utf-8': 'utf-8',
  utf8: 'utf-8',
  'utf-8mb4': 'utf-8',
  'x-utf-8': 'utf-8',
  'utf-8-mac': 'utf-8',
  'x-mac-roman': 'macintosh',
  'x-mac-ce': 'maccenteuro',
  'x-mac-centraleurroman': 'maccenteuro',
  'x-mac-centraleurope': 'maccenteuro',
  'x-mac-cyrillic': 'maccyrillic',
  'x-mac-ukrainian': 'macukraine',
  'x-mac-greek': 'macgreek',
  'x-mac-turkish': 'macturkish',
  'x-mac-icelandic': 'maciceland',
  'x-mac-romanian': 'macromania',
  'x-mac-croatian': 'maccroatian',
  'x-mac-thai': 'macthai',
  'x-mac-japanese': 'shift_jis',
  'x-mac-korean': 'cp949',
  'x-mac-chinesesimp': 'gb18030',
  'x-mac-chinesetrad': 'big5-hkscs',
  'x-ms-cp932': 'shift_jis',
  'x-windows-950': 'big5-hkscs',
  'big5-eten': 'big5-hkscs',
  'x-euc': 'euc-jp',
  ujis: 'euc-jp',
  cp51932: 'euc-jp',
  cswindows1251: 'windows-1251',
  csiso885915: 'iso-8859-15',
  'hz-gb': 'hz-gb-2312',
  hz: 'hz-gb-2312',
  csiso2022kr: 'iso-2022-kr',
  '646': 'us-ascii',
  ansi: 'windows-1252',
  'x-ansi': 'windows-1252',
};

/** Labels that say nothing about the bytes; the bytes themselves are asked. */
const UNINFORMATIVE = new Set([
  '',
  'ascii',
  'us-ascii',
  'ansi_x3.4-1968',
  'iso646-us',
  'unknown',
  'unknown-8bit',
  'x-unknown',
  'x-user-defined',
  'default',
  'none',
  '7bit',
  '8bit',
  'binary',
]);

/** iconv-lite also offers byte transformations under these names; they are no character sets. */
const NOT_CHARSETS = new Set(['base64', 'hex', 'internal']);

const ESCAPE = String.fromCharCode(0x1b);

/** Charsets in which bytes below 0x80 do not stand for themselves. */
const NOT_ASCII_COMPATIBLE = /^(?:iso-2022|utf-?7|utf-?16|utf-?32|ucs-?[24]|hz)/;

/** Charsets of one byte for a character: in them, text that is valid UTF-8 makes no sense. */
const ONE_BYTE = /^(?:windows-125\d|iso-8859-|koi8|mac|cp(?:437|7|8[56]))/;

/** Charsets of one or two bytes for a character. */
const SEVERAL_BYTES = /^(?:gb|big5|cp9(?:32|36|49|50)|euc-|shift_jis)/;

/** Charsets of two or four bytes for a character: without a byte of zero, ASCII is none of them. */
const WIDE = /^(?:utf-?16|utf-?32|ucs-?[24])/;

/**
 * Decodes bytes in the named character set. Never throws: an unlabelled or unknown charset is read as UTF-8 when the bytes
 * are valid UTF-8 and as windows-1252 otherwise, and an unknown one is noted as a defect. So is a charset of one byte for a
 * character when the bytes are UTF-8: the label is wrong then.
 *
 * iconv-lite rather than TextDecoder, because Node 20 decodes 0x80-0x9F of windows-1252 as control characters. The charsets
 * that change with escapes are exceptions, which iconv-lite lacks.
 */
export function decodeCharset(bytes: Buffer, label: string | null, defects?: Defects): string {
  const charset = canonicalCharset(label);
  if (!NOT_ASCII_COMPATIBLE.test(charset) && isAscii(bytes)) return bytes.toString('latin1');
  if (UNINFORMATIVE.has(charset)) return decodeUnlabelled(bytes, null, defects);
  if (charset === 'utf-8') {
    return isUtf8(bytes) ? withoutBom(bytes.toString('utf8')) : decodeDamaged(bytes, defects);
  }
  if (charset === 'iso-2022-jp') return decodeIso2022Jp(bytes);
  if (charset === 'iso-2022-kr') return decodeIso2022Kr(bytes);
  if (charset === 'hz-gb-2312') return decodeHz(bytes);
  if (WIDE.test(charset) && isAscii(bytes) && !bytes.includes(0)) {
    defects?.add(`text labelled ${charset} is ascii`);
    return bytes.toString('latin1');
  }
  if (isSurelyUtf8(bytes, ONE_BYTE.test(charset) ? 1 : SEVERAL_BYTES.test(charset) ? 3 : Infinity)) {
    defects?.add(`text labelled ${charset} is utf-8`);
    return withoutBom(bytes.subarray(0, completeEnd(bytes)).toString('utf8'));
  }
  if (NOT_CHARSETS.has(charset) || !iconv.encodingExists(charset)) {
    defects?.addDoubt('charset', `unknown charset ${charset.slice(0, 40)}`);
    return decodeUnlabelled(bytes);
  }
  return iconv.decode(bytes, charset);
}

/**
 * Decodes text that is labelled as UTF-8 and is not: with marks for what is wrong in it, unless nothing in it but ASCII is right. Then
 * another charset was meant.
 */
function decodeDamaged(bytes: Buffer, defects?: Defects): string {
  defects?.addDoubt('charset', 'text labelled utf-8 is not valid utf-8');
  const text = bytes.toString('utf8');
  return /[^\0-\x7f\ufffd]/.test(text) ? withoutBom(text) : iconv.decode(bytes, 'windows-1252');
}

/**
 * Joined encoded words leave an escape to ASCII directly before the next escape; the WHATWG decoder answers that
 * with U+FFFD, so an escape that applies to nothing is taken out first.
 */
function decodeIso2022Jp(bytes: Buffer): string {
  const [start = '', ...escaped] = bytes.toString('latin1').split(ESCAPE);
  const meaningful = escaped.filter((run, index) => run.length > 2 || index === escaped.length - 1);
  return new TextDecoder('iso-2022-jp').decode(Buffer.from([start, ...meaningful].join(ESCAPE), 'latin1'));
}

const SHIFT_OUT = 0x0e;
const SHIFT_IN = 0x0f;
const TILDE = 0x7e;
const LF = 0x0a;

/** Decodes ISO-2022-KR (RFC 1557): between SO and SI, pairs of bytes are those of EUC-KR without their high bit. */
function decodeIso2022Kr(bytes: Buffer): string {
  const plain = Buffer.from(bytes.toString('latin1').replaceAll(`${ESCAPE}$)C`, ''), 'latin1');
  const decoded = Buffer.alloc(plain.length);
  let length = 0;
  let isShifted = false;
  for (const byte of plain) {
    if (byte === SHIFT_OUT || byte === SHIFT_IN) isShifted = byte === SHIFT_OUT;
    // Controls and blanks stand for themselves in both modes.
    else decoded[length++] = isShifted && byte > 0x20 ? byte | 0x80 : byte;
    // The end of a line ends the mode as well (RFC 1557).
    if (byte === LF) isShifted = false;
  }
  return iconv.decode(decoded.subarray(0, length), 'cp949');
}

/** Decodes HZ (RFC 1843): between `~{` and `~}`, pairs of bytes are those of GB 2312 without their high bit; `~~` is a tilde. */
function decodeHz(bytes: Buffer): string {
  const decoded = Buffer.alloc(bytes.length);
  let length = 0;
  let isShifted = false;
  for (let pos = 0; pos < bytes.length; pos += 1) {
    const byte = bytes[pos] as number;
    const next = String.fromCharCode(bytes[pos + 1] ?? 0);
    if (byte === TILDE && (isShifted ? next === '}' : '{~\n'.includes(next))) {
      if (next === '~') decoded[length++] = TILDE;
      isShifted = next === '{';
      pos += 1;
      continue;
    }
    if (byte === LF) isShifted = false;
    decoded[length++] = isShifted && byte > 0x20 ? byte | 0x80 : byte;
  }
  return iconv.decode(decoded.subarray(0, length), 'gb18030');
}

/** Lead bytes of Latin letters and punctuation in UTF-8: with one of these, a single character is proof enough. */
const COMMON_LEADS = new Set([0xc2, 0xc3, 0xe2]);

/**
 * Whether bytes with 8-bit characters are UTF-8, whatever their label says. One character may be valid UTF-8 by accident
 * (`Ü“` in windows-1252), two are not; where characters have two bytes, it takes more.
 * @param enough characters that may be an accident
 * A character that is cut at the end does not count.
 */
function isSurelyUtf8(bytes: Buffer, enough: number): boolean {
  if (enough === Infinity) return false;
  const end = completeEnd(bytes);
  if (!isUtf8(bytes.subarray(0, end))) return false;
  let count = 0;
  for (let pos = 0; pos < end; pos += 1) {
    const byte = bytes[pos] as number;
    if (byte < 0xc0) continue;
    count += 1;
    if (count > enough || (enough === 1 && COMMON_LEADS.has(byte))) return true;
  }
  return false;
}

/** The end of the bytes without a character of UTF-8 that is cut there. */
function completeEnd(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] as number;
    if (byte < 0x80) return bytes.length;
    if (byte >= 0xc0) {
      const wanted = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
      return wanted > back ? bytes.length - back : bytes.length;
    }
  }
  return bytes.length;
}

function canonicalCharset(label: string | null): string {
  const plain = (label ?? '')
    .slice(0, 64)
    .toLowerCase()
    .replace(/[^a-z0-9_.:+-]/g, '');
  const windows = /^(?:x-)?(?:cp|win|windows)[-_]?(125\d|874)$/.exec(plain);
  if (windows) return `windows-${windows[1]}`;
  const latin = /^(?:iso[-_]?)?8859[-_](\d{1,2})$/.exec(plain);
  const name = latin ? `iso-8859-${latin[1]}` : plain;
  if (Object.hasOwn(ALIASES, name)) return ALIASES[name] ?? name;
  return iconv.encodingExists(name) ? name : whatwgName(name);
}

/** The name that the WHATWG's table has for a label; the label itself when it has none. */
function whatwgName(label: string): string {
  try {
    return new TextDecoder(label).encoding;
  } catch (error) {
    if (error instanceof RangeError) return label;
    throw error;
  }
}

/**
 * Decodes bytes whose charset is not named: UTF-8 when they are valid UTF-8, else `charset` if it is known, else
 * windows-1252.
 */
export function decodeUnlabelled(bytes: Buffer, charset: string | null = null, defects?: Defects): string {
  if (isUtf8(bytes)) return withoutBom(bytes.toString('utf8'));
  const name = canonicalCharset(charset);
  defects?.addDoubt('charset', '8-bit text without a charset');
  const isUsable = ONE_BYTE.test(name) || /^(?:gb|big5|cp949|euc-|shift_jis|windows-874)/.test(name);
  return iconv.decode(bytes, isUsable && iconv.encodingExists(name) ? name : 'windows-1252');
}

function withoutBom(text: string): string {
  return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
}

/** The raw message as text: UTF-8 when the bytes are valid UTF-8, else Latin-1 (every byte one character). */
export function emlText(raw: Buffer): string {
  return isUtf8(raw) ? raw.toString('utf8') : raw.toString('latin1');
}
