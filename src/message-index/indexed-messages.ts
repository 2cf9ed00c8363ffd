import type { MessagePart } from '../mail-provider/mailbox-provider.port';
import { column, RowShape } from '../common/database/row-shape';

/** What figures about a sample need of a message. */
export interface SampledMessage {
  readonly id: string;
  readonly internalDate: Date;
  readonly subject: string;
  /** As sent, decoded. */
  readonly from: string;
  readonly senderEmail: string;
  readonly senderName: string;
  readonly sizeEstimate: number;
  readonly labelIds: readonly string[];
  /** Bits of `MessageFlag`. */
  readonly flags: number;
}

export const SAMPLED_MESSAGE_ROW: RowShape<SampledMessage> = {
  id: column.text,
  internalDate: column.date,
  subject: column.text,
  from: column.text,
  senderEmail: column.text,
  senderName: column.text,
  sizeEstimate: column.number,
  labelIds: column.array(column.text),
  flags: column.number,
};

/** All indexed mail of one sender but what is in spam or trash. */
export interface SenderTotals {
  readonly email: string;
  /** The newest display name; empty when there is none. */
  readonly name: string;
  readonly count: number;
  readonly bytes: number;
  readonly unread: number;
  readonly unreadBytes: number;
  /** Messages with a List-Unsubscribe header. */
  readonly newsletters: number;
  /** Messages in the promotions category. */
  readonly promotions: number;
  readonly newest: Date;
}

export const SENDER_TOTALS_ROW: RowShape<SenderTotals> = {
  email: column.text,
  name: column.text,
  count: column.number,
  bytes: column.number,
  unread: column.number,
  unreadBytes: column.number,
  newsletters: column.number,
  promotions: column.number,
  newest: column.date,
};

/** All indexed mail with a List-Unsubscribe header of one sender, but what is in spam or trash. */
export interface NewsletterTotals {
  readonly email: string;
  readonly name: string;
  readonly count: number;
  readonly bytes: number;
  readonly newest: Date;
  /** Headers of the newest message, unparsed. */
  readonly listUnsubscribe: string;
  readonly listUnsubscribePost: string | null;
}

export const NEWSLETTER_TOTALS_ROW: RowShape<NewsletterTotals> = {
  email: column.text,
  name: column.text,
  count: column.number,
  bytes: column.number,
  newest: column.date,
  listUnsubscribe: column.text,
  listUnsubscribePost: column.nullable(column.text),
};

/** Messages of one sender whose subjects follow one pattern, see `subjectPattern`. */
export interface RepeatedSubject {
  readonly email: string;
  readonly name: string;
  readonly subjectKey: string;
  /** Of the newest message. */
  readonly subject: string;
  readonly count: number;
  readonly bytes: number;
  readonly newest: Date;
}

export const REPEATED_SUBJECT_ROW: RowShape<RepeatedSubject> = {
  email: column.text,
  name: column.text,
  subjectKey: column.text,
  subject: column.text,
  count: column.number,
  bytes: column.number,
  newest: column.date,
};

/** A message with what is worth knowing before it is deleted. */
export interface FlaggedMessage {
  readonly id: string;
  readonly flags: number;
}

export const FLAGGED_MESSAGE_ROW: RowShape<FlaggedMessage> = { id: column.text, flags: column.number };

export interface MessageWithParts {
  readonly id: string;
  readonly internalDate: Date;
  readonly subject: string;
  readonly from: string;
  readonly sizeEstimate: number;
  readonly parts: readonly MessagePart[];
}

export const MESSAGE_WITH_PARTS_ROW: RowShape<MessageWithParts> = {
  id: column.text,
  internalDate: column.date,
  subject: column.text,
  from: column.text,
  sizeEstimate: column.number,
  parts: column.json<readonly MessagePart[]>(),
};
