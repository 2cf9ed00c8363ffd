import type { ArchiveStore } from '../../archive/files/archive-store.port';
import type { StoredMail } from '../../archive/mails/stored-mails';

/** A mail that is not encrypted yet. */
export interface PlainMail extends Pick<
  StoredMail,
  'id' | 'messageId' | 'position' | 'storage' | 'storageKey' | 'sizeBytes' | 'sha256'
> {
  /** Whether it was archived so recently that a transaction older than the walk may still be archiving mail. */
  readonly isRecent: boolean;
}

/** A mail whose encrypted file is in the store of the plain one. */
export interface EncryptedMail {
  readonly plain: PlainMail;
  readonly storageKey: string;
  /** SHA-256 of the encrypted file, 64 hex digits. */
  readonly sha256: string;
}

/** The key for the mails of one job. */
export interface MailCipher {
  /** Key derived from the passphrase and `salt`, 32 bytes. */
  readonly key: Buffer;
  readonly salt: Buffer;
}

/** Reason why a mail is not encrypted: its file is missing or altered. */
export type FileProblem = 'archived-file-missing' | 'archived-file-altered';

export interface DamagedMail {
  readonly plain: PlainMail;
  readonly problem: FileProblem;
}

/** Mails that can be written, and those that cannot. */
export interface PreparedMails {
  readonly ready: readonly ReadyMail[];
  readonly damaged: readonly DamagedMail[];
}

/** A mail that has been read and found intact. */
export type ReadyMail = EncryptedInMemory | EncryptedAsStream;

export interface EncryptedInMemory {
  readonly plain: PlainMail;
  readonly store: ArchiveStore;
  readonly file: Buffer;
  /** SHA-256 of the encrypted file, 64 hex digits. */
  readonly sha256: string;
}

export interface EncryptedAsStream {
  readonly plain: PlainMail;
  readonly store: ArchiveStore;
  /**
   * Writes the encrypted file.
   * @returns its SHA-256; a problem when the plain file has changed since then, and no file was written
   */
  write(storageKey: string, signal: AbortSignal): Promise<string | { readonly problem: FileProblem }>;
}
