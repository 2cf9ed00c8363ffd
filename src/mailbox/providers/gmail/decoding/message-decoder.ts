import type { gmail_v1 } from 'googleapis/build/src/apis/gmail';
import libmime from 'libmime';
import type { MessageMetadata, MessagePart, MessageRef } from '../../mailbox-provider.port';

/** How deep nested parts are asked for; what lies deeper is not listed. */
const PART_DEPTH = 10;
/** The provider gives a message without parts the empty id, which no URL path can name. */
const ONLY_PART_ID = '0';
const PART_FIELDS = 'partId,mimeType,filename,headers,body/size';

function partFields(depth: number): string {
  return depth === 0 ? PART_FIELDS : `${PART_FIELDS},parts(${partFields(depth - 1)})`;
}

/** Partial response: everything about a message but the content of its parts. */
export const METADATA_FIELDS = `id,threadId,labelIds,snippet,internalDate,sizeEstimate,payload(${partFields(PART_DEPTH)})`;

type Part = gmail_v1.Schema$MessagePart;

/** From a `full` message fetched with `METADATA_FIELDS`. */
export function decodeMetadata(message: gmail_v1.Schema$Message): MessageMetadata {
  const { payload } = message;
  const header = (name: string) => headerOf(payload, name);
  const parts = [...partsOf(payload)];
  return {
    ...decodeRef(message),
    internalDate: decodeInternalDate(message.internalDate),
    date: header('date') ?? '',
    subject: decodeText(header('subject')),
    from: decodeText(header('from')),
    to: decodeText(header('to')),
    sizeEstimate: message.sizeEstimate ?? 0,
    snippet: unescapeHtml(message.snippet ?? ''),
    labelIds: message.labelIds ?? [],
    hasAttachments: parts.some((part) => part.filename !== '' && !part.isInline),
    parts,
    listUnsubscribe: header('list-unsubscribe') || null,
    listUnsubscribePost: header('list-unsubscribe-post') || null,
    messageIdHeader: header('message-id') || null,
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

/** What a part says of itself. */
export function decodePart(part: Part): MessagePart {
  return {
    partId: part.partId || ONLY_PART_ID,
    filename: decodeText(part.filename ?? undefined),
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
  for (const header of part?.headers ?? []) {
    if (header.name?.toLowerCase() === name) return header.value?.trim() ?? '';
  }
  return undefined;
}

/** RFC 2047 words decoded; what folding left behind and control characters turned to spaces. */
function decodeText(value: string | undefined): string {
  if (!value) return '';
  return libmime
    .decodeWords(value)
    .replace(/\p{Cc}+/gu, ' ')
    .trim();
}
