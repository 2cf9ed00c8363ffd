import { Button, FileButton, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { IconFileImport } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { hasNoMailbox, type MailboxAccount } from '../../../api/me';
import { op } from '../../../api/op';
import { formatBytes } from '../../../i18n/format';
import { chosenFiles } from '../../../jobs/uploads/dropped-files';
import { takeFiles } from '../../../jobs/uploads/take-files';
import { UploadList } from '../../../jobs/uploads/UploadList';

/** A picker of a folder, whose files it hands out. React has no type for the attribute that all browsers know. */
const FOLDER = { webkitdirectory: '' } as object;

/** Area where files are dropped or chosen, with the progress of their uploads. */
export function FileImport({ account }: { readonly account: MailboxAccount }): ReactNode {
  const { id: accountId } = account;
  const { t } = useTranslation();
  const client = useQueryClient();
  const take = (files: readonly File[]): void => void takeFiles(client, accountId, chosenFiles(files));
  const most = useQuery(op('auth.config')).data?.maxUploadBytes;
  return (
    <Paper withBorder p="md" component="section" aria-labelledby="from-file">
      <Title order={2} size="h4" id="from-file" mb="sm">
        {t('transfer.dropTitle')}
      </Title>
      <Stack>
        <Stack align="center" gap="xs" p="lg" bd="2px dashed var(--mantine-color-default-border)" bdrs="md">
          <IconFileImport size={32} aria-hidden />
          <Text ta="center">
            {t(hasNoMailbox(account) ? 'transfer.dropHereArchive' : 'transfer.dropHere')}
          </Text>
          <Group justify="center" gap="xs">
            <FileButton multiple onChange={take}>
              {(props) => <Button {...props}>{t('transfer.choose')}</Button>}
            </FileButton>
            <FileButton multiple onChange={take} inputProps={FOLDER}>
              {(props) => (
                <Button variant="default" {...props}>
                  {t('transfer.chooseFolder')}
                </Button>
              )}
            </FileButton>
          </Group>
        </Stack>
        <Text size="sm" c="dimmed">
          {t('transfer.formats')} {most !== undefined && t('transfer.limit', { limit: formatBytes(most) })}
        </Text>
        <UploadList accountId={accountId} />
      </Stack>
    </Paper>
  );
}
