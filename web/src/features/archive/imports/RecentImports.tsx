import { Paper, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useJobs } from '../../../jobs/job-cache';
import { JobItem } from '../../../jobs/JobItem';
import { isImport } from '../../../jobs/kinds';
import { PlainList } from '../../../ui/PlainList';

/** Imports into the archive of a mailbox, the newest first, with duplicates and damaged messages. */
export function RecentImports({ accountId }: { readonly accountId: string }): ReactNode {
  const { t } = useTranslation();
  const jobs = useJobs();
  const imports = (jobs.data ?? []).filter(
    (job) => isImport(job.type) && job.mailbox_account_id === accountId,
  );
  if (imports.length === 0) return null;
  return (
    <Paper withBorder p="md" component="section" aria-labelledby="imports">
      <Title order={2} size="h4" id="imports" mb="sm">
        {t('transfer.imports')}
      </Title>
      <PlainList gap="md">
        {imports.map((job) => (
          <JobItem key={job.id} job={job} />
        ))}
      </PlainList>
    </Paper>
  );
}
