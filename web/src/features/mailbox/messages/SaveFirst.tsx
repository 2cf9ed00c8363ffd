import { Alert, Button, Progress, Stack, Text } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { isOpen, useJob, type ListedJob } from '../../../jobs/job-cache';
import { JobOutcome } from '../../../jobs/JobOutcome';
import { ProblemView } from '../../../ui/ProblemView';
import { useChanges, type Target } from './use-changes';
import type { Staleness } from './use-frozen';

/** Saving to the archive before a deletion. */
export interface SaveFirst {
  readonly save: () => void;
  readonly isStarted: boolean;
  /** While it runs, nothing is deleted: what is not saved yet would be lost. */
  readonly isRunning: boolean;
  readonly job: ListedJob | undefined;
  readonly isPending: boolean;
  readonly error: Error | null;
  readonly forget: () => void;
}

/** @param target what is about to be deleted; null while it is counted */
export function useSaveFirst(
  accountId: string,
  target: Target | null,
  onStale: ((why: Staleness) => void) | undefined,
): SaveFirst {
  const [started, setStarted] = useState<{ readonly jobId: string; readonly of: string } | null>(null);
  const key = target === null ? '' : keyOf(target);
  const { saveToArchive, isPending, error } = useChanges(accountId, {
    onStarted: (jobId) => setStarted({ jobId, of: key }),
    onStale,
  });
  // A selection counted again may hold messages that were not saved.
  const isStarted = started?.of === key;
  const job = useJob(isStarted ? started.jobId : null);
  return {
    save: () => target && saveToArchive(target),
    isStarted,
    isRunning: isStarted && (job === undefined || isOpen(job)),
    job,
    isPending,
    error,
    forget: () => setStarted(null),
  };
}

const keyOf = (target: Target): string =>
  'messageIds' in target ? target.messageIds.join() : target.selectionId;

interface SaveFirstButtonProps {
  readonly saving: SaveFirst;
  readonly disabled: boolean;
}

export function SaveFirstButton({ saving, disabled }: SaveFirstButtonProps): ReactNode {
  const { t } = useTranslation();
  return (
    <Button variant="light" disabled={disabled} loading={saving.isPending} onClick={saving.save}>
      {t('mailbox.confirm.saveFirst')}
    </Button>
  );
}

/** Progress and outcome of saving. */
export function SaveFirstProgress({ saving }: { readonly saving: SaveFirst }): ReactNode {
  const { t } = useTranslation();
  const { job, isStarted, isRunning, error } = saving;
  if (error) return <ProblemView error={error} />;
  if (!isStarted) return null;
  if (isRunning)
    return (
      <Stack gap={4} role="status">
        <Text size="sm">{t('mailbox.confirm.saving')}</Text>
        <Progress value={job?.progress ?? 0} size="sm" aria-label={t('mailbox.confirm.saving')} />
      </Stack>
    );
  const isSaved = job?.status === 'completed' && job.failed === 0;
  return (
    <Alert color={isSaved ? 'green' : 'red'} role="status" p="xs">
      {job && <JobOutcome job={job} />}
      {t(isSaved ? 'mailbox.confirm.saved' : 'mailbox.confirm.notAllSaved')}
    </Alert>
  );
}
