import { Group } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { FileItem } from './FileItem';
import type { OfMail } from './of-mail';

/** The files of a mail, and the mail itself as a file. */
export function Files({ accountId, mail }: OfMail): ReactNode {
  const { t } = useTranslation();
  const { is_encrypted: isEncrypted } = mail;
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
        <FileItem
          key={id}
          source={{ operation: 'archive.downloadAttachment', accountId, attachmentId: id }}
          isEncrypted={isEncrypted}
          filename={filename}
          mimeType={mimeType}
          sizeBytes={sizeBytes}
          text={filename}
        />
      ))}
      <FileItem
        source={{ operation: 'archive.downloadEml', accountId, mailId: mail.id }}
        isEncrypted={isEncrypted}
        filename={`${mail.id}.eml`}
        mimeType="message/rfc822"
        sizeBytes={mail.size_bytes}
        text={t('archive.eml')}
      />
    </Group>
  );
}
