import type { RestoreNote } from './restore.entity';
import type { RestoredLabels } from './restored-labels';

/** A mail to add to the destination. */
export interface MailToPlace {
  /** Message-ID (RFC 5322) with angle brackets; null when the mail has none. */
  readonly messageIdHeader: string | null;
  readonly bytes: Buffer;
  readonly date: Date;
  /** IMAP keywords. */
  readonly keywords: readonly string[];
  readonly labels: RestoredLabels;
  /** Ids of messages of the destination that may be this mail. */
  readonly knownIds: readonly string[];
  /** Id of the destination's conversation that the mail joins; null: none. */
  readonly threadId: string | null;
  /** Whether mails of the conversation have been put there by the restore; else it may have been deleted with its messages. */
  readonly threadIsThere: boolean;
}

/** A message of the destination. */
export interface HeldMessage {
  readonly id: string;
  /** Id of its conversation; null: the destination has no conversations. */
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

/** A message that has been added to the mailbox, by the restore or otherwise. */
export interface ArrivedMessage {
  readonly id: string;
  readonly messageIdHeader: string | null;
  /** Time at which the mailbox accepted the message. */
  readonly date: Date;
  /** Size as the mailbox reports it, which may be an estimate. */
  readonly sizeBytes: number;
}

/**
 * A mailbox that archived mails are put into. Nothing in it is ever deleted. Methods throw the errors of their provider or
 * server; `OutcomeUnknown` means that a message may have been added.
 */
export interface MailboxDestination {
  /** Size of the largest message that the mailbox accepts, in bytes. */
  readonly maxBytes: number;
  /** Number of mails that can be restored at a time. */
  readonly atOnce: number;
  /** Names of labels among those given that the mailbox does not have yet. */
  listMissingLabels(labels: readonly RestoredLabels[]): Promise<string[]>;
  /** Position of the mailbox's change history, for `arrivedSince`; null when it has none. */
  readCursor(): Promise<string | null>;
  /** Messages added since a position; null when that is not known (any more). */
  listArrivedSince(cursor: string): Promise<readonly ArrivedMessage[] | null>;
  /** Messages that may be this mail: those of `knownIds`, and those with its Message-ID; in the trash too. */
  find(mail: MailToPlace): AsyncIterable<HeldMessage>;
  /** Whether `find` finds a message that is this mail without knowing its id. */
  canFind(mail: MailToPlace): boolean;
  /**
   * Adds the mail with its date and labels, and creates missing labels.
   * @param fence called immediately before the mail is sent; throws when it must not be added any more
   */
  insert(mail: MailToPlace, fence: () => void): Promise<PlacedMessage>;
  /** Gives a message that was added the labels that it still lacks. */
  completeLabels(held: HeldMessage, mail: MailToPlace): Promise<readonly RestoreNote[]>;
  /** Takes a message out of the trash, and gives it the mail's labels. */
  untrash(id: string, mail: MailToPlace): Promise<readonly RestoreNote[]>;
  /** A message as the mailbox has it; null when it is gone. @param expectedBytes its approximate size */
  readBack(id: string, expectedBytes: number): Promise<HeldMessage | null>;
  /** Closes the connection. */
  close(): Promise<void>;
}
