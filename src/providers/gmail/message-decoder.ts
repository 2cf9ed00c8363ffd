import type { gmail_v1 } from 'googleapis/build/src/apis/gmail';
import libmime from 'libmime';
import type { MessageMetadata, MessagePart, MessageRef } from '../port/mailbox-provider.port';

/** Nested parts are requested to this depth; deeper ones are not listed. */
const PART_DEPTH = 10;
/** The provider gives a message without parts the empty id, which no URL path can name. */
const ONLY_PART_ID = '0';
/**
 * Header text beyond this is cut off before decoding, which happens on the main thread: a line's longest (RFC 5322
 * section 2.1.1), and a good two hundred addresses.
 */
const MAX_TEXT = 998;
const MAX_ADDRESSES = 10_000;
const PART_FIELDS = 'partId,mimeType,filename,headers,body/size';

function partFields(depth: number): string {
  return depth === 0 ? PART_FIELDS : `${PART_FIELDS},parts(${partFields(depth - 1)})`;
}

/** Partial response: everything about a message but the content of its parts. */
export const METADATA_FIELDS = `id,threadId,labelIds,snippet,internalDate,sizeEstimate,payload(${partFields(PART_DEPTH)})`;

type Part = gmail_v1.Schema$MessagePart;
/** A part with its headers, as this decoder reads them. */
export type MessagePayload = Part;

/** From a `full` message fetched with `METADATA_FIELDS`. */
export function decodeMetadata(message: gmail_v1.Schema$Message): MessageMetadata {
  const { payload } = message;
  const header = (name: string) => headerOf(payload, name);
  const parts = [...partsOf(payload)];
  return {
    ...decodeRef(message),
    internalDate: decodeInternalDate(message.internalDate),
    date: (header('date') ?? '').slice(0, MAX_TEXT),
    subject: decodeText(header('subject'), MAX_TEXT),
    from: decodeText(header('from'), MAX_ADDRESSES, decodeAddressWords),
    to: decodeText(header('to'), MAX_ADDRESSES, decodeAddressWords),
    sizeEstimate: message.sizeEstimate ?? 0,
    snippet: unescapeHtml(message.snippet ?? ''),
    labelIds: message.labelIds ?? [],
    hasAttachments: parts.some((part) => part.filename !== '' && !part.isInline),
    parts,
    // Some senders give every way out a field of its own, though RFC 2369 wants one.
    listUnsubscribe: wholeOrNull(headersOf(payload, 'list-unsubscribe').join(', '), MAX_ADDRESSES),
    listUnsubscribePost: wholeOrNull(header('list-unsubscribe-post'), MAX_TEXT),
    messageIdHeader: wholeOrNull(header('message-id'), MAX_TEXT),
  };
}

export function decodeRef(message: gmail_v1.Schema$Message): MessageRef {
  return { id: message.id ?? '', threadId: message.threadId ?? '' };
}

/** Epoch milliseconds as text; the epoch itself when absent. */
export function decodeInternalDate(value: string | null | undefined): Date {
  const ms = Number(value ?? 0);
  return new Date(Number.isFinite(ms) ? ms : 0);
}

/** The part with this id, as `decodePart` gives it. */
export function findPart(payload: Part | undefined, partId: string): Part | undefined {
  for (const part of payload?.parts ?? []) {
    const found = part.partId === partId ? part : findPart(part, partId);
    if (found) return found;
  }
  const isWhole = partId === ONLY_PART_ID && !payload?.parts?.length && !payload?.partId;
  return isWhole ? payload : undefined;
}

/** A part's own headers. */
export function decodePart(part: Part): MessagePart {
  return {
    partId: part.partId || ONLY_PART_ID,
    filename: decodeText(part.filename ?? undefined, MAX_TEXT),
    mimeType: (part.mimeType ?? 'application/octet-stream').toLowerCase(),
    sizeBytes: part.body?.size ?? 0,
    isInline: isInlineImage(part),
  };
}

/** The provider escapes snippets for HTML: these five entities and numeric ones. */
export function unescapeHtml(text: string): string {
  return text.replace(
    /&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|(lt|gt|amp|quot|apos|nbsp));/gi,
    (whole, dec, hex, name) => {
      if (name !== undefined) return NAMED[(name as string).toLowerCase()] ?? whole;
      const code = dec !== undefined ? Number(dec) : parseInt(hex as string, 16);
      return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole;
    },
  );
}

