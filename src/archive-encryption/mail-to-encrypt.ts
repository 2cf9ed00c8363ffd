import type { ArchiveStore } from '../archive-storage/archive-store.port';

/** A mail that is not encrypted yet, as its row describes it. */
export interface PlainMail {
  readonly id: string;
  /** As the database writes it, so that no digit is lost. */
  readonly date: string;
  readonly storage: string;
  readonly storageKey: string;
  readonly sizeBytes: number;
  readonly sha256: string;
  /** Archived since the instant asked for. */
  readonly isRecent: boolean;
}

/** A mail whose encrypted file lies in the store of the plain one. */
export interface EncryptedMail {
  readonly plain: PlainMail;
  readonly storageKey: string;
  /** Of the encrypted file. */
  readonly sha256: string;
}

/** What the mails of one job are encrypted with. */
export interface MailCipher {
  /** Derived from the passphrase and `salt`. */
  readonly key: Buffer;
  readonly salt: Buffer;
}

/** Why a mail is left alone: its file is not what was archived. */
export type FileProblem = 'archived-file-missing' | 'archived-file-altered';

export interface DamagedMail {
  readonly plain: PlainMail;
  readonly problem: FileProblem;
}

/** Mails that can be written, and those that have to be left alone. */
export interface PreparedMails {
  readonly ready: readonly ReadyMail[];
  readonly damaged: readonly DamagedMail[];
}

/** A mail that has been read and found whole. */
export interface ReadyMail {
  readonly plain: PlainMail;
  readonly store: ArchiveStore;
  /**
   * Writes the encrypted file.
   * @returns its SHA-256; a problem when the plain file has changed since it was found whole: nothing is written then
   */
  write(storageKey: string, signal: AbortSignal): Promise<string | { readonly problem: FileProblem }>;
}

/** What lies under the key cannot be read as a file, whatever else can be: a damaged sector, a folder. */
const DAMAGED = new Set(['EIO', 'EISDIR', 'ELOOP', 'EILSEQ']);

export const isDamage = (error: unknown): boolean => DAMAGED.has((error as NodeJS.ErrnoException).code ?? '');
