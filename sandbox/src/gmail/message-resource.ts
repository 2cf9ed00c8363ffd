import { randomBytes } from 'node:crypto';
import { ApiError } from '../http/api-error';
import type { Mailbox, MessageNumber } from '../mailbox/mailbox';
import { decodeWords, type HeaderField } from '../mime/header-fields';
import { parseMime, walkParts, type MimePart } from '../mime/mime-tree';
import { decodeBody, decodeText, isAttachment } from '../mime/part-content';

export type MessageFormat = 'minimal' | 'metadata' | 'full' | 'raw';

/** Text above this comes as an attachment id instead of inline data. */
const MAX_INLINE_TEXT = 256 * 1024;

/** A message as users.messages.get answers it. `metadataHeaders` empty means all. */
export function messageResource(
  mailbox: Mailbox,
  number: MessageNumber,
  format: MessageFormat,
  metadataHeaders: readonly string[] = [],
  wants: (key: string) => boolean = () => true,
): Record<string, unknown> {
  const raw = mailbox.rawOf(number);
  const labelIds = [...mailbox.labelsOf(number)];
  const base = {
    id: mailbox.idOf(number),
    threadId: mailbox.threadIdOf(number),
    ...(labelIds.length === 0 ? {} : { labelIds }),
    ...(wants('snippet') ? { snippet: mailbox.snippetOf(number) } : {}),
    sizeEstimate: raw.length,
    historyId: String(mailbox.historyIdOf(number)),
    internalDate: String(mailbox.dateOf(number)),
  };
  switch (format) {
    case 'minimal':
      return base;
    case 'raw':
      return { ...base, raw: base64url(raw) };
    case 'metadata': {
      const root = parseMime(raw);
      const wanted = new Set(metadataHeaders.map((name) => name.toLowerCase()));
      const headers = headerList(root.fields, (name) => wanted.size === 0 || wanted.has(name.toLowerCase()));
      return { ...base, payload: { mimeType: root.mimeType, ...(headers.length === 0 ? {} : { headers }) } };
    }
    case 'full':
      return { ...base, payload: payloadOf(base.id, raw, parseMime(raw)) };
  }
}

function payloadOf(messageId: string, raw: Buffer, part: MimePart): Record<string, unknown> {
  return {
    partId: part.partId,
    mimeType: part.mimeType,
    filename: part.filename,
    headers: headerList(part.fields, () => true),
    body: bodyOf(messageId, raw, part),
    ...(part.parts.length === 0
      ? {}
      : { parts: part.parts.map((child) => payloadOf(messageId, raw, child)) }),
  };
}

/** Inline data for readable text, transcoded to UTF-8; an attachment id for the rest. */
function bodyOf(messageId: string, raw: Buffer, part: MimePart): Record<string, unknown> {
  if (part.mimeType.startsWith('multipart/') && part.parts.length > 0) return { size: 0 };
  const inline =
    part.mimeType.startsWith('text/') &&
    !isAttachment(part) &&
    part.bodyEnd - part.bodyStart <= MAX_INLINE_TEXT;
  const isWholeMessage =
    part.partId === '' && !isAttachment(part) && part.bodyEnd - part.bodyStart <= MAX_INLINE_TEXT;
  if (inline || isWholeMessage) {
    const data = part.mimeType.startsWith('text/')
      ? Buffer.from(decodeText(raw, part))
      : decodeBody(raw, part);
    return data.length === 0 ? { size: 0 } : { size: data.length, data: base64url(data) };
  }
  return { attachmentId: attachmentIdOf(messageId, part.partId), size: decodeBody(raw, part).length };
}

function headerList(
  fields: readonly HeaderField[],
  wanted: (name: string) => boolean,
): { name: string; value: string }[] {
  return fields
    .filter((field) => wanted(field.name))
    .map(({ name, value }) => ({ name, value: decodeWords(value) }));
}

const ATTACHMENT_PREFIX = 'ANGjdJ';

/** Names message and part, and differs on every get, as real ones do. */
function attachmentIdOf(messageId: string, partId: string): string {
  return (
    ATTACHMENT_PREFIX +
    Buffer.from(`${randomBytes(12).toString('hex')}:${messageId}:${partId}`).toString('base64url')
  );
}

/** An attachment's bytes by the id a get gave out. */
export function attachmentResource(
  mailbox: Mailbox,
  number: MessageNumber,
  attachmentId: string,
): Record<string, unknown> {
  const invalid = (): ApiError => ApiError.invalidArgument('Invalid attachment token');
  if (!attachmentId.startsWith(ATTACHMENT_PREFIX)) throw invalid();
  const [, messageId, partId] = Buffer.from(attachmentId.slice(ATTACHMENT_PREFIX.length), 'base64url')
    .toString()
    .split(':');
  if (messageId !== mailbox.idOf(number)) throw invalid();
  const raw = mailbox.rawOf(number);
  for (const part of walkParts(parseMime(raw))) {
    if (part.partId !== partId) continue;
    const data = decodeBody(raw, part);
    return { size: data.length, data: base64url(data) };
  }
  throw invalid();
}

/** URL-safe base64 with padding, as the API writes it. */
function base64url(bytes: Buffer): string {
  return bytes.toString('base64url') + '='.repeat((3 - (bytes.length % 3)) % 3);
}
