import { Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import type { Schemas } from '@mailroom/sdk';
import type { ReactNode } from 'react';
import { loadTexts } from '../i18n/texts';
import { FailedItems } from './FailedItems';
import { useJob, type ListedJob } from './job-cache';
import { JobOutcome } from './JobOutcome';
import { useJobTitle } from './job-title';
import { canBeUndone, isUndo } from './kinds';
import { UndoJob } from './UndoJob';

/** Long enough to read a result, and to think better of it. */
const RESULT_MS = 15_000;

/**
 * Shows a toast of the service in the language of the page; that of a job which has ended shows its result, and takes it
 * back. Without its texts, because the service is away, it says what the service says.
 */
export async function showToast(toast: Schemas['ToastResponse']): Promise<void> {
  showNotice({ ...toast, ...(await translateToast(toast)) });
}

/** Jobs of which it was said that they have ended. */
const ended = new Set<string>();

/** Says that a job was started; not of a quick one whose end was said before the answer to its start arrived. */
export function showStarted(jobId: string, message: string): void {
  if (!ended.has(jobId)) notifications.show({ id: jobId, message });
}

async function translateToast(toast: Schemas['ToastResponse']): Promise<object> {
  try {
    const [{ noticeText }] = await Promise.all([
      import('./notice'),
      loadTexts('notices'),
      loadTexts('jobFailures'),
    ]);
    return noticeText(toast);
  } catch {
    return {};
  }
}

/** Shows a toast; that of a job which has ended shows its result, and takes it back. */
function showNotice({ id, type, title, body, data }: Schemas['ToastResponse']): void {
  const jobId = data['jobId'];
  if (typeof jobId !== 'string') {
    notifications.show({ id, title, message: body });
    return;
  }
  // It said that the job was started.
  notifications.hide(jobId);
  ended.add(jobId);
  if (type === 'job_completed')
    notifications.show({
      id,
      autoClose: RESULT_MS,
      message: <EndOfJob jobId={jobId} title={title} body={body} />,
    });
  else notifications.show({ id, title, message: body });
}

interface EndOfJobProps {
  readonly jobId: string;
  /** Said until the job itself is known here. */
  readonly title: string;
  readonly body: string;
}

function EndOfJob({ jobId, title, body }: EndOfJobProps): ReactNode {
  const job = useJob(jobId);
  if (job) return <Result job={job} />;
  return (
    <>
      <Text fw={600}>{title}</Text>
      {body}
    </>
  );
}

function Result({ job }: { readonly job: ListedJob }): ReactNode {
  return (
    <Stack gap={4}>
      <Text size="sm" fw={600} c="var(--mantine-color-text)">
        {useJobTitle(job)}
      </Text>
      <JobOutcome job={job} />
      <FailedItems job={job} />
      {/* Where Undo was clicked a moment ago, a second click must not take that back. */}
      {canBeUndone(job.type) && !isUndo(job.type) && <UndoJob jobId={job.queue_id} />}
    </Stack>
  );
}
