import { Box, Button } from '@mantine/core';
import { IconDownload, IconPaperclip } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { formatBytes } from '../../i18n/format';
import { PlainRow } from '../../ui/PlainList';
import { ProblemView } from '../../ui/ProblemView';
import { saveBytes } from '../../ui/save-file';
import { usePassphrase } from '../passphrases/passphrase';
import { fileBytes, type MailFile } from './file-bytes';
import { FileItem } from './FileItem';
import { FilePreview } from './FilePreview';
import classes from './files.module.css';
import { previewKind } from './preview-kind';
import { zipOf, type ZippedFile } from './zip';

/** Bytes of files that the page puts together; more would be too much for the memory of a phone. */
const MOST_TOGETHER = 100 * 1024 * 1024;

interface FileListProps {
  /** Subject of their mail, after which the archive of all of them is named. */
  readonly subject: string;
  readonly files: readonly MailFile[];
}

/** The files of a mail, to be looked at and saved, one by one or all together. */
export function FileList({ subject, files }: FileListProps): ReactNode {
  const { t } = useTranslation();
  const [shown, setShown] = useState<number | null>(null);
  if (files.length === 0) return null;
  const viewable = files.filter((file) => previewKind(file) !== null);
  return (
    <Box mt="xs" mb="md" style={{ flexShrink: 0 }}>
      <PlainRow gap="md" className={classes.files} aria-label={t('mailFacts.attachments')}>
        {files.map((file, index) => (
          <li key={index}>
            <FileItem
              {...file}
              text={file.filename}
              icon={IconPaperclip}
              onShow={viewable.includes(file) ? () => setShown(viewable.indexOf(file)) : undefined}
            />
          </li>
        ))}
      </PlainRow>
      <SaveAll subject={subject} files={files} />
      {shown !== null && (
        <FilePreview files={viewable} index={shown} onIndex={setShown} onClose={() => setShown(null)} />
      )}
    </Box>
  );
}

/** Saves all files as one ZIP archive. */
function SaveAll({ subject, files }: FileListProps): ReactNode {
  const { t } = useTranslation();
  const passphrase = usePassphrase();
  const save = useMutation({
    mutationFn: async (phrase: string | null) => {
      const zipped: ZippedFile[] = [];
      for (const { source, filename } of files)
        zipped.push({ name: filename, bytes: await fileBytes(source, phrase ?? undefined) });
      saveBytes(zipOf(zipped), `${subject.trim() || t('mail.noSubject')}.zip`);
    },
  });
  const size = files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  if (files.length < 2 || size > MOST_TOGETHER) return null;
  const isLocked = passphrase === null && files.some(({ isEncrypted }) => isEncrypted);
  return (
    <>
      <Button
        mt="xs"
        size="compact-xs"
        variant="default"
        leftSection={<IconDownload size={14} aria-hidden />}
        loading={save.isPending}
        disabled={isLocked}
        title={isLocked ? t('mailFacts.files.locked') : undefined}
        onClick={() => save.mutate(passphrase)}
      >
        {t('mailFacts.files.saveAll', { count: files.length, size: formatBytes(size) })}
      </Button>
      {save.isError && <ProblemView error={save.error} />}
    </>
  );
}
