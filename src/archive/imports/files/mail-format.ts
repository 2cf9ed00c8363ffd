import type { ImportedMessage } from '../import-writer';
import type { ByteSource } from '../containers/byte-source';
import type { ReadDamage } from '../containers/read-damage';
import type { ArchiveFolders } from './archive-folders';
import type { LeftOutReason, StateNotKept } from './item-reasons';

const MIB = 1024 * 1024;
/** Size of the largest message that is imported: providers take messages of up to 150 MB. */
export const MAX_MESSAGE_BYTES = 150 * MIB;
/** Bytes at the beginning of a file by which its kind is decided. */
export const START_BYTES = 64 * 1024;

/** A file that may hold mail: the upload, or a member of an archive. */
export interface MailFile {
  readonly source: ByteSource;
  /** Name in reports: those of the archives it lies in, and its own. Null: the upload is the file. */
  readonly name: string | null;
  /** Levels of its name in its archive; none for the upload. */
  readonly levels: readonly string[];
  /** Folders of its archive; null for the upload. */
  readonly folders: ArchiveFolders | null;
}

/** One thing that was found in a file: a message, or something that is left out or cannot be read. */
export interface FoundItem {
  /** Name in the job's result when it cannot be imported. */
  readonly name: string;
  /** The message to import; null: there is none, for the reason in `leftOut` or `damage`. */
  readonly message: ImportedMessage | null;
  readonly leftOut: LeftOutReason | null;
  readonly damage: ReadDamage | null;
  readonly notKept: readonly StateNotKept[];
  /** Number of mbox separators that it had. */
  readonly separators: number;
  /** Number of lines in it that begin with `From ` and were taken for text. */
  readonly fromLinesInText: number;
  /** Offset in the file at which the next item is read, in a measure of the format; greater than that of the item before. */
  readonly end: number;
  /** Bytes of the file that were handed over for reading when it was found; null: all. */
  readonly readTo: number | null;
}

/** The beginning of a file. */
export interface FileStart {
  readonly file: MailFile;
  /** The first `START_BYTES` bytes, or all. */
  readonly bytes: Buffer;
}

/**
 * A format of files that hold mail. To add one, implement it and list it in `mail-formats.ts`: archives, batches, the
 * checkpoint and the counts are common to all.
 */
export interface MailFormat {
  /** Stable name in the job's result, in camel case. */
  readonly name: string;
  /** Whether the file must be one on disk by itself, at `source.extent`. Otherwise its bytes may pass by once. */
  readonly needsDisk?: boolean;
  /** Whether a wrong checksum of the file is an item of `read`; otherwise it is reported beside its items. */
  readonly reportsChecksum?: boolean;
  /** Decides by the content of a file whether it has this format. */
  recognise(start: FileStart): boolean | Promise<boolean>;
  /**
   * Reads the items of a file in an order that is the same each time.
   * @param from `end` of the item after which an import goes on; 0: the first
   * @param signal ends the reading
   */
  read(file: MailFile, from: number, signal: AbortSignal): AsyncGenerator<FoundItem, void, undefined>;
}

const NOTHING = {
  message: null,
  leftOut: null,
  damage: null,
  notKept: [],
  separators: 0,
  fromLinesInText: 0,
  end: 1,
  readTo: null,
} as const;

export const foundMessage = (message: ImportedMessage, rest: Partial<FoundItem> = {}): FoundItem => ({
  ...NOTHING,
  name: message.name,
  message,
  ...rest,
});

export const foundLeftOut = (
  name: string,
  leftOut: LeftOutReason,
  rest: Partial<FoundItem> = {},
): FoundItem => ({
  ...NOTHING,
  name,
  leftOut,
  ...rest,
});

export const foundDamage = (name: string, damage: ReadDamage, rest: Partial<FoundItem> = {}): FoundItem => ({
  ...NOTHING,
  name,
  damage,
  ...rest,
});
