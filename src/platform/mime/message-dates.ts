import { Defects } from './defects';
import { firstField, type HeaderFields } from './header-block';
import { decodeHeaderText } from './header-text';
import { parseMailDate } from './mail-date';
import { readMimeTree } from './mime-tree';

/** The dates in the header of a message. */
export interface MessageDates {
  /** The Date header; null when it is missing or no date. */
  readonly date: Date | null;
  /** See `lastReceived`. */
  readonly receivedAt: Date | null;
}

/**
 * The time at which the last hop received a message: the date behind the last semicolon of the topmost Received header that has
 * a readable one (RFC 5321 §4.4); null when none has.
 */
export function lastReceived(fields: HeaderFields): Date | null {
  for (const value of fields.get('received') ?? []) {
    const semicolon = value.lastIndexOf(';');
    const date = semicolon < 0 ? null : parseMailDate(value.slice(semicolon + 1));
    if (date) return date;
  }
  return null;
}

/**
 * Reads the dates of a message of which the first bytes are given, as `parseMessage` reads them.
 * @param head the first bytes
 * @param size of the message in bytes
 * @returns null when the header may be longer than these bytes
 */
export function readMessageDates(head: Buffer, size: number): MessageDates | null {
  const { fields, bodyStart } = readMimeTree(head, new Defects());
  if (bodyStart >= head.length && head.length < size) return null;
  const date = firstField(fields, 'date');
  return {
    date: date === null ? null : parseMailDate(decodeHeaderText(date)),
    receivedAt: lastReceived(fields),
  };
}
