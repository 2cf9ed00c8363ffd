import { Anchor, Box, Group, Stack } from '@mantine/core';
import type { Icon as TablerIcon } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { formatBytes } from '../../i18n/format';
import { SoughtText } from '../../ui/highlights/Sought';
import { ProblemView } from '../../ui/ProblemView';
import { saveBytes } from '../../ui/save-file';
import { passphraseStore, usePassphrase } from '../passphrases/passphrase';
import { addressOf, fileBytes, type MailFile } from './file-bytes';
import { ImagePreview } from './ImagePreview';
import { hasSmallPicture } from './preview-kind';

interface FileItemProps extends MailFile {
  readonly text: string;
  readonly icon: TablerIcon;
  /** Shows the file on the page; undefined when it can only be saved. */
  readonly onShow?: (() => void) | undefined;
}

/** A file of a mail: a small picture of images, and its download. */
export function FileItem({ text, icon: Icon, onShow, ...file }: FileItemProps): ReactNode {
  const { t } = useTranslation();
  const { filename, sizeBytes, isEncrypted, source } = file;
  const passphrase = usePassphrase();
  const isReadable = !isEncrypted || passphrase !== null;
  const label = t('mailFacts.download', { name: text, size: formatBytes(sizeBytes) });
  const content = (
    <>
      <Icon size={14} aria-hidden /> <SoughtText text={text} place="filename" /> ({formatBytes(sizeBytes)})
    </>
  );
  return (
    <Stack gap={4}>
      {onShow && isReadable && hasSmallPicture(file) && <ImagePreview {...file} onShow={onShow} />}
      <Group gap="xs">
        {isEncrypted ? (
          <EncryptedFile file={file} label={label}>
            {content}
          </EncryptedFile>
        ) : (
          <Anchor size="sm" href={addressOf(source)} download={filename} aria-label={label}>
            {content}
          </Anchor>
        )}
        {onShow && isReadable && !hasSmallPicture(file) && (
          <Anchor
            component="button"
            type="button"
            size="sm"
            aria-label={t('mailFacts.files.preview', { name: filename })}
            onClick={onShow}
          >
            {t('mailFacts.files.show')}
          </Anchor>
        )}
      </Group>
    </Stack>
  );
}

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
        title={passphrase === null ? t('mailFacts.files.locked') : undefined}
        c={passphrase === null ? 'dimmed' : undefined}
        onClick={() => passphrase !== null && save.mutate(passphrase)}
      >
        {children}
      </Anchor>
      {save.isError && <ProblemView error={save.error} />}
    </Box>
  );
}
