import { IconPaperclip } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { PlainRow } from '../../../ui/PlainList';
import classes from './archive.module.css';
import { FileItem } from './FileItem';
import type { OfMail } from './of-mail';

/** The files of a mail. */
export function Files({ accountId, mail }: OfMail): ReactNode {
  const { t } = useTranslation();
  const { is_encrypted: isEncrypted } = mail;
  if (mail.attachments.length === 0) return null;
  return (
    <PlainRow gap="md" mt="xs" mb="md" className={classes.files} aria-label={t('mailFacts.attachments')}>
      {mail.attachments.map(({ id, filename, mime_type: mimeType, size_bytes: sizeBytes }) => (
        <li key={id}>
          <FileItem
            source={{ operation: 'archive.downloadAttachment', accountId, attachmentId: id }}
            isEncrypted={isEncrypted}
            filename={filename}
            mimeType={mimeType}
            sizeBytes={sizeBytes}
            text={filename}
            icon={IconPaperclip}
          />
        </li>
      ))}
    </PlainRow>
  );
}
