import type { ArchiveParse } from '../archiving/parse-message.task';
import type { MailEnvelope } from '../mail-envelope';
import type { RebuiltFrom } from '../rebuilt-from';
import type { ArchiveDates } from './archive-dates';

/** A message on its way into the archive: its bytes, what its source says of it, and what its headers say. */
export interface MailToArchive extends ArchiveDates {
  /**
   * The provider's id, unique in the account. For imports the name that the first mail of its Message-ID gets; see
   * `ImportIdentities`.
   */
  readonly messageId: string;
  readonly threadId: string;
  readonly labelIds: readonly string[];
  /** IMAP flags that no label stands for. */
  readonly keywords?: readonly string[];
  /** The provider's preview; when empty the parsed one is taken. */
  readonly snippet: string;
  readonly raw: Buffer;
  /** The Outlook file that the bytes were rebuilt from; none: they are those that the source has. */
  readonly rebuiltFrom?: RebuiltFrom;
  /** The envelope of copied mail; none: it came by another way. */
  readonly envelope?: MailEnvelope;
  readonly parsed: ArchiveParse;
}

export interface ArchiveOwner {
  readonly userId: string;
  readonly accountId: string;
}

/** A mail as it goes into the tables. */
export interface NewArchivedMail {
  readonly id: string;
  readonly storage: string;
  readonly storageKey: string;
  /** Its `mailbox_message_id`. */
  readonly name: string;
  /** See `ContentMacs`. */
  readonly contentMac: string;
  readonly mail: MailToArchive;
}

/** An imported mail that is in the archive already. */
export interface RecognisedMail {
  readonly messageId: string;
  /** Name of the archived mail that is the same; null when that one is in the same batch. */
  readonly name: string | null;
  /** The envelope under which it came again. */
  readonly envelope?: MailEnvelope;
}

/** A mail of the account that is archived already under the same message id. */
export interface ExistingMail {
  readonly id: string;
  readonly messageId: string;
  readonly threadId: string;
  /** The arrival; of a mail of an earlier version, whose header has not been read yet, its date is the arrival. */
  readonly receivedAt: Date;
  readonly sizeBytes: number;
  readonly sha256: string;
  readonly storage: string;
  readonly storageKey: string;
  readonly isEncrypted: boolean;
}

/** PostgreSQL has no NUL in text. */
export const storableText = (text: string): string => text.replaceAll('\0', '');

export const nullableText = (text: string | null): string | null =>
  text === null ? null : storableText(text);

/** Separates values in one text, as PostgreSQL cannot unnest arrays of arrays of different lengths. */
export const VALUE_SEPARATOR = '\x1f';

/** Several texts as one, for `string_to_array`. */
export const joinValues = (texts: readonly string[]): string => texts.map(storableText).join(VALUE_SEPARATOR);
