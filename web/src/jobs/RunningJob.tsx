import { Button, Group, Progress, Text } from '@mantine/core';
import { useRef, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useOperation } from '../api/op';
import { formatDateTime, formatDuration } from '../i18n/format';
import { ProblemView } from '../ui/ProblemView';
import { FailedItems } from './FailedItems';
import type { Job } from './job-cache';
import { rateOf, type Sample } from './rate';

/** Reasons to wait that are limits of a day. */
const LIMITS: ReadonlySet<string | null> = new Set(['transfer-limit-reached', 'imap-throttled']);

/** A job that waits or runs: how far it is, how long it takes, and a way to stop it. */
export function RunningJob({ job }: { readonly job: Job }): ReactNode {
  const { t } = useTranslation();
  const cancel = useOperation('jobs.cancel');
  const rate = useRate(job);
  const { processed, total } = job;
  return (
    <>
      <Progress value={job.progress} size="sm" aria-label={t(`jobs.status.${job.status}`)} />
      <Text size="xs" c="dimmed">
        {total > 0 ? t('jobs.progress', { processed, total }) : t('jobs.progressOpen', { processed })}
        {rate && ` · ${t('jobs.rate', { rate: Math.round(rate.perSecond) })}`}
        {rate && ` · ${t('jobs.remaining', { time: formatDuration(rate.secondsLeft) })}`}
      </Text>
      {job.waits_until !== null && (
        <Text size="xs">
          {t(LIMITS.has(job.waits_for) ? 'jobs.waitsForLimit' : 'jobs.waits', {
            time: formatDateTime(job.waits_until),
          })}
        </Text>
      )}
      <FailedItems job={job} />
      <Group>
        <Button
          size="compact-xs"
          variant="default"
          disabled={cancel.isPending || cancel.isSuccess}
          onClick={() => cancel.mutate({ jobId: job.queue_id })}
        >
          {cancel.isSuccess ? t('jobs.cancelling') : t('jobs.cancel')}
        </Button>
      </Group>
      {cancel.isError && <ProblemView error={cancel.error} />}
    </>
  );
}

/** Over the time that the job has been watched here. */
function useRate(job: Job): ReturnType<typeof rateOf> {
  const first = useRef<Sample | null>(null);
  const now = { at: Date.now(), processed: job.processed };
  if (first.current === null || first.current.processed > job.processed) first.current = now;
  return job.total > 0 ? rateOf(first.current, now, job.total) : null;
}
