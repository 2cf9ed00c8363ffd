import type { MessagePart } from '../../providers/port/mailbox-provider.port';

/** The properties of a message that figures about a sample need. */
export interface SampledMessage {
  readonly id: string;
  readonly internalDate: Date;
  readonly subject: string;
  /** From header as sent, decoded. */
  readonly from: string;
  readonly senderEmail: string;
  readonly senderName: string;
  readonly sizeEstimate: number;
  readonly labelIds: readonly string[];
  /** Bits of `MessageFlag`. */
  readonly flags: number;
}

/** A sender of the newest messages. */
export interface RecentSender {
  readonly email: string;
  /** Name and address as in a From line. */
  readonly sender: string;
  readonly mails: number;
}

/** Totals of one sender's indexed mail, except spam and trash. */
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

/** Totals of one sender's indexed mail with a List-Unsubscribe header, except spam and trash. */
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
  /** Subject of the newest message. */
  readonly subject: string;
  readonly count: number;
  readonly bytes: number;
  readonly newest: Date;
}

/** A message with the flags that matter before it is deleted. */
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
