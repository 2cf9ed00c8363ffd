import { Button, Group, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useOperation } from '../api/op';
import { invalidate } from '../api/query-client';
import { formatFullDate, formatShortDate } from '../i18n/format';
import { ProblemView } from '../ui/ProblemView';
import { DamagedMessages } from './DamagedMessages';
import { FailedItems } from './FailedItems';
import { ImportContents } from './ImportContents';
import type { Job } from './job-cache';
import { failureText } from './job-failure';
import { JobOutcome } from './JobOutcome';
import { canBeRetried, canBeUndone, isImport, isResumable, isUndo } from './kinds';
import { failuresAreKnown } from './outcome';
import { UndoJob } from './UndoJob';

/** A job that has ended: what it came to, why it failed, and what can be done about that. */
export function EndedJob({ job }: { readonly job: Job }): ReactNode {
  const end = job.completed_at ?? job.created_at;
  return (
    <>
      <JobOutcome job={job} />
      <Text size="xs" c="dimmed" title={formatFullDate(end)}>
        {formatShortDate(end)}
      </Text>
      {job.error !== null && (
        <Text size="xs" c="red">
          {failureText(job.error, job.error_code)}
        </Text>
      )}
      {isImport(job.type) ? <DamagedMessages job={job} /> : <FailedItems job={job} />}
      {isImport(job.type) && <ImportContents job={job} />}
      <GoOn job={job} />
      {canBeUndone(job.type) && <UndoJob jobId={job.queue_id} isUndo={isUndo(job.type)} />}
    </>
  );
}

/** Takes up what was stopped, or tries again what failed. */
function GoOn({ job }: { readonly job: Job }): ReactNode {
  const { t } = useTranslation();
  const client = useQueryClient();
  const resume = useOperation('jobs.resume');
  const retry = useOperation('jobs.retryFailed');
  const { queue_id: jobId, type, status } = job;
  const onSuccess = (): void => void invalidate(client, ['jobs.list', 'jobs.getUndo']);
  const wasStopped = status === 'failed' || status === 'cancelled';
  const resumes = wasStopped && isResumable(job);
  const retries = status === 'completed' && job.failed > 0 && canBeRetried(type) && failuresAreKnown(job);
  const change = resumes ? resume : retry;
  if (!resumes && !retries) return null;
  return (
    <>
      <Group>
        <Button
          size="compact-xs"
          variant="default"
          loading={change.isPending}
          disabled={change.isSuccess}
          onClick={() => change.mutate({ jobId }, { onSuccess })}
        >
          {t(resumes ? 'jobs.resume' : 'jobs.retryFailed')}
        </Button>
      </Group>
      {change.error && <ProblemView error={change.error} />}
    </>
  );
}
