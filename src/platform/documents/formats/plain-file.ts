import { isUtf8 } from 'node:buffer';
import { decodeCharset, decodeUnlabelled } from '../../mime/charset';
import { htmlToText } from '../../mime/html-text';
import { looksLikeHtml } from '../../mime/text-kinds';
import type { DocumentText } from '../document-text';
import type { DocumentFile } from '../document-file';

/** The part of a file by which it is recognised. */
const SAMPLE = 64 * 1024;
/** Share of control characters from which a file is no text. */
const MAX_CONTROLS = 0.01;
const HTML_TYPE = /^(?:text\/html|application\/xhtml\+xml)$/;
const HTML_NAME = /\.x?html?$/i;
/** Lines that go on in the next one (RFC 5545 3.1, RFC 6350 3.2). */
const FOLDED = /^BEGIN:V(?:CARD|CALENDAR)/i;
const META_CHARSET = /<meta[^>]{0,200}charset\s*=\s*["']?([\w-]{2,40})/i;
/** Bytes of one character, at most. */
const MAX_BYTES_PER_UNIT = 4;

/** Whether bytes are text in an encoding that people use. */
export function isPlainText(bytes: Buffer): boolean {
  const sample = bytes.subarray(0, SAMPLE);
  if (byteOrderMark(sample) !== null) return true;
  if (sample.includes(0)) return false;
  const controls = sample.reduce((count, byte) => count + (byte < 0x20 && !BLANKS.has(byte) ? 1 : 0), 0);
  return controls <= sample.length * MAX_CONTROLS;
}

const BLANKS: ReadonlySet<number> = new Set([0x09, 0x0a, 0x0b, 0x0c, 0x0d, 0x1b]);

/** Reads a file of text: TXT, CSV, HTML, vCard, iCalendar and others. */
export function readPlainFile({ bytes, name, mimeType }: DocumentFile, text: DocumentText): string {
  const decoded = decode(bytes.subarray(0, MAX_BYTES_PER_UNIT * (text.room + 1)));
  if (HTML_TYPE.test(mimeType) || HTML_NAME.test(name) || looksLikeHtml(decoded))
    return htmlToText(decoded, text.room + 1);
  return FOLDED.test(decoded) ? decoded.replace(/\r?\n[ \t]/g, '') : decoded;
}

function decode(bytes: Buffer): string {
  const marked = byteOrderMark(bytes);
  if (marked !== null) return decodeCharset(bytes, marked);
  if (isUtf8(bytes)) return decodeUnlabelled(bytes);
  const declared = META_CHARSET.exec(bytes.toString('latin1', 0, 2_048))?.[1];
  return declared === undefined ? decodeUnlabelled(bytes) : decodeCharset(bytes, declared);
}

function byteOrderMark(bytes: Buffer): string | null {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  return null;
}
