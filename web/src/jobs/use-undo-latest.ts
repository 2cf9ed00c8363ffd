import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '../api/client';
import { op } from '../api/op';
import { toProblem } from '../api/problems';
import { invalidate } from '../api/query-client';
import { hasText } from '../i18n';
import { problemText } from '../ui/problem-text';
import { useJobs } from './job-cache';
import { showStarted } from './job-toast';
import { canBeUndone, isUndo } from './kinds';

/** Undoes the latest change that was made in a mailbox and can be undone; otherwise it says why there is none. */
export function useUndoLatest(accountId: string): () => void {
  const { t } = useTranslation();
  const client = useQueryClient();
  const jobs = useJobs().data ?? [];
  const latest = jobs.find(
    ({ mailbox_account_id: account, type }) => account === accountId && canBeUndone(type) && !isUndo(type),
  );
  const undo = async (): Promise<void> => {
    if (!latest) {
      notifications.show({ message: t('jobs.nothingToUndo') });
      return;
    }
    const jobId = latest.queue_id;
    try {
      const { undoable, reason } = await client.fetchQuery({
        ...op('jobs.getUndo', { jobId }),
        staleTime: 0,
      });
      if (undoable) {
        const started = await call('jobs.undo', { jobId });
        showStarted(started.jobId, t('jobs.undoStarted'));
        await invalidate(client, ['jobs.list', 'jobs.getUndo']);
      } else {
        const text = `jobs.undoRefused.${reason ?? ''}`;
        notifications.show({ message: hasText(text) ? t(text as never) : t('jobs.nothingToUndo') });
      }
    } catch (error) {
      notifications.show({ color: 'red', message: problemText(toProblem(error)) });
    }
  };
  return () => void undo();
}
