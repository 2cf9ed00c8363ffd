import { Anchor, Box, Stack } from '@mantine/core';
import type { Icon as TablerIcon } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { mailroom } from '../../../api/client';
import { formatBytes } from '../../../i18n/format';
import { ProblemView } from '../../../ui/ProblemView';
import { fileBytes, type FileSource, type MailFile } from './file-bytes';
import { ImagePreview, isPreviewed } from './ImagePreview';
import { SoughtText } from '../../../ui/highlights/Sought';
import { passphraseStore, usePassphrase } from '../../../shared/passphrases/passphrase';
import { saveBytes } from '../../../ui/save-file';

interface FileItemProps extends MailFile {
  readonly text: string;
  readonly icon: TablerIcon;
}

/** A file of a mail: a preview of images, and its download. */
export function FileItem({ text, icon: Icon, ...file }: FileItemProps): ReactNode {
  const { t } = useTranslation();
  const { filename, sizeBytes, isEncrypted, source } = file;
  const passphrase = usePassphrase();
  const label = t('mailFacts.download', { name: text, size: formatBytes(sizeBytes) });
  const content = (
    <>
      <Icon size={14} aria-hidden /> <SoughtText text={text} place="filename" /> ({formatBytes(sizeBytes)})
    </>
  );
  return (
    <Stack gap={4}>
      {isPreviewed(file) && (!isEncrypted || passphrase !== null) && <ImagePreview {...file} />}
      {isEncrypted ? (
        <EncryptedFile file={file} label={label}>
          {content}
        </EncryptedFile>
      ) : (
        <Anchor size="sm" href={addressOf(source)} download={filename} aria-label={label}>
          {content}
        </Anchor>
      )}
    </Stack>
  );
}

const addressOf = (source: FileSource): string =>
  source.operation === 'archive.downloadEml'
    ? mailroom.urlOf(source.operation, { accountId: source.accountId, mailId: source.mailId })
    : mailroom.urlOf(source.operation, { accountId: source.accountId, attachmentId: source.attachmentId });

interface EncryptedFileProps {
  readonly file: MailFile;
  readonly label: string;
  readonly children: ReactNode;
}

/** A link cannot carry the passphrase: the page fetches the file, and saves it. */
function EncryptedFile({ file, label, children }: EncryptedFileProps): ReactNode {
  const { t } = useTranslation();
  const passphrase = usePassphrase();
  const save = useMutation({
    mutationFn: async (phrase: string) => saveBytes(await fileBytes(file.source, phrase), file.filename),
    onSuccess: () => passphraseStore.used(),
  });
  return (
    <Box>
      <Anchor
        component="button"
        type="button"
        size="sm"
        aria-label={label}
        disabled={passphrase === null || save.isPending}
        title={passphrase === null ? t('archive.lockedFile') : undefined}
        c={passphrase === null ? 'dimmed' : undefined}
        onClick={() => passphrase !== null && save.mutate(passphrase)}
      >
        {children}
      </Anchor>
      {save.isError && <ProblemView error={save.error} />}
    </Box>
  );
}
