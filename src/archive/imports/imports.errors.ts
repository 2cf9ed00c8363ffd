import { DomainError } from '../../platform/http/domain-error';
import type { ImapServerFailure, ImapServerProblem } from '../../providers/imap/one-time/imap-server-failure';

/** Fields of a request that can be corrected, by the failure of the server. */
const SERVER_FIELDS: Partial<Record<string, string>> = {
  'imap-host-unreachable': 'host',
  'imap-tls-failed': 'secure',
  'imap-tls-required': 'secure',
  'imap-login-failed': 'pass',
  'imap-folder-not-found': 'folder',
  'imap-folder-refused': 'folder',
} satisfies Partial<Record<ImapServerProblem, string>>;

/** An IMAP server cannot be imported from: 400 with the field that the user can correct, 503 for the rest. */
export class ImportServerFailed extends DomainError {
  constructor(failure: Pick<ImapServerFailure, 'code' | 'detail' | 'retryAt'>) {
    const { code, detail, retryAt } = failure;
    const field = SERVER_FIELDS[code];
    super({
      code,
      status: field === undefined ? 503 : 400,
      detail,
      level: 'info',
      ...(field !== undefined && { errors: [{ field, message: detail }] }),
      ...(field === undefined && !retryAt && { headers: { 'Retry-After': '30' } }),
      ...(retryAt && { retryAt }),
    });
  }
}

export class UploadTooLarge extends DomainError {
  constructor(limit: number) {
    super({
      code: 'upload-too-large',
      status: 413,
      detail: `The file is larger than ${limit} bytes, the most this server takes.`,
    });
  }
}

export class MultipartExpected extends DomainError {
  constructor() {
    super({
      code: 'unsupported-media-type',
      status: 415,
      detail: 'Send the file as multipart/form-data, in the field file.',
    });
  }
}

/** The disk that takes uploads is full, or would be. */
export class UploadSpaceExhausted extends DomainError {
  constructor() {
    super({
      code: 'insufficient-storage',
      status: 507,
      detail: 'The server has no room for the file at present.',
      level: 'warn',
    });
  }
}

/** The storage quota has no room for the mail that the file may hold, besides the uploads that wait already. */
export class UploadOverQuota extends DomainError {
  constructor() {
    super({
      code: 'quota-exceeded',
      status: 413,
      detail:
        'The storage quota has no room for the file beside the uploads that wait for their import. Wait for these, ' +
        'delete archived mail, or ask for a larger quota.',
    });
  }
}

export class TooManyUploads extends DomainError {
  constructor(limit: number) {
    super({
      code: 'too-many-uploads',
      status: 429,
      detail: `${limit} uploads wait for the end of their import already.`,
      headers: { 'Retry-After': '60' },
    });
  }
}

export class UploadStalled extends DomainError {
  constructor(detail = 'The upload has stalled.') {
    super({ code: 'request-timeout', status: 408, detail });
  }
}

/** A chunk does not begin at the end of the previous one. */
export class UploadOffsetWrong extends DomainError {
  /** @param offset at which the next chunk has to begin */
  constructor(offset: number) {
    super({
      code: 'upload-offset-wrong',
      status: 409,
      detail: `The next chunk of this upload begins at byte ${offset}.`,
      headers: { 'Upload-Offset': String(offset) },
    });
  }
}

/** Another request writes to the upload. */
export class UploadBusy extends DomainError {
  constructor() {
    super({
      code: 'upload-busy',
      status: 409,
      detail: 'Another request is writing to this upload. Ask where it stands when that one has ended.',
    });
  }
}

export class UploadChunkTooLarge extends DomainError {
  /** @param bytes most bytes that this chunk may have */
  constructor(bytes: number) {
    super({
      code: 'upload-chunk-too-large',
      status: 413,
      detail: `This chunk of the upload may have at most ${bytes} bytes.`,
    });
  }
}

export class ChunkBytesExpected extends DomainError {
  constructor() {
    super({
      code: 'unsupported-media-type',
      status: 415,
      detail: 'Send the bytes of the chunk as application/octet-stream.',
    });
  }
}

export class UploadIncomplete extends DomainError {
  /** @param missing number of missing bytes */
  constructor(missing: number) {
    super({
      code: 'upload-incomplete',
      status: 409,
      detail: `${missing} bytes of the file have not been uploaded yet.`,
    });
  }
}

