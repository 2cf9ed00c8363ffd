import type { ReactNode } from 'react';
import { FileList } from '../../../shared/mail-files/FileList';
import type { OfMail } from './of-mail';

/** The files of an archived mail. */
export function Files({ accountId, mail }: OfMail): ReactNode {
  return (
    <FileList
      subject={mail.subject}
      files={mail.attachments.map(({ id, filename, mime_type: mimeType, size_bytes: sizeBytes }) => ({
        source: { operation: 'archive.downloadAttachment', accountId, attachmentId: id },
        isEncrypted: mail.is_encrypted,
        filename,
        mimeType,
        sizeBytes,
      }))}
    />
  );
}
