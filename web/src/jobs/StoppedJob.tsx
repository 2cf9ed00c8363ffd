import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Job } from './job-cache';
import { isResumable } from './kinds';

interface StoppedJobProps {
  readonly job: Job;
  /** Why it did not get to its end. */
  readonly status: 'cancelled' | 'failed';
}

/** Progress of a job when it was cancelled or failed, the work that is left, and how to do it. */
export function StoppedJob({ job, status }: StoppedJobProps): ReactNode {
  const { t } = useTranslation();
  const { processed, failed, total } = job;
  const done = processed + failed;
  const count = Math.max(0, total - done);
  const resumes = isResumable(job);
  const reached =
    done === 0
      ? t(`jobs.stopped.${status}AtOnce`)
      : t(`jobs.stopped.${total > 0 ? status : (`${status}Open` as const)}`, { done, total });
  const rest =
    done > 0 && count > 0 && t(resumes ? 'jobs.stopped.restResumes' : 'jobs.stopped.restAnew', { count });
  const further = rest || (resumes && (done === 0 || total === 0) && t('jobs.stopped.resumes'));
  return (
    <Text size="sm">
      {reached}
      {further && ` ${further}`}
    </Text>
  );
}
