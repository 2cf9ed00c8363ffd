import { ActionIcon, Box, Center, Group, Modal, Text } from '@mantine/core';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { KeyboardEvent, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { QueryView } from '../../ui/QueryView';
import { readRawMail } from '../../ui/reading/raw-mail';
import { usePassphrase } from '../passphrases/passphrase';
import { openFile, type MailFile } from './file-bytes';
import classes from './files.module.css';
import { previewKind } from './preview-kind';
import { useFile } from './use-file';
import { useObjectUrl } from './use-object-url';

interface FilePreviewProps {
  /** The files of a mail that can be shown. */
  readonly files: readonly MailFile[];
  readonly index: number;
  readonly onIndex: (index: number) => void;
  readonly onClose: () => void;
}

/** A file of a mail, shown large; the arrow keys lead to the next one. */
export function FilePreview({ files, index, onIndex, onClose }: FilePreviewProps): ReactNode {
  const { t } = useTranslation();
  const file = files[index];
  if (!file) return null;
  const go = (by: number): void => {
    const next = index + by;
    if (next >= 0 && next < files.length) onIndex(next);
  };
  const step = ({ key }: KeyboardEvent): void => {
    if (key === 'ArrowRight') go(1);
    else if (key === 'ArrowLeft') go(-1);
  };
  return (
    <Modal opened onClose={onClose} title={file.filename} size="xl" onKeyDown={step}>
      <Box key={index}>
        {previewKind(file) === 'image' ? <Picture file={file} /> : <FileText file={file} />}
      </Box>
      {files.length > 1 && (
        <Group mt="md" justify="center">
          <ActionIcon
            variant="default"
            aria-label={t('mailFacts.files.previous')}
            aria-disabled={index === 0 || undefined}
            data-disabled={index === 0 || undefined}
            onClick={() => go(-1)}
          >
            <IconChevronLeft size={18} aria-hidden />
          </ActionIcon>
          <Text size="sm" role="status">
            {t('mailFacts.position', { at: index + 1, total: files.length })}
          </Text>
          <ActionIcon
            variant="default"
            aria-label={t('mailFacts.files.next')}
            aria-disabled={index === files.length - 1 || undefined}
            data-disabled={index === files.length - 1 || undefined}
            onClick={() => go(1)}
          >
            <IconChevronRight size={18} aria-hidden />
          </ActionIcon>
        </Group>
      )}
    </Modal>
  );
}

function Picture({ file }: { readonly file: MailFile }): ReactNode {
  const bytes = useFile(file.source);
  const url = useObjectUrl(bytes.data, file.mimeType);
  return (
    <QueryView query={bytes}>
      {() => (
        <Center mih={120}>
          {url !== null && <img src={url} alt={file.filename} className={classes.shown} />}
        </Center>
      )}
    </QueryView>
  );
}

function FileText({ file }: { readonly file: MailFile }): ReactNode {
  const { t } = useTranslation();
  const passphrase = usePassphrase();
  const text = useQuery({
    queryKey: ['file text', file.source, passphrase !== null],
    queryFn: async ({ signal }) => readRawMail(await openFile(file.source, passphrase ?? undefined, signal)),
    staleTime: Infinity,
    gcTime: 0,
  });
  return (
    <QueryView query={text}>
      {(read) => (
        <>
          {read.isCut && <Text size="sm">{t('mailFacts.files.cut')}</Text>}
          <Text
            component="pre"
            size="sm"
            m={0}
            tabIndex={0}
            aria-label={file.filename}
            ff="monospace"
            style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere', maxHeight: '70vh', overflow: 'auto' }}
          >
            {read.text}
          </Text>
        </>
      )}
    </QueryView>
  );
}
