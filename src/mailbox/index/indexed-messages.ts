import type { MessagePart } from '../../providers/port/mailbox-provider.port';

/** The properties of a message that figures about a sample need. */
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

/** A message with the facts worth knowing before it is deleted. */
export interface FlaggedMessage {
  readonly id: string;
  readonly flags: number;
}

export interface MessageWithParts {
  readonly id: string;
  readonly internalDate: Date;
  readonly subject: string;
  readonly from: string;
  readonly sizeEstimate: number;
  readonly parts: readonly MessagePart[];
}
