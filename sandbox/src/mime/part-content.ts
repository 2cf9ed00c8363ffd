import { TextDecoder } from 'node:util';
import { decodeBytes } from './header-fields';
import { walkParts, type MimePart } from './mime-tree';
import { decodeQuotedPrintable } from './quoted-printable';

/** Text beyond this is neither searched nor shown in snippets. */
const MAX_TEXT_CHARS = 1_000_000;
/** A snippet is made from the beginning of a body. */
const SNIPPET_BYTES = 4096;

/** The part's body with its transfer encoding undone. */
export function decodeBody(raw: Buffer, part: MimePart): Buffer {
  const body = raw.subarray(part.bodyStart, part.bodyEnd);
  if (part.encoding === 'base64') return Buffer.from(body.toString('latin1'), 'base64');
  if (part.encoding === 'quoted-printable') return decodeQuotedPrintable(body);
  return body;
}

/** The part's body as text; an unknown or missing charset is guessed as UTF-8, then Windows-1252. */
export function decodeText(raw: Buffer, part: MimePart): string {
  const bytes = decodeBody(raw, part);
  const decoder = decoderFor(part.charset);
  return decoder === undefined ? decodeBytes(bytes) : decoder.decode(bytes);
}

function decoderFor(charset: string): TextDecoder | undefined {
  if (charset === '' || /^(us-)?ascii$|^utf-?8$/i.test(charset)) return undefined;
  try {
    return new TextDecoder(charset);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_ENCODING_NOT_SUPPORTED') throw error;
    return undefined;
  }
}

export function isAttachment(part: MimePart): boolean {
  return part.filename !== '' || part.disposition === 'attachment';
}

/** All readable text of a message, HTML without its tags: what word searches look at. */
export function readableText(raw: Buffer, root: MimePart): string {
  let text = '';
  for (const part of walkParts(root)) {
    if (part.parts.length > 0 || isAttachment(part) || text.length > MAX_TEXT_CHARS) continue;
    if (part.mimeType === 'text/plain') text += ` ${decodeText(raw, part)}`;
    else if (part.mimeType === 'text/html')
      text += ` ${textOfHtml(decodeText(raw, part).slice(0, MAX_TEXT_CHARS))}`;
  }
  return text;
}

const ENTITIES: Record<string, string> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  nbsp: ' ',
  eacute: 'é',
  euro: '€',
};

/** Tags and style blocks taken out, entities decoded; one pass, linear on any input. */
export function textOfHtml(html: string): string {
  let text = '';
  let at = 0;
  while (at < html.length) {
    const open = html.indexOf('<', at);
    if (open < 0) {
      text += html.slice(at);
      break;
    }
    text += `${html.slice(at, open)} `;
    const hidden = /^<(style|script)\b/i.exec(html.slice(open, open + 8));
    const close = hidden === null ? html.indexOf('>', open) : html.indexOf(`</${hidden[1] as string}`, open);
    if (close < 0) break;
    at = close + 1;
  }
  return text.replace(/&(#?\w{1,8});/g, (whole, name: string) => {
    if (!name.startsWith('#')) return ENTITIES[name] ?? whole;
    const code = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}

/** The first 200 or so characters of the text, HTML-escaped as Gmail's snippets are. */
export function snippetOf(raw: Buffer, root: MimePart): string {
  for (const wanted of ['text/plain', 'text/html']) {
    for (const part of walkParts(root)) {
      if (part.mimeType !== wanted || isAttachment(part)) continue;
      const head = { ...part, bodyEnd: Math.min(part.bodyEnd, part.bodyStart + SNIPPET_BYTES) };
      const text = decodeText(raw, head);
      const plain = (wanted === 'text/html' ? textOfHtml(text) : text)
        .replaceAll('\0', ' ')
        .replace(/\s+/g, ' ')
        .trim();
      if (plain !== '') return escapeHtml(cutAtWord(plain, 200));
    }
  }
  return '';
}

function cutAtWord(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const space = text.lastIndexOf(' ', limit);
  return text.slice(0, space > limit / 2 ? space : limit);
}

function escapeHtml(text: string): string {
  return text
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;')
    .replace(/"/g, '&quot;')
    .replace(/'/g, '&#39;');
}
