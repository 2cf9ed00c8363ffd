import { Anchor } from '@mantine/core';
import { IconPaperclip } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { formatBytes } from '../i18n/format';
import { SoughtText } from './highlights/Sought';
import { PlainRow } from './PlainList';

/** A file of a mail, and where it is downloaded from. */
export interface LinkedFile {
  readonly id: string;
  readonly filename: string;
  readonly sizeBytes: number;
  readonly href: string;
}

/** The files of a mail; the browser saves them. */
export function AttachmentLinks({ files }: { readonly files: readonly LinkedFile[] }): ReactNode {
  const { t } = useTranslation();
  if (files.length === 0) return null;
  return (
    <PlainRow gap="md" mt="xs" mb="md" aria-label={t('mailFacts.attachments')}>
      {files.map(({ id, filename, sizeBytes, href }) => (
        <li key={id}>
          <Anchor
            size="sm"
            href={href}
            download={filename}
            aria-label={t('mailFacts.download', { name: filename, size: formatBytes(sizeBytes) })}
          >
            <IconPaperclip size={14} aria-hidden /> <SoughtText text={filename} place="filename" /> (
            {formatBytes(sizeBytes)})
          </Anchor>
        </li>
      ))}
    </PlainRow>
  );
}
