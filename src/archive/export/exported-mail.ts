import type { Readable } from 'node:stream';
import type { LocatedMail } from '../mails/mail-content-reader';
import type { MailEnvelope } from '../mails/mail-envelope';
import type { DateSource } from '../mails/writing/archive-dates';
import type { RebuiltFrom } from '../mails/rebuilt-from';

/** A mail requested for an export. */
export interface WantedMail {
  readonly id: string;
  readonly messageId: string;
}

/** A mail with the fields an export needs. */
export interface ExportedMail extends WantedMail, LocatedMail {
  readonly subject: string;
  readonly sender: string;
  readonly date: Date;
  /** The arrival; null when it is not known yet. */
  readonly receivedAt: Date | null;
  readonly dateSource: DateSource | null;
  readonly rebuiltFrom: RebuiltFrom | null;
  readonly envelope: MailEnvelope | null;
}

/**
 * Why a mail has no content:
 * - `missing`: the store has lost its file, or it was deleted meanwhile
 * - `altered`: its encrypted file has been altered and does not open, or is that of another mail
 * - `encrypted`: it was encrypted after the export began, and the request had no or the wrong passphrase
 */
export type Absence = 'missing' | 'altered' | 'encrypted';

/** A mail with its message: read if small, opened later if large. */
export interface MailContent {
  readonly mail: ExportedMail;
  readonly content: Buffer | Absence | (() => Promise<Readable | Absence>);
}

/** A mail that has been read. */
export interface ReadMail extends MailContent {
  readonly content: Buffer;
}

/** A mail that is opened when its turn comes, or is absent. */
export interface UnreadMail extends MailContent {
  readonly content: Absence | (() => Promise<Readable | Absence>);
}

/** The content of a mail that has not been read yet. */
export async function openContent({ content }: UnreadMail): Promise<Readable | Absence> {
  return typeof content === 'function' ? content() : content;
}

/**
 * Whether a message is the one archived. The message of an encrypted mail has been verified by decryption; its row has
 * the hash of the encrypted file.
 * @param sha256 of the message, hex
 */
export function isAsArchived(mail: ExportedMail, sha256: string): boolean {
  return mail.isEncrypted || sha256 === mail.sha256;
}
