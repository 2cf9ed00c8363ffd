import { createHash, createHmac } from 'node:crypto';
import { BackupDamaged, BackupError } from './backup.errors';

/** Version of the format; raised when an older version of the service can no longer read a set. */
export const MANIFEST_FORMAT = 1;

/** A file of the set, its path relative to the set's folder. */
export interface SetFile {
  readonly file: string;
  /** Size of the compressed file. */
  readonly bytes: number;
  readonly sha256: string;
}

export interface DumpedTable extends SetFile {
  readonly table: string;
  readonly columns: readonly string[];
  readonly rows: number;
}

export interface DumpedSequence {
  readonly sequence: string;
  /** Value as text: a double is not exact enough. */
  readonly value: string;
  readonly isCalled: boolean;
}

/** A mail whose file does not match its row or could not be read. */
export interface FileProblem {
  readonly mailId: string;
  readonly storage: string;
  readonly key: string;
  readonly problem: 'missing' | 'altered' | 'unreadable';
  readonly reason?: string;
}

/** The contents of a backup. Other files in its folder belong to earlier or unfinished backups. */
export interface Manifest {
  readonly format: number;
  readonly id: string;
  /** Time of the backup, ISO 8601. */
  readonly createdAt: string;
  readonly productVersion: string;
  /** Check value of the encryption key, see `keyCheckOf`. */
  readonly keyCheck: string;
  /** Names of the applied migrations, oldest first: the version of the schema. */
  readonly migrations: readonly string[];
  readonly database: {
    readonly tables: readonly DumpedTable[];
    readonly sequences: readonly DumpedSequence[];
    /** Tables left out on purpose, with the reason. */
    readonly leftOut: Readonly<Record<string, string>>;
  };
  readonly archive: {
    /** One JSON line for each archived mail, see `ArchiveListEntry`. */
    readonly list: SetFile;
    readonly mails: number;
    readonly bytes: number;
    readonly stores: readonly { readonly storage: string; readonly mails: number; readonly bytes: number }[];
    readonly problemCount: number;
    /** The first problems; the list has all. */
    readonly problems: readonly FileProblem[];
  };
}

/** The manifest as it is stored: JSON with a checksum of itself. */
export function formatManifest(manifest: Manifest): string {
  return `${JSON.stringify({ ...manifest, checksum: checksumOf(manifest) }, null, 2)}\n`;
}

/**
 * Reads a stored manifest.
 * @throws BackupDamaged when it has been altered
 * @throws BackupError when a later version of the service wrote it
 */
export function parseManifest(text: string): Manifest {
  const document = parseJson(text);
  if (typeof document.format === 'number' && document.format > MANIFEST_FORMAT) {
    throw new BackupError(
      `A later version of Mailroom (${String(document.productVersion)}) wrote this backup: restore it with that version.`,
    );
  }
  const { checksum, ...manifest } = document;
  if (checksum !== checksumOf(manifest)) throw new BackupDamaged('manifest.json has been altered.');
  return manifest as unknown as Manifest;
}

function parseJson(text: string): Record<string, unknown> {
  try {
    const document: unknown = JSON.parse(text);
    if (typeof document === 'object' && document !== null) return document as Record<string, unknown>;
  } catch (error) {
    throw new BackupDamaged('manifest.json cannot be read.', error);
  }
  throw new BackupDamaged('manifest.json cannot be read.');
}

function checksumOf(manifest: object): string {
  return createHash('sha256').update(JSON.stringify(manifest)).digest('hex');
}

/**
 * Identifies the key of a backup's sealed secrets without revealing it: an HMAC of a constant, hex.
 * @param encryptionKey 32 bytes
 */
export function keyCheckOf(encryptionKey: Buffer): string {
  return createHmac('sha256', encryptionKey).update('mailroom backup key check 1').digest('hex');
}
