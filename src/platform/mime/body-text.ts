import { decodeCharset } from './charset';
import type { Defects } from './defects';
import { htmlToText } from './html-text';
import { headingText, readHeading } from './message-heading';
import type { MimeEntity } from './mime-tree';
import { enrichedToText, looksLikeHtml, textKindOf } from './text-kinds';
import { decodeBounded } from './transfer-decoder';
import { withoutPictures } from './without-pictures';

/** Cap of the visible text, in bytes of UTF-8. */
export const MAX_TEXT_BYTES = 4 * 1024 * 1024;
/** UTF-16 units of a part that are read: some more than are kept, so that a text that is cut is known. */
const READ_UNITS = MAX_TEXT_BYTES + 1_024;
/** Most bytes of an HTML part that are read, without its pictures. */
const MAX_HTML_BYTES = 16 * 1024 * 1024;
/** The same with its pictures. */
const MAX_PICTURED_BYTES = 64 * 1024 * 1024;
const MAX_CID_SEARCH_BYTES = 4 * 1024 * 1024;
/** UTF-16 spends two bytes where UTF-8 spends one, UTF-32 four. */
const MAX_PLAIN_BYTES = MAX_TEXT_BYTES * 4;
/** The defect of a message whose text is not read to its end. */
export const TEXT_CUT = 'only the first 4 MiB of the text are searched';

/**
 * Reads the text that a reader of the message sees, at most 4 MiB of UTF-8; parts shown one after the other are joined by an
 * empty line, a message in a part with its heading. Of alternatives the plain one comes first, unless it only says that there is
 * another one; lines of the others that say more follow at the end, so that a search finds what any part says.
 * @param isShown whether a leaf is shown as text
 */
export function visibleText(
  root: MimeEntity,
  isShown: (leaf: MimeEntity) => boolean,
  defects: Defects,
): string {
  const furtherLines: string[] = [];
  let isCut = false;
  const shown = textOf(root);
  const whole = [shown, ...furtherLines].filter((text) => text !== '').join('\n\n');
  const kept = capUtf8(whole, MAX_TEXT_BYTES);
  if (isCut || kept !== whole) defects.add(TEXT_CUT);
  return kept;

  function textOf(entity: MimeEntity): string {
    if (entity.message) {
      const texts = [headingText(readHeading(entity.message)), textOf(entity.message)];
      return texts.filter((text) => text !== '').join('\n\n');
    }
    if (entity.content) return textOf(entity.content);
    if (!entity.children) return isShown(entity) ? leafText(entity, defects) : '';
    if (entity.mediaType === 'multipart/alternative') return alternativeText(entity.children);
    const texts: string[] = [];
    let length = 0;
    for (const child of entity.children) {
      if (length >= MAX_TEXT_BYTES) {
        isCut = true;
        break;
      }
      const text = textOf(child);
      if (text === '') continue;
      texts.push(text);
      length += text.length;
    }
    return texts.join('\n\n');
  }

  function alternativeText(children: MimeEntity[]): string {
    const plainFirst = [
      ...children.filter((child) => child.mediaType === 'text/plain'),
      ...children.filter((child) => child.mediaType !== 'text/plain').reverse(),
    ];
    const texts = plainFirst.map(textOf).filter((text) => text !== '');
    const [first = '', second] = texts;
    const isPointer = second !== undefined && first.length <= MAX_POINTER && saysLittleOf(first, second);
    const [shownText = '', ...others] = isPointer ? [second, first, ...texts.slice(2)] : texts;
    for (const other of others) {
      const lines = linesWithNewWords(other, shownText);
      if (lines !== '') furtherLines.push(lines);
    }
    return shownText;
  }
}

/** The longest text, in UTF-16 units, that may only point to the other alternative. */
const MAX_POINTER = 600;
const WORD = /[\p{L}\p{N}]{3,}/gu;

function wordsOf(text: string): Set<string> {
  return new Set(text.toLowerCase().match(WORD));
}

/** Whether less than a third of the words of a text are in the other one. */
function saysLittleOf(text: string, other: string): boolean {
  const known = wordsOf(other);
  const words = [...wordsOf(text)];
  return words.filter((word) => known.has(word)).length * 3 < words.length;
}

