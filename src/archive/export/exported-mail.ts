import type { Readable } from 'node:stream';

/** A mail that an export was asked for. */
export interface WantedMail {
  readonly id: string;
  readonly messageId: string;
}

/** A mail as exports need it. */
export interface ExportedMail extends WantedMail {
  readonly subject: string;
  readonly sender: string;
  readonly date: Date;
  readonly sizeBytes: number;
  readonly sha256: string;
  readonly storage: string;
  readonly storageKey: string;
}

/**
 * A mail with its content: small ones read, large ones to be opened when their turn comes (null when the store has
 * lost them), or null when the store has lost it.
 */
export interface MailContent {
  readonly mail: ExportedMail;
  readonly content: Buffer | (() => Promise<Readable | null>) | null;
}

/** Opens what is not read yet. @returns null when the store has lost it */
export async function openContent({ content }: MailContent): Promise<Buffer | Readable | null> {
  return typeof content === 'function' ? content() : content;
}
