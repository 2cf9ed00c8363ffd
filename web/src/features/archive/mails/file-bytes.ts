import { call } from '../../../api/client';

/** Source of a file. */
export type FileSource =
  | {
      readonly operation: 'archive.downloadAttachment';
      readonly accountId: string;
      readonly attachmentId: string;
    }
  | { readonly operation: 'archive.downloadEml'; readonly accountId: string; readonly mailId: string };

/** A file of a mail, as a person sees it. */
export interface MailFile {
  readonly source: FileSource;
  readonly isEncrypted: boolean;
  readonly filename: string;
  readonly mimeType: string;
  readonly sizeBytes: number;
}

/** A file of the archive, whole. @param passphrase for encrypted mail */
export async function fileBytes(
  source: FileSource,
  passphrase: string | undefined,
  signal?: AbortSignal,
): Promise<Uint8Array> {
  const file =
    source.operation === 'archive.downloadEml'
      ? await call(
          source.operation,
          { accountId: source.accountId, mailId: source.mailId, archivePassphrase: passphrase },
          { signal },
        )
      : await call(
          source.operation,
          { accountId: source.accountId, attachmentId: source.attachmentId, archivePassphrase: passphrase },
          { signal },
        );
  return file.bytes();
}