/** The file of a job does not exist any more. */
export class UploadMissing extends DomainError {
  constructor() {
    super({
      code: 'import-file-missing',
      status: 409,
      detail: 'The uploaded file no longer exists. Upload it again.',
      level: 'warn',
    });
  }
}

/** A file or folder that is imported where it lies is no longer the one that the import was asked for. */
export class ImportFileChanged extends DomainError {
  constructor() {
    super({
      code: 'import-file-changed',
      status: 409,
      detail:
        'The file or folder was changed or moved before its import ended. What was imported by then is in the archive. ' +
        'Import it again when nothing writes to it any more: nothing is doubled.',
      level: 'info',
    });
  }
}

/** The service may not read a file that is to be imported where it lies. */
export class ImportFileUnreadable extends DomainError {
  constructor() {
    super({
      code: 'import-file-unreadable',
      status: 409,
      detail: 'The service is not allowed to read the file or folder. Its operator has to change the rights.',
      level: 'warn',
    });
  }
}

/** The uploaded file is nothing that mail is imported from. */
export class NotAnMboxFile extends DomainError {
  /** @param what it looks like, e.g. `a PDF document`; null: nothing that is known */
  constructor(what: string | null) {
    super({
      code: 'not-an-mbox-file',
      status: 400,
      detail: `${what === null ? 'The file is of no kind that mail is imported from' : `This is ${what}`}. ${TAKEN}`,
    });
  }
}

const TAKEN =
  'Imported are mbox and EML files, files of Outlook (MSG, PST, OST), and ZIP, tar and gzip archives of mail.';

/** An archive that holds no mail. */
export class NoMailInArchive extends DomainError {
  /** @param files numbers of files in it that are no mail, and of those that could not be read */
  constructor(files: { readonly leftOut: number; readonly failed: number }) {
    super({
      code: 'no-mail-in-archive',
      status: 400,
      detail:
        `The archive holds no mail that can be imported: ${files.leftOut} of its files are no mail, and ` +
        `${files.failed} could not be read. ${TAKEN}`,
    });
  }
}

/** The archive cannot be read at all. */
export class ArchiveUnreadable extends DomainError {
  /** @param what e.g. `ZIP archive` */
  constructor(what: string, reason: string) {
    super({
      code: 'archive-unreadable',
      status: 400,
      detail: `The ${what} cannot be read: ${reason}.`,
    });
  }
}

/** The data file of Outlook cannot be read at all. */
export class OutlookFileUnreadable extends DomainError {
  constructor(reason: string) {
    super({
      code: 'outlook-file-unreadable',
      status: 400,
      detail: `The data file of Outlook cannot be read: ${reason}.`,
    });
  }
}

/** The server lacks the program that reads data files of Outlook. The upload is kept, and its job can be resumed. */
export class OutlookReaderMissing extends DomainError {
  constructor(reason: string) {
    super({
      code: 'outlook-reader-missing',
      status: 503,
      detail:
        'The server has no tool for data files of Outlook (PST, OST): its operator has to install python3 and libpff1 ' +
        `(${reason}).`,
      level: 'error',
    });
  }
}

/** The upload unpacks to far more bytes than mail does. */
export class ImportUnpacksTooLarge extends DomainError {
  constructor() {
    super({
      code: 'import-unpacks-too-large',
      status: 400,
      detail: 'The compressed file unpacks to far more than mail of its size can. The import was stopped.',
    });
  }
}

export class ImportTooManyFiles extends DomainError {
  /** @param limit most files in the archives of an upload */
  constructor(limit: number) {
    super({
      code: 'import-too-many-files',
      status: 400,
      detail: `The archive holds more than ${limit} files. The import was stopped; upload it in parts.`,
    });
  }
}

/** Codes of failures that the file itself causes: another attempt would fail in the same way. */
export const FILE_ERRORS: readonly string[] = [
  'import-file-missing',
  'import-file-changed',
  'not-an-mbox-file',
  'no-mail-in-archive',
  'archive-unreadable',
  'outlook-file-unreadable',
  'import-unpacks-too-large',
  'import-too-many-files',
];
