import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Job } from './job-cache';
import { changesNothing } from './kinds';
import { outcomesOf } from './outcome';
import { StoppedJob } from './StoppedJob';

/**
 * The outcome of a job in its own numbers; for kinds that have none, how much was done. For a job that was stopped it also says
 * how far it came.
 */
export function JobOutcome({ job }: { readonly job: Job }): ReactNode {
  const { t } = useTranslation();
  const { status } = job;
  const outcomes = outcomesOf(job);
  const text = outcomes.map(({ name, count }) => t(`jobs.outcomes.${name}`, { count })).join(', ');
  const plain = t(changesNothing(job.type) ? 'jobs.lookedAt' : 'jobs.done', { count: job.processed });
  if (status === 'cancelled' || status === 'failed')
    return (
      <>
        <StoppedJob job={job} status={status} />
        {outcomes.some(({ count }) => count > 0) && <Text size="sm">{text}</Text>}
      </>
    );
  return <Text size="sm">{text || plain}</Text>;
}
