import { Alert, Progress, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { isOpen, useJobs } from './job-cache';

/** Progress of indexing the mailbox: figures over all mail become exact with the end of this job. */
export function IndexProgress({ accountId }: { readonly accountId: string }): ReactNode {
  const { t } = useTranslation();
  const jobs = useJobs();
  const job = jobs.data?.find(
    (one) => one.type === 'index_mailbox' && one.mailbox_account_id === accountId && isOpen(one),
  );
  if (!job || job.total === 0) return null;
  const { processed, total, progress } = job;
  const text = t('jobs.indexing', { processed, total });
  return (
    <Alert color="blue" role="status">
      <Stack gap="xs">
        <Text size="sm">{text}</Text>
        <Progress value={progress} size="sm" aria-label={text} />
      </Stack>
    </Alert>
  );
}
