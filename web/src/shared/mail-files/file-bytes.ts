import type { Download } from '@mailroom/sdk';
import { call, mailroom } from '../../api/client';

/** Source of a file. */
export type FileSource =
  | {
      readonly operation: 'archive.downloadAttachment';
      readonly accountId: string;
      readonly attachmentId: string;
    }
  | { readonly operation: 'archive.downloadEml'; readonly accountId: string; readonly mailId: string }
  | {
      readonly operation: 'mailbox.downloadAttachment';
      readonly accountId: string;
      readonly messageId: string;
      readonly partId: string;
    };

/** A file of a mail, as a person sees it. */
export interface MailFile {
  readonly source: FileSource;
  readonly isEncrypted: boolean;
  readonly filename: string;
  readonly mimeType: string;
  readonly sizeBytes: number;
}

/** A file of a mail. @param passphrase for encrypted mail */
export function openFile(
  source: FileSource,
  passphrase: string | undefined,
  signal?: AbortSignal,
): Promise<Download> {
  const { accountId } = source;
  switch (source.operation) {
    case 'archive.downloadEml':
      return call(
        source.operation,
        { accountId, mailId: source.mailId, archivePassphrase: passphrase },
        { signal },
      );
    case 'archive.downloadAttachment':
      return call(
        source.operation,
        { accountId, attachmentId: source.attachmentId, archivePassphrase: passphrase },
        { signal },
      );
    case 'mailbox.downloadAttachment':
      return call(
        source.operation,
        { accountId, messageId: source.messageId, partId: source.partId },
        { signal },
      );
  }
}

/** The same, whole. */
export const fileBytes = async (...asked: Parameters<typeof openFile>): Promise<Uint8Array> =>
  (await openFile(...asked)).bytes();

/** Where the browser downloads a file that is not encrypted. */
export function addressOf(source: FileSource): string {
  const { accountId } = source;
  switch (source.operation) {
    case 'archive.downloadEml':
      return mailroom.urlOf(source.operation, { accountId, mailId: source.mailId });
    case 'archive.downloadAttachment':
      return mailroom.urlOf(source.operation, { accountId, attachmentId: source.attachmentId });
    case 'mailbox.downloadAttachment':
      return mailroom.urlOf(source.operation, {
        accountId,
        messageId: source.messageId,
        partId: source.partId,
      });
  }
}
