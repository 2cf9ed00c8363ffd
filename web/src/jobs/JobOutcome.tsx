import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Job } from './job-cache';
import { outcomesOf } from './outcome';

/** What a job came to, in its own numbers; for kinds that say nothing more, how much was done. */
export function JobOutcome({ job }: { readonly job: Job }): ReactNode {
  const { t } = useTranslation();
  const outcomes = outcomesOf(job);
  const text = outcomes.map(({ name, count }) => t(`jobs.outcomes.${name}`, { count })).join(', ');
  return <Text size="sm">{text || t('jobs.done', { count: job.processed })}</Text>;
}
