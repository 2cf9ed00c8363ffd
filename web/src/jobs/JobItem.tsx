import { Group, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { EndedJob } from './EndedJob';
import { isOpen, type Job, type ListedJob } from './job-cache';
import { useJobTitle } from './job-title';
import { RunningJob } from './RunningJob';
import { Wrapping } from '../ui/Wrapping';
import { StatusBadge } from './StatusBadge';

const COLORS: Readonly<Record<Job['status'], string>> = {
  pending: 'gray',
  active: 'blue',
  completed: 'green',
  failed: 'red',
  cancelled: 'gray',
};

/** One job: what it is, how far it is, what went wrong, and what can be done about it. */
export function JobItem({ job }: { readonly job: ListedJob }): ReactNode {
  const { t } = useTranslation();
  const title = useJobTitle(job);
  return (
    <Stack component="li" gap={4} data-job={job.queue_id} aria-label={title}>
      <Group justify="space-between" wrap="nowrap">
        <Wrapping size="sm" fw={600}>
          {title}
        </Wrapping>
        <StatusBadge color={COLORS[job.status]}>{t(`jobs.status.${job.status}`)}</StatusBadge>
      </Group>
      {isOpen(job) ? <RunningJob job={job} /> : <EndedJob job={job} />}
    </Stack>
  );
}
