import { createHash } from 'node:crypto';
import { TextDecoder } from 'node:util';
import { decodeAddressWords, decodeMetadata } from '../../gmail/message-decoder';
import type { MessageFacts } from '../store/imap-index.entity';
import { partsOfStructure } from './imap-structure';
import type { ReadHeader } from '../session/imap-fetches';

const UTF8 = new TextDecoder('utf-8', { fatal: true });
const MAX_FIELDS = 2_000;
const MAX_SEARCHED = 10_000;
/** Bytes of the hash in ids: enough that no two messages of a mailbox share one. */
const HASH_BYTES = 20;
/** The same in ids of drafts, which have the UID as well. */
const DRAFT_HASH_BYTES = 12;
/** What tells messages apart, in this order. Received tells the deliveries of one message apart. */
export const IDENTITY_FIELDS: ReadonlySet<string> = new Set([
  'message-id',
  'date',
  'from',
  'to',
  'subject',
  'received',
]);

/** A field of a header: its name in lower case, and its value, unfolded, as bytes. */
export interface HeaderField {
  readonly name: string;
  readonly value: string;
}

/** What the index keeps of a message that has been read. */
export interface IdentifiedMessage {
  readonly uid: number;
  readonly size: number;
  /** The same wherever the message lies; see `messageKey`. */
  readonly key: string;
  /** Of the conversation, when the message it answers is not known. */
  readonly threadId: string;
  /** The Message-ID that it answers; null when it names its conversation itself. */
  readonly inReplyTo: string | null;
  readonly facts: MessageFacts;
}

/**
 * Header lines as fields, folded ones joined (RFC 5322 §2.2.3). Each character stands for a byte.
 * @param names in lower case; default: all fields
 */
export function headerFields(header: Buffer, names?: ReadonlySet<string>): HeaderField[] {
  const fields: { name: string; value: string }[] = [];
  let last: { name: string; value: string } | null = null;
  for (const line of header.toString('latin1').split(/\r?\n/)) {
    if (/^[ \t]/.test(line) && fields.length > 0) {
      if (last) last.value += line;
      continue;
    }
    const colon = line.indexOf(':');
    if (colon < 1 || fields.length >= MAX_FIELDS) continue;
    const name = line.slice(0, colon).trim().toLowerCase();
    last = names && !names.has(name) ? null : { name, value: line.slice(colon + 1).trim() };
    if (last) fields.push(last);
  }
  return fields;
}

/**
 * The id of a message, from what does not change when it is copied or moved, by anybody: its header and its size. Folder
 * and UID change with every move, and with UIDVALIDITY.
 * @param size null where the server only estimates it
 */
export function messageKey(fields: readonly HeaderField[], size: number | null): string {
  const hash = createHash('sha256');
  for (const name of IDENTITY_FIELDS) {
    for (const field of fields) if (field.name === name) hash.update(`${name}:${field.value}\n`, 'latin1');
  }
  if (size !== null) hash.update(`size:${size}`);
  return `i1.${hash.digest().subarray(0, HASH_BYTES).toString('base64url')}`;
}

/** Where a draft lies: its id in versions before `draftKey` had a hash, and the beginning of its id now. */
export function draftPlaceKey(folderId: string, uidValidity: number, uid: number): string {
  const folder = createHash('sha256').update(folderId).digest().subarray(0, 6).toString('base64url');
  return `d.${folder}.${uidValidity}.${uid}`;
}

/** Tells drafts apart that have had one UID, as when a server goes back to an earlier state: by arrival and header. */
export function draftHash(fields: readonly HeaderField[], internalDate: Date): string {
  const hash = createHash('sha256').update(messageKey(fields, null)).update(internalDate.toISOString());
  return hash.digest().subarray(0, DRAFT_HASH_BYTES).toString('base64url');
}

/** The id of a draft: drafts are replaced rather than edited, and two of them may be alike. */
export const draftKey = (place: string, fields: readonly HeaderField[], internalDate: Date): string =>
  `${place}.${draftHash(fields, internalDate)}`;

/** The id of the conversation that begins with a Message-ID, or with this message if it has none. */
export const threadKey = (root: string): string =>
  `t1.${createHash('sha256').update(root, 'latin1').digest().subarray(0, HASH_BYTES).toString('base64url')}`;

/** @param keyOf the id of the message by its fields */
export function identified(
  read: ReadHeader,
  keyOf: (fields: readonly HeaderField[]) => string,
): IdentifiedMessage {
  const fields = headerFields(read.header);
  const key = keyOf(fields);
  const own = idsIn(first(fields, 'message-id'))[0];
  const root = idsIn(first(fields, 'references'))[0];
  const inReplyTo = idsIn(first(fields, 'in-reply-to'))[0];
  return {
    uid: read.uid,
    size: read.size,
    key,
    threadId: read.gmail?.threadId ?? threadKey(root ?? inReplyTo ?? own ?? key),
    inReplyTo: !read.gmail && root === undefined && inReplyTo !== undefined ? inReplyTo : null,
    facts: factsOf(fields, read),
  };
}

function factsOf(fields: readonly HeaderField[], { structure, size }: ReadHeader): MessageFacts {
  const payload = structure ? partsOfStructure(structure) : { partId: '1', mimeType: 'text/plain' };
  const headers = fields.map(({ name, value }) => ({ name, value: readable(value) }));
  const isMultipart = 'parts' in payload && (payload.parts?.length ?? 0) > 0;
  // A message without parts is its only part: what its own header says of it comes from the structure.
  const whole = isMultipart
    ? { ...payload, headers }
    : { ...payload, headers: [...headers, ...(payload.headers ?? [])] };
  const decoded = decodeMetadata({ payload: whole, sizeEstimate: size });
  const {
    date,
    subject,
    from,
    to,
    hasAttachments,
    parts,
    listUnsubscribe,
    listUnsubscribePost,
    messageIdHeader,
  } = decoded;
  const all = (name: string): string =>
    headers
      .filter((field) => field.name === name)
      .map(({ value }) => decodeAddressWords(value.slice(0, MAX_SEARCHED)))
      .join(', ')
      .slice(0, MAX_SEARCHED)
      .replace(/\p{Cc}+/gu, ' ');
  return {
    ...{
      date,
      subject,
      from,
      to,
      hasAttachments,
      parts,
      listUnsubscribe,
      listUnsubscribePost,
      messageIdHeader,
    },
    cc: all('cc'),
    bcc: all('bcc'),
    replyTo: all('reply-to'),
    deliveredTo: all('delivered-to'),
    listId: all('list-id'),
  };
}

/** Bytes of a header are UTF-8 (RFC 6532), or else taken for Latin-1. */
function readable(value: string): string {
  // PostgreSQL keeps no NUL.
  const bytes = Buffer.from(value.replaceAll('\0', ''), 'latin1');
  try {
    return UTF8.decode(bytes);
  } catch {
    return bytes.toString('latin1');
  }
}

const first = (fields: readonly HeaderField[], name: string): string =>
  fields.find((field) => field.name === name)?.value ?? '';

/** Message-IDs in angle brackets, without white space. */
function idsIn(value: string): string[] {
  return [...value.slice(0, 100_000).matchAll(/<[^<>\s]{1,998}>/g)].map((match) => match[0]);
}