/** The lines of a text that have a word which the other one lacks. */
function linesWithNewWords(text: string, other: string): string {
  const known = wordsOf(other);
  return text
    .split('\n')
    .filter((line) => (line.toLowerCase().match(WORD) ?? []).some((word) => !known.has(word)))
    .join('\n');
}

/** The Content-IDs that the HTML parts of the message point to with `cid:` (RFC 2392), percent-decoded. */
export function referencedContentIds(htmlParts: readonly MimeEntity[]): Set<string> {
  const found = new Set<string>();
  for (const part of htmlParts) {
    const html = decodeBounded(bodyOf(part), part.encoding, MAX_CID_SEARCH_BYTES).toString('latin1');
    for (const [, id = ''] of html.matchAll(/\bcid:([^\s"'<>)]{1,998})/gi)) found.add(decodePercent(id));
  }
  return found;
}

/**
 * The text of a leaf as its author wrote it: transfer encoding and charset undone (of HTML without a label, the one
 * its `meta` element names).
 * @param maxBytes of the decoded body that are read
 */
export function writtenText(leaf: MimeEntity, maxBytes: number, defects: Defects): string {
  return decodeText(leaf, decodeBounded(bodyOf(leaf), leaf.encoding, maxBytes), defects);
}

function decodeText(leaf: MimeEntity, bytes: Buffer, defects: Defects): string {
  const label = charsetLabel(leaf) ?? (textKindOf(leaf) === 'html' ? metaCharset(bytes) : null);
  return decodeCharset(bytes, label, defects).replaceAll('\0', '');
}

/** The text of an HTML part without its pictures, which would otherwise use up the limit. */
function writtenHtml(leaf: MimeEntity, defects: Defects): string {
  const bytes = withoutPictures(decodeBounded(bodyOf(leaf), leaf.encoding, MAX_PICTURED_BYTES));
  return decodeText(leaf, bytes.subarray(0, MAX_HTML_BYTES), defects);
}

/** The text of a leaf that is text, without markup. */
export function leafText(leaf: MimeEntity, defects: Defects): string {
  const kind = textKindOf(leaf);
  const text = kind === 'html' ? writtenHtml(leaf, defects) : writtenText(leaf, MAX_PLAIN_BYTES, defects);
  if (kind === 'html' || (kind === 'plain' && looksLikeHtml(text)))
    return htmlToText(text, READ_UNITS).replaceAll('\0', '');
  return kind === 'enriched' ? enrichedToText(text, READ_UNITS) : plainText(text);
}

function plainText(text: string): string {
  return text.slice(0, READ_UNITS).replace(/\r\n?/g, '\n').trim();
}

function charsetLabel(leaf: MimeEntity): string | null {
  const parameter = leaf.contentType.parameters.get('charset');
  return parameter === undefined ? null : (/^(?:charset=)?([^\s(;]*)/i.exec(parameter)?.[1] ?? null);
}

function metaCharset(html: Buffer): string | null {
  return (
    /<meta[^>]{1,200}charset\s{0,9}=\s{0,9}["']?([\w.:-]{1,40})/i.exec(
      html.toString('latin1', 0, 2048),
    )?.[1] ?? null
  );
}

/** The body of a part as it is encoded. */
export function bodyOf({
  source,
  bodyStart,
  bodyEnd,
}: Pick<MimeEntity, 'source' | 'bodyStart' | 'bodyEnd'>): Buffer {
  return source.subarray(bodyStart, bodyEnd);
}

function decodePercent(id: string): string {
  const bytes = id.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));
  return bytes.replaceAll('&amp;', '&');
}

/** Cuts a text to so many bytes of UTF-8, between two characters. */
export function capUtf8(text: string, maxBytes: number): string {
  // A UTF-16 unit never needs more than three bytes.
  if (text.length * 3 <= maxBytes) return text;
  const bytes = Buffer.from(text, 'utf8');
  if (bytes.length <= maxBytes) return text;
  let end = maxBytes;
  while (end > 0 && ((bytes[end] as number) & 0xc0) === 0x80) end--;
  return bytes.toString('utf8', 0, end);
}
