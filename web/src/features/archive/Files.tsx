import { Group } from '@mantine/core';
import { IconPaperclip } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { FileItem } from './FileItem';
import type { OfMail } from './of-mail';

/** The files of a mail. */
export function Files({ accountId, mail }: OfMail): ReactNode {
  const { t } = useTranslation();
  const { is_encrypted: isEncrypted } = mail;
  if (mail.attachments.length === 0) return null;
  return (
    <Group
      component="ul"
      gap="md"
      mt="xs"
      p={0}
      align="center"
      aria-label={t('mail.attachments')}
      style={{ listStyle: 'none', maxHeight: 160, overflowY: 'auto', flexShrink: 0 }}
    >
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
    </Group>
  );
}
