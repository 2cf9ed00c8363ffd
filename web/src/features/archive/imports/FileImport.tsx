import { Button, FileButton, Paper, Stack, Text, Title } from '@mantine/core';
import { IconFileImport } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { op } from '../../../api/op';
import { formatBytes } from '../../../i18n/format';
import { takeFiles } from '../../../jobs/uploads/take-files';
import { UploadList } from '../../../jobs/uploads/UploadList';

/** Area where files are dropped or chosen, with the progress of their uploads. */
export function FileImport({ accountId }: { readonly accountId: string }): ReactNode {
  const { t } = useTranslation();
  const client = useQueryClient();
  const most = useQuery(op('auth.config')).data?.maxUploadBytes;
  return (
    <Paper withBorder p="md" component="section" aria-labelledby="from-file">
      <Title order={2} size="h4" id="from-file" mb="sm">
        {t('transfer.dropTitle')}
      </Title>
      <Stack>
        <Stack align="center" gap="xs" p="lg" bd="2px dashed var(--mantine-color-default-border)" bdrs="md">
          <IconFileImport size={32} aria-hidden />
          <Text ta="center">{t('transfer.dropHere')}</Text>
          <FileButton multiple onChange={(files) => void takeFiles(client, accountId, files)}>
            {(props) => <Button {...props}>{t('transfer.choose')}</Button>}
          </FileButton>
        </Stack>
        <Text size="sm" c="dimmed">
          {t('transfer.formats')} {most !== undefined && t('transfer.limit', { limit: formatBytes(most) })}
        </Text>
        <UploadList accountId={accountId} />
      </Stack>
    </Paper>
  );
}
