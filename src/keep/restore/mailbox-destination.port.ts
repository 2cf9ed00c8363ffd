import type { RestoreNote } from './restore.entity';
import type { RestoredLabels } from './restored-labels';

/** A mail that is to be in the destination. */
export interface MailToPlace {
  /** RFC 5322 Message-ID with angle brackets. */
  readonly messageIdHeader: string | null;
  readonly bytes: Buffer;
  readonly date: Date;
  /** IMAP keywords. */
  readonly keywords: readonly string[];
  readonly labels: RestoredLabels;
  /** Of the destination: messages it may be already. */
  readonly knownIds: readonly string[];
  /** A conversation of the destination that it joins. */
  readonly threadId: string | null;
  /** Mails of the conversation have been put there; else it may have gone with its messages. */
  readonly threadIsThere: boolean;
}

/** A message of the destination. */
export interface HeldMessage {
  readonly id: string;
  /** null: the destination has no conversations. */
  readonly threadId: string | null;
  readonly date: Date | null;
  readonly isInTrash: boolean;
  /** Ids of its labels; null: the destination has folders only. */
  readonly labelIds: readonly string[] | null;
  readonly bytes: Buffer;
}

/** A message that has been added. */
export interface PlacedMessage {
  readonly id: string;
  readonly threadId: string | null;
  readonly notes: readonly RestoreNote[];
}

/** A message that somebody has added. */
export interface ArrivedMessage {
  readonly id: string;
  readonly messageIdHeader: string | null;
  /** When the mailbox took it. */
  readonly date: Date;
  /** As the mailbox counts it, which may be an estimate. */
  readonly sizeBytes: number;
}

/**
 * A mailbox that archived mails are put into. Nothing in it is ever deleted. Methods throw the errors of their provider or
 * server; `OutcomeUnknown` means that a message may have been added.
 */
export interface MailboxDestination {
  /** Size of the largest message it takes. */
  readonly maxBytes: number;
  /** Mails that can be dealt with at a time. */
  readonly atOnce: number;
  /** Those of some labels that it does not have yet. */
  missingLabels(labels: readonly RestoredLabels[]): Promise<string[]>;
  /** Where its changes stand, for `arrivedSince`; null when it keeps no account of them. */
  cursor(): Promise<string | null>;
  /** Messages added since; null when that is not known (any more). */
  arrivedSince(cursor: string): Promise<readonly ArrivedMessage[] | null>;
  /** Messages that may be this mail: those known, and those with its Message-ID; in the trash too. */
  find(mail: MailToPlace): AsyncIterable<HeldMessage>;
  /** Whether `find` finds a message that is this mail without knowing its id. */
  canFind(mail: MailToPlace): boolean;
  /**
   * Adds the mail with its date and labels, those missing created.
   * @param fence throws when the mail must not be added any more; asked immediately before it is sent
   */
  insert(mail: MailToPlace, fence: () => void): Promise<PlacedMessage>;
  /** Gives a message that was added the labels that it still lacks. */
  completeLabels(held: HeldMessage, mail: MailToPlace): Promise<readonly RestoreNote[]>;
  /** Takes a message out of the trash, and gives it the mail's labels. */
  untrash(id: string, mail: MailToPlace): Promise<readonly RestoreNote[]>;
  /** The message as it is; null when it is gone. @param expectedBytes of it, about */
  readBack(id: string, expectedBytes: number): Promise<HeldMessage | null>;
  /** Ends its connection. */
  close(): Promise<void>;
}
