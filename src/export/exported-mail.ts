import type { Readable } from 'node:stream';
import type { LocatedMail } from '../archive/mail-content-reader';

/** A mail that an export was asked for. */
export interface WantedMail {
  readonly id: string;
  readonly messageId: string;
}

/** A mail as exports need it. */
export interface ExportedMail extends WantedMail, LocatedMail {
  readonly subject: string;
  readonly sender: string;
  readonly date: Date;
}

/**
 * Why a mail has no content:
 * - `missing`: the store has lost its file, or it was deleted meanwhile
 * - `altered`: its encrypted file has been altered and does not open, or is that of another mail
 * - `encrypted`: it was encrypted after the export had begun, and the right passphrase did not come with the request
 */
export type Absence = 'missing' | 'altered' | 'encrypted';

/** A mail with its message: small ones read, large ones to be opened when their turn comes. */
export interface MailContent {
  readonly mail: ExportedMail;
  readonly content: Buffer | Absence | (() => Promise<Readable | Absence>);
}

/** Opens what is not read yet. */
export async function openContent({ content }: MailContent): Promise<Buffer | Readable | Absence> {
  return typeof content === 'function' ? content() : content;
}

/**
 * Whether a message is the one that was archived. That of a mail whose row said encrypted has been compared when
 * it was decrypted; the row's hash is that of the file.
 * @param sha256 of the message, hex
 */
export function isAsArchived(mail: ExportedMail, sha256: string): boolean {
  return mail.isEncrypted || sha256 === mail.sha256;
}
