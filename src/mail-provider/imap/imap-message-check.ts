import { Defects } from '../../mime/defects';
import { readMimeTree } from '../../mime/mime-tree';
import type { ReadHeader } from './imap-fetches';
import { type HeaderField, headerFields, IDENTITY_FIELDS, messageKey } from './imap-message';
import type { Place } from './imap-places.repository';

const LF = 0x0a;
const CR = 0x0d;

/** The header of a message, without the empty line that ends it; null when the bytes end before it does. */
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

/** Whether an id is made from the header of its message; those of drafts and of Gmail are not. */
export const isContentId = (id: string): boolean => id.startsWith('i1.');

export const isDraftId = (id: string): boolean => id.startsWith('d.');

/**
 * Whether a header has the key that an id is made of.
 * @param size as announced when the id was given
 */
export function hasKey(fields: readonly HeaderField[], id: string, size: number): boolean {
  const [key] = id.split('~');
  return messageKey(fields, size) === key || messageKey(fields, null) === key;
}

/** Whether the server still has the message at its UID. */
export function isSameMessage({ messageId, size }: Place, { header, gmail }: ReadHeader): boolean {
  if (isContentId(messageId)) return hasKey(headerFields(header), messageId, size);
  return gmail === null || gmail.messageId === messageId;
}

/** Whether these are the bytes of the message with an id, or the beginning of them. */
export function isHeaderKeyOf(bytes: Buffer, id: string, size: number): boolean {
  const header = headerOf(bytes) ?? bytes;
  return hasKey(headerFields(header, IDENTITY_FIELDS), id, size);
}

/**
 * Whether the bytes have every field by which the server itself names the message. Servers and this parser may disagree
 * about where a malformed header ends or which lines are fields; the values still stand at the top of the message.
 */
export function holdsIdentity(bytes: Buffer, fields: readonly HeaderField[]): boolean {
  const values = fields.filter(({ name, value }) => IDENTITY_FIELDS.has(name) && value !== '');
  if (values.length === 0) return false;
  const head = squeezed((headerOf(bytes) ?? bytes).toString('latin1'));
  return values.every(({ value }) => head.includes(squeezed(value)));
}

/** Whether the message is a multipart whose own closing boundary is there: nothing of it has been cut off. */
export function endsWithItsBoundary(bytes: Buffer): boolean {
  const defects = new Defects();
  const root = readMimeTree(bytes, defects);
  return root.children !== null && !defects.list().includes('multipart without closing boundary');
}

const squeezed = (text: string): string => text.replace(/\s+/g, '');
