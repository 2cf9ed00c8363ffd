import type { gmail_v1 } from 'googleapis/build/src/apis/gmail';
import libmime from 'libmime';
import type { MessageMetadata, MessagePart, MessageRef } from '../port/mailbox-provider.port';

/** Depth to which nested parts are requested; deeper ones are not listed. */
const PART_DEPTH = 10;
/** Id of the only part of a message without parts. Gmail gives it the empty id, which no URL path can name. */
const ONLY_PART_ID = '0';
/**
 * Length at which header text is cut off before it is decoded on the main thread: the longest line (RFC 5322 section
 * 2.1.1), and for `MAX_ADDRESSES` some two hundred addresses.
 */
const MAX_TEXT = 998;
const MAX_ADDRESSES = 10_000;
const PART_FIELDS = 'partId,mimeType,filename,headers,body/size';

function partFields(depth: number): string {
  return depth === 0 ? PART_FIELDS : `${PART_FIELDS},parts(${partFields(depth - 1)})`;
}

/** Fields of a partial response: all of a message but the content of its parts. */
export const METADATA_FIELDS = `id,threadId,labelIds,snippet,internalDate,sizeEstimate,payload(${partFields(PART_DEPTH)})`;

type Part = gmail_v1.Schema$MessagePart;
/** A part with its headers. */
export type MessagePayload = Part;

/** Decodes a `full` message fetched with `METADATA_FIELDS`. */
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
    // Some senders write one field for each address, although RFC 2369 allows only one field.
    listUnsubscribe: nullIfLonger(headersOf(payload, 'list-unsubscribe').join(', '), MAX_ADDRESSES),
    listUnsubscribePost: nullIfLonger(header('list-unsubscribe-post'), MAX_TEXT),
    messageIdHeader: nullIfLonger(header('message-id'), MAX_TEXT),
  };
}

export function decodeRef(message: gmail_v1.Schema$Message): MessageRef {
  return { id: message.id ?? '', threadId: message.threadId ?? '' };
}

/** Decodes epoch milliseconds given as text; the epoch itself when absent. */
export function decodeInternalDate(value: string | null | undefined): Date {
  const ms = Number(value ?? 0);
  return new Date(Number.isFinite(ms) ? ms : 0);
}

/** Finds the part with this id, as `decodePart` returns it. */
export function findPart(payload: Part | undefined, partId: string): Part | undefined {
  for (const part of payload?.parts ?? []) {
    const found = part.partId === partId ? part : findPart(part, partId);
    if (found) return found;
  }
  const isWhole = partId === ONLY_PART_ID && !payload?.parts?.length && !payload?.partId;
  return isWhole ? payload : undefined;
}

/** Decodes a part from its own headers. */
export function decodePart(part: Part): MessagePart {
  return {
    partId: part.partId || ONLY_PART_ID,
    filename: decodeText(part.filename ?? undefined, MAX_TEXT),
    mimeType: (part.mimeType ?? 'application/octet-stream').toLowerCase(),
    sizeBytes: part.body?.size ?? 0,
    isInline: isInlineImage(part),
  };
}

/** Decodes the HTML entities of a snippet: those that Gmail writes, and numeric ones. */
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

/** Lists the parts with a file name or declared as attachments, in the order of the message. */
function* partsOf(part: Part | undefined): Generator<MessagePart> {
  if (!part) return;
  if (part.filename || dispositionOf(part) === 'attachment') yield decodePart(part);
  for (const child of part.parts ?? []) yield* partsOf(child);
}

/** Whether the part is an image that the HTML refers to by Content-ID and that is not declared an attachment. */
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

/** Value of the first field of that name. */
function headerOf(part: Part | undefined, name: string): string | undefined {
  return headersOf(part, name)[0];
}

/** Values of all fields of that name. */
function headersOf(part: Part | undefined, name: string): string[] {
  return (part?.headers ?? []).flatMap((header) =>
    header.name?.toLowerCase() === name ? (header.value?.trim() ?? '') : [],
  );
}

/** Decodes RFC 2047 words, and turns control characters and the rest of folding into spaces. */
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

/**
 * Cuts a text, and drops an encoded word (RFC 2047 section 2: at most 75 characters) or surrogate pair that the cut
 * would split.
 */
function cut(value: string, longest: number): string {
  if (value.length <= longest) return value;
  const kept = value.slice(0, longest);
  const word = kept.lastIndexOf('=?');
  const within = word > longest - 75 && !/^=\?[^?]*\?[^?]*\?[^?]*\?=/.test(kept.slice(word));
  return within ? kept.slice(0, word) : kept.replace(/[\ud800-\udbff]$/, '');
}

/** Returns the value, or null when it is too long: it would mean nothing when cut. */
function nullIfLonger(value: string | undefined, longest: number): string | null {
  return value && value.length <= longest ? value : null;
}

const WORD = String.raw`=\?[\w*-]+\?[QqBb]\?[^?]*\?=`;
const WORDS = String.raw`${WORD}(?:\s*${WORD})*`;
/** Matches quoted strings and comments up to their end or that of the field, and encoded words outside of both. */
const TOKENS = new RegExp(String.raw`"(?:[^"\\]|\\.)*"?|\((?:[^()\\]|\\.)*\)?|${WORDS}`, 'gs');
const ONLY_WORDS = new RegExp(`^\\s*${WORDS}\\s*$`);
const ALL_WORDS = new RegExp(WORDS, 'g');
/** Characters with a meaning outside of quoted strings (RFC 5322 section 3.2.3). */
const SPECIALS = /[()<>[\]:;@\\,"]/;

/**
 * Decodes the RFC 2047 words of an address list and keeps its structure: an encoded comma or bracket is part of a name
 * (section 5 (3)) and becomes part of a quoted one. Otherwise a display name, which the sender may choose freely, could
 * pass for another person's address.
 */
export function decodeAddressWords(field: string): string {
  // Some senders encode the address as well. Then there is no structure to keep.
  if (ONLY_WORDS.test(field)) return libmime.decodeWords(field);
  return field.replace(TOKENS, (token) => {
    if (token.startsWith('"')) return escapeWords(token, /["\\]/g);
    if (token.startsWith('(')) return escapeWords(token, /[()\\]/g);
    const text = libmime.decodeWords(token);
    return SPECIALS.test(text) ? `"${text.replace(/["\\]/g, '\\$&')}"` : text;
  });
}

function escapeWords(token: string, special: RegExp): string {
  return token.replace(ALL_WORDS, (words) => libmime.decodeWords(words).replace(special, '\\$&'));
}
