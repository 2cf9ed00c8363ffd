/** File format that a message was rebuilt from. */
export type RebuiltFormat = 'msg' | 'pst';

/** Source of a mail whose bytes were rebuilt from an Outlook file and are not those that were sent. */
export interface RebuiltFrom {
  readonly format: RebuiltFormat;
  /** SHA-256 of the Outlook file in hex. */
  readonly sourceSha256: string;
  /** Identifier of the item in a data file (its node, decimal); null: the file is the message. */
  readonly itemId: string | null;
}

/** A message made anew from the properties that Outlook keeps of it. */
export interface RebuiltMessage {
  /** RFC 5322 message with CRLF line ends: the same bytes each time. */
  readonly raw: Buffer;
  /** Labels for its states: UNREAD, STARRED, DRAFT. */
  readonly labelIds: readonly string[];
  /** Time at which it was delivered, or else submitted; null: not known. */
  readonly receivedAt: Date | null;
  /** Number of attachments whose bytes are not in the file, e.g. links to a server. */
  readonly lostAttachments: number;
}
