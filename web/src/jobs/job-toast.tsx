import { Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import type { Schemas } from '@mailroom/sdk';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { loadTexts } from '../i18n/texts';
import { FailedItems } from './FailedItems';
import { useJob, type ListedJob } from './job-cache';
import { JobOutcome } from './JobOutcome';
import { useJobTitle } from './job-title';
import { canBeUndone, isUndo } from './kinds';
import type { NoticeLink } from './notice-link';
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
    const [{ noticeText }, { noticeLink }] = await Promise.all([
      import('./notice'),
      import('./notice-link'),
      loadTexts('notices'),
      loadTexts('jobFailures'),
    ]);
    return { ...noticeText(toast), link: noticeLink(toast) };
  } catch {
    return {};
  }
}

type ShownToast = Schemas['ToastResponse'] & { readonly link?: NoticeLink | null };

/** Shows a toast; that of a job which has ended shows its result, and takes it back. */
function showNotice({ id, type, title: text, body, data, link = null }: ShownToast): void {
  const title = <Title text={text} link={link} />;
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
      message: <EndOfJob jobId={jobId} title={text} body={body} link={link} />,
    });
  else notifications.show({ id, title, message: body });
}

interface TitleProps {
  readonly text: string;
  readonly link: NoticeLink | null;
}

/** The title of a toast, as a link to the page about it. */
function Title({ text, link }: TitleProps): ReactNode {
  if (link === null) return text;
  return (
    <Link {...link} style={{ color: 'var(--mantine-color-anchor)' }}>
      {text}
    </Link>
  );
}

interface EndOfJobProps {
  readonly jobId: string;
  /** Said until the job itself is known here. */
  readonly title: string;
  readonly body: string;
  readonly link: NoticeLink | null;
}

function EndOfJob({ jobId, title, body, link }: EndOfJobProps): ReactNode {
  const job = useJob(jobId);
  if (job) return <Result job={job} link={link} />;
  return (
    <>
      <Text fw={600}>
        <Title text={title} link={link} />
      </Text>
      {body}
    </>
  );
}

interface ResultProps {
  readonly job: ListedJob;
  readonly link: NoticeLink | null;
}

function Result({ job, link }: ResultProps): ReactNode {
  return (
    <Stack gap={4}>
      <Text size="sm" fw={600} c="var(--mantine-color-text)">
        <Title text={useJobTitle(job)} link={link} />
      </Text>
      <JobOutcome job={job} />
      <FailedItems job={job} />
      {/* Where Undo was clicked a moment ago, a second click must not take that back. */}
      {canBeUndone(job.type) && !isUndo(job.type) && <UndoJob jobId={job.queue_id} />}
    </Stack>
  );
}
