import { Readable } from 'node:stream';

/** A mail as exports need it. */
export interface ExportedMail {
  readonly id: string;
  readonly messageId: string;
  readonly subject: string;
  readonly sender: string;
  readonly date: Date;
  readonly sizeBytes: number;
  readonly sha256: string;
  readonly storage: string;
  readonly storageKey: string;
}

/** A mail with its content: small ones read, large ones open for reading, or null when the store has lost them. */
export interface OpenedMail {
  readonly mail: ExportedMail;
  readonly content: Buffer | Readable | null;
}

/** Closes the file of a mail that is not, or not to its end, read. */
export function closeMail({ content }: OpenedMail): void {
  if (content instanceof Readable) content.destroy();
}
