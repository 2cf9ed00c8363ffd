import { createHash } from 'node:crypto';
import { TextDecoder } from 'node:util';
import { decodeAddressWords, decodeMetadata } from '../../gmail/message-decoder';
import type { MessageFacts } from '../store/imap-index.entity';
import { partsOfStructure } from './imap-structure';
import type { ReadHeader } from '../session/imap-fetches';

const UTF8 = new TextDecoder('utf-8', { fatal: true });
const MAX_FIELDS = 2_000;
const MAX_SEARCHED = 10_000;
/** Bytes of the hash in ids, enough that no two messages of a mailbox share one. */
const HASH_BYTES = 20;
/** Bytes of the hash in ids of drafts, which contain the UID as well. */
const DRAFT_HASH_BYTES = 12;
/**
 * Header fields that identify a message, in the order in which they are hashed. Received distinguishes deliveries of
 * one message.
 */
export const IDENTITY_FIELDS: ReadonlySet<string> = new Set([
  'message-id',
  'date',
  'from',
  'to',
  'subject',
  'received',
]);

/** A field of a header: its name in lower case, and its unfolded value, each character of which stands for a byte. */
export interface HeaderField {
  readonly name: string;
  readonly value: string;
}

/** Data that the index stores of a message whose header has been read. */
export interface IdentifiedMessage {
  readonly uid: number;
  readonly size: number;
  /** Key that is the same wherever the message lies; see `messageKey`. */
  readonly key: string;
  /** Id of the conversation, used when the message it answers is not known. */
  readonly threadId: string;
  /** Message-ID that it answers; null when its own header names the conversation. */
  readonly inReplyTo: string | null;
  readonly facts: MessageFacts;
}

/**
 * Parses header lines into fields and joins folded ones (RFC 5322 §2.2.3). Each character stands for a byte.
 * @param names names of the fields to return, in lower case; default: all
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
 * Derives the id of a message from its header and size, which no program changes by copying or moving it. Folder and
 * UID change with every move and every new UIDVALIDITY.
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

/** Encodes the place of a draft: its whole id in versions before `draftKey` had a hash, and the beginning of its id now. */
export function draftPlaceKey(folderId: string, uidValidity: number, uid: number): string {
  const folder = createHash('sha256').update(folderId).digest().subarray(0, 6).toString('base64url');
  return `d.${folder}.${uidValidity}.${uid}`;
}

/**
 * Hashes arrival and header of a draft. It distinguishes drafts that have had the same UID, as when a server is set
 * back to an earlier state.
 */
export function draftHash(fields: readonly HeaderField[], internalDate: Date): string {
  const hash = createHash('sha256').update(messageKey(fields, null)).update(internalDate.toISOString());
  return hash.digest().subarray(0, DRAFT_HASH_BYTES).toString('base64url');
}

/**
 * Derives the id of a draft. It contains the place, since drafts are replaced rather than edited, and two of them may
 * be alike.
 */
export const draftKey = (place: string, fields: readonly HeaderField[], internalDate: Date): string =>
  `${place}.${draftHash(fields, internalDate)}`;

/** Derives the id of a conversation from the Message-ID it begins with, or from the key of a message without one. */
export const threadKey = (root: string): string =>
  `t1.${createHash('sha256').update(root, 'latin1').digest().subarray(0, HASH_BYTES).toString('base64url')}`;

/** @param keyOf the id of the message by its fields */
export function identify(
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
  const headers = fields.map(({ name, value }) => ({ name, value: decodeHeaderBytes(value) }));
  const isMultipart = 'parts' in payload && (payload.parts?.length ?? 0) > 0;
  // A message without parts is its only part, so the header fields of the part come from the structure.
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

/** Decodes bytes of a header as UTF-8 (RFC 6532), or as Latin-1 when they are not UTF-8. */
function decodeHeaderBytes(value: string): string {
  // PostgreSQL text cannot contain NUL.
  const bytes = Buffer.from(value.replaceAll('\0', ''), 'latin1');
  try {
    return UTF8.decode(bytes);
  } catch {
    return bytes.toString('latin1');
  }
}

const first = (fields: readonly HeaderField[], name: string): string =>
  fields.find((field) => field.name === name)?.value ?? '';

/** Finds Message-IDs in angle brackets, without white space. */
function idsIn(value: string): string[] {
  return [...value.slice(0, 100_000).matchAll(/<[^<>\s]{1,998}>/g)].map((match) => match[0]);
}
