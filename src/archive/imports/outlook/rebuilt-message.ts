import type { StateNotKept } from '../files/item-reasons';

/** A message made anew from the properties that Outlook keeps of it. */
export interface RebuiltMessage {
  /** RFC 5322 message with CRLF line ends: the same bytes each time. */
  readonly raw: Buffer;
  /** Labels for its states: UNREAD, STARRED, DRAFT. */
  readonly labelIds: readonly string[];
  /** States that the archive has no place for. */
  readonly notKept: readonly StateNotKept[];
  /** Time at which it was delivered, or else submitted; null: not known. */
  readonly receivedAt: Date | null;
  /** Number of attachments whose bytes are not in the file, e.g. links to a server. */
  readonly lostAttachments: number;
}
