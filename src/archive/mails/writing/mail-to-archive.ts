import type { ArchiveParse } from '../archiving/parse-message.task';
import type { RebuiltFrom } from '../rebuilt-from';

/** A message on its way into the archive: its bytes, what its source says of it, and what its headers say. */
export interface MailToArchive {
  /**
   * The provider's id, unique in the account. For imports the name that the first mail of its Message-ID gets; see
   * `ImportIdentities`.
   */
  readonly messageId: string;
  readonly threadId: string;
  /** The provider's internal date. */
  readonly date: Date;
  readonly labelIds: readonly string[];
  /** IMAP flags that no label stands for. */
  readonly keywords?: readonly string[];
  /** The provider's preview; when empty the parsed one is taken. */
  readonly snippet: string;
  readonly raw: Buffer;
  /** The Outlook file that the bytes were rebuilt from; none: they are those that the source has. */
  readonly rebuiltFrom?: RebuiltFrom;
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

/** A mail of the account that is archived already under the same message id. */
export interface ExistingMail {
  readonly id: string;
  readonly messageId: string;
  readonly threadId: string;
  readonly date: Date;
  readonly sizeBytes: number;
  readonly sha256: string;
  readonly storage: string;
  readonly storageKey: string;
  readonly isEncrypted: boolean;
}

const OLDEST = Date.UTC(1970, 0, 1);
const NEWEST = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/** A date every table, id and path can hold; nonsense becomes `fallback`. */
export function storableDate(date: Date, fallback: Date): Date {
  const time = date.getTime();
  return time >= OLDEST && time <= NEWEST ? date : fallback;
}

/** PostgreSQL has no NUL in text. */
export const storableText = (text: string): string => text.replaceAll('\0', '');
