import { Defects } from '../../../platform/mime/defects';
import { readMimeTree } from '../../../platform/mime/mime-tree';
import type { ReadHeader } from '../session/imap-fetches';
import {
  draftHash,
  type HeaderField,
  headerFields,
  IDENTITY_FIELDS,
  messageKey,
} from '../messages/imap-message';
import type { Place } from '../store/imap-places.repository';

const LF = 0x0a;
const CR = 0x0d;

/** Returns the header of a message, without the empty line that ends it; null when the bytes end before it does. */
export function headerOf(bytes: Buffer): Buffer | null {
  for (let start = 0; start < bytes.length;) {
    if (bytes[start] === LF || (bytes[start] === CR && bytes[start + 1] === LF))
      return bytes.subarray(0, start);
    const end = bytes.indexOf(LF, start);
    if (end < 0) return null;
    start = end + 1;
  }
  return null;
}

/** Whether an id is derived from the header of its message alone; those of drafts and of Gmail are not. */
export const isContentId = (id: string): boolean => id.startsWith('i1.');

export const isDraftId = (id: string): boolean => id.startsWith('d.');

/** Returns the hash in the id of a draft; undefined for ids that earlier versions gave. */
const hashInDraftId = (id: string): string | undefined => id.split('~')[0]!.split('.')[4];

/** Whether the id of a draft does not depend on its content: earlier versions derived it from the UID alone. */
export const isPlainDraftId = (id: string): boolean => isDraftId(id) && hashInDraftId(id) === undefined;

/**
 * Whether a header has the key from which an id is derived.
 * @param size size announced when the id was given
 */
export function hasKey(fields: readonly HeaderField[], id: string, size: number): boolean {
  const [key] = id.split('~');
  return messageKey(fields, size) === key || messageKey(fields, null) === key;
}

/** Whether the server still has the message at its UID. */
export function isSameMessage(place: Place, { header, gmail, size, described }: ReadHeader): boolean {
  const { messageId } = place;
  if (isContentId(messageId)) return hasKey(headerFields(header), messageId, place.size);
  if (gmail !== null) return gmail.messageId === messageId;
  if (!isDraftId(messageId)) return true;
  const { internalDate } = described;
  if (isPlainDraftId(messageId))
    return size === place.size && internalDate.getTime() === place.internalDate.getTime();
  return draftHash(headerFields(header), internalDate) === hashInDraftId(messageId);
}

/** Whether bytes, or the beginning of them, are those of the message with an id. */
export function isHeaderKeyOf(bytes: Buffer, id: string, size: number): boolean {
  return hasKey(identityOf(bytes), id, size);
}

/** Whether bytes, or the beginning of them, are those of the message that a place had when its header was read. */
export function isHeaderOf(bytes: Buffer, { messageId, size, internalDate }: Place): boolean {
  if (isContentId(messageId)) return isHeaderKeyOf(bytes, messageId, size);
  return draftHash(identityOf(bytes), internalDate) === hashInDraftId(messageId);
}

const identityOf = (bytes: Buffer): HeaderField[] => headerFields(headerOf(bytes) ?? bytes, IDENTITY_FIELDS);

/**
 * Whether the bytes have every field by which the server itself names the message. Servers and this parser may disagree
 * about where a malformed header ends or which lines are fields; the values still stand at the top of the message.
 */
export function holdsIdentity(bytes: Buffer, fields: readonly HeaderField[]): boolean {
  const values = fields.filter(({ name, value }) => IDENTITY_FIELDS.has(name) && value !== '');
  if (values.length === 0) return false;
  const head = squeeze((headerOf(bytes) ?? bytes).toString('latin1'));
  return values.every(({ value }) => head.includes(squeeze(value)));
}

/** Whether the message is a multipart with its own closing boundary, so that it is not cut off. */
export function endsWithItsBoundary(bytes: Buffer): boolean {
  const defects = new Defects();
  const root = readMimeTree(bytes, defects);
  return root.children !== null && !defects.list().includes('multipart without closing boundary');
}

const squeeze = (text: string): string => text.replace(/\s+/g, '');
