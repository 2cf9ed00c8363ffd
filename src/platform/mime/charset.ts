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
  'x-mac-roman': 'macintosh',
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

/**
 * Decodes bytes in the named character set. Never throws: an unlabelled or unknown charset is read as UTF-8 when
 * the bytes are valid UTF-8 and as windows-1252 otherwise, and an unknown one is noted as a defect.
 *
 * iconv-lite rather than TextDecoder, because Node 20 decodes 0x80-0x9F of windows-1252 as control characters;
 * ISO-2022-JP is the exception, which iconv-lite lacks.
 */
export function decodeCharset(bytes: Buffer, label: string | null, defects?: Defects): string {
  const charset = canonicalCharset(label);
  if (!NOT_ASCII_COMPATIBLE.test(charset) && isAscii(bytes)) return bytes.toString('latin1');
  if (UNINFORMATIVE.has(charset)) return decodeUnlabelled(bytes);
  if (charset === 'utf-8') {
    if (!isUtf8(bytes)) defects?.add('text labelled utf-8 is not valid utf-8');
    return withoutBom(bytes.toString('utf8'));
  }
  if (charset === 'iso-2022-jp') return decodeIso2022Jp(bytes);
  if (NOT_CHARSETS.has(charset) || !iconv.encodingExists(charset)) {
    defects?.add(`unknown charset ${charset.slice(0, 40)}`);
    return decodeUnlabelled(bytes);
  }
  return iconv.decode(bytes, charset);
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

function canonicalCharset(label: string | null): string {
  const plain = (label ?? '')
    .slice(0, 64)
    .toLowerCase()
    .replace(/[^a-z0-9_.:+-]/g, '');
  const windows = /^(?:x-)?(?:cp|win|windows)[-_]?(125\d|874)$/.exec(plain);
  if (windows) return `windows-${windows[1]}`;
  return Object.hasOwn(ALIASES, plain) ? (ALIASES[plain] ?? plain) : plain;
}

function decodeUnlabelled(bytes: Buffer): string {
  return isUtf8(bytes) ? withoutBom(bytes.toString('utf8')) : iconv.decode(bytes, 'windows-1252');
}

function withoutBom(text: string): string {
  return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
}

/** The raw message as text: UTF-8 when the bytes are valid UTF-8, else Latin-1 (every byte one character). */
export function emlText(raw: Buffer): string {
  return isUtf8(raw) ? raw.toString('utf8') : raw.toString('latin1');
}