const NAMED: Readonly<Record<string, string>> = {
  lt: '<',
  gt: '>',
  amp: '&',
  quot: '"',
  apos: "'",
  nbsp: '\u00a0',
};

/** Parts with a file name or declared as attachments, in the order of the message. */
function* partsOf(part: Part | undefined): Generator<MessagePart> {
  if (!part) return;
  if (part.filename || dispositionOf(part) === 'attachment') yield decodePart(part);
  for (const child of part.parts ?? []) yield* partsOf(child);
}

/** An image the HTML refers to by Content-ID, unless it is declared an attachment. */
function isInlineImage(part: Part): boolean {
  return (
    /^image\//i.test(part.mimeType ?? '') &&
    headerOf(part, 'content-id') !== undefined &&
    dispositionOf(part) !== 'attachment'
  );
}

function dispositionOf(part: Part): string | undefined {
  return headerOf(part, 'content-disposition')?.split(';', 1)[0]!.trim().toLowerCase();
}

/** The first field of that name. */
function headerOf(part: Part | undefined, name: string): string | undefined {
  return headersOf(part, name)[0];
}

/** All fields of that name. */
function headersOf(part: Part | undefined, name: string): string[] {
  return (part?.headers ?? []).flatMap((header) =>
    header.name?.toLowerCase() === name ? (header.value?.trim() ?? '') : [],
  );
}

/** RFC 2047 words decoded; control characters and the remains of folding turned to spaces. */
function decodeText(
  value: string | undefined,
  longest: number,
  decode = (text: string): string => libmime.decodeWords(text),
): string {
  if (!value) return '';
  return decode(cut(value, longest))
    .slice(0, longest)
    .replace(/\p{Cc}+/gu, ' ')
    .trim();
}

/** Without the encoded word (RFC 2047 section 2: at most 75 characters) or surrogate pair it would end within. */
function cut(value: string, longest: number): string {
  if (value.length <= longest) return value;
  const kept = value.slice(0, longest);
  const word = kept.lastIndexOf('=?');
  const within = word > longest - 75 && !/^=\?[^?]*\?[^?]*\?[^?]*\?=/.test(kept.slice(word));
  return within ? kept.slice(0, word) : kept.replace(/[\ud800-\udbff]$/, '');
}

/** For values that mean nothing when they are cut. */
function wholeOrNull(value: string | undefined, longest: number): string | null {
  return value && value.length <= longest ? value : null;
}

const WORD = String.raw`=\?[\w*-]+\?[QqBb]\?[^?]*\?=`;
const WORDS = String.raw`${WORD}(?:\s*${WORD})*`;
/** Quoted strings and comments up to where they end, or the end of the field, and encoded words outside of both. */
const TOKENS = new RegExp(String.raw`"(?:[^"\\]|\\.)*"?|\((?:[^()\\]|\\.)*\)?|${WORDS}`, 'gs');
const ONLY_WORDS = new RegExp(`^\\s*${WORDS}\\s*$`);
const ALL_WORDS = new RegExp(WORDS, 'g');
/** RFC 5322 section 3.2.3: they mean something unless quoted. */
const SPECIALS = /[()<>[\]:;@\\,"]/;

/**
 * RFC 2047 words of an address list decoded, so that the structure stays as it was sent: an encoded comma
 * or bracket is part of a name (section 5 (3)) and becomes part of a quoted one. Otherwise the display name, which
 * anybody may choose, could pass for the address of somebody else.
 */
export function decodeAddressWords(field: string): string {
  // Some encode the address as well: then there is no structure to keep.
  if (ONLY_WORDS.test(field)) return libmime.decodeWords(field);
  return field.replace(TOKENS, (token) => {
    if (token.startsWith('"')) return withWordsEscaped(token, /["\\]/g);
    if (token.startsWith('(')) return withWordsEscaped(token, /[()\\]/g);
    const text = libmime.decodeWords(token);
    return SPECIALS.test(text) ? `"${text.replace(/["\\]/g, '\\$&')}"` : text;
  });
}

function withWordsEscaped(token: string, special: RegExp): string {
  return token.replace(ALL_WORDS, (words) => libmime.decodeWords(words).replace(special, '\\$&'));
}
