import { Button, Group, Text } from '@mantine/core';
import type { Schemas } from '@mailroom/sdk';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { op, useOperation } from '../api/op';
import { invalidate } from '../api/query-client';
import { hasText } from '../i18n';
import type { en } from '../i18n/en';
import { formatShortDate } from '../i18n/format';
import { ProblemView } from '../ui/ProblemView';

interface UndoJobProps {
  readonly jobId: string;
  /** The job was itself an undo: to take it back is to do the first change again. */
  readonly isUndo?: boolean;
}

/** Takes back what a job has changed, for as long as that is possible; then it says why it no longer is. */
export function UndoJob({ jobId, isUndo = false }: UndoJobProps): ReactNode {
  const { t } = useTranslation();
  const client = useQueryClient();
  const state = useQuery(op('jobs.getUndo', { jobId }));
  const undo = useOperation('jobs.undo');
  if (state.error) return <ProblemView error={state.error} onRetry={() => void state.refetch()} />;
  if (!state.data) return null;
  const { undoable, reason, messages, until } = state.data;
  const start = (): void =>
    undo.mutate({ jobId }, { onSettled: () => void invalidate(client, ['jobs.list', 'jobs.getUndo']) });
  if (undo.isSuccess) return <Text size="xs">{t(isUndo ? 'jobs.redoStarted' : 'jobs.undoStarted')}</Text>;
  if (!undoable)
    return (
      isKnownReason(reason) && (
        <Text size="xs" c="dimmed">
          {t(`jobs.undoRefused.${reason}`)}
        </Text>
      )
    );
  return (
    <>
      <Text size="xs" c="dimmed">
        {t(isUndo ? 'jobs.redoNote' : 'jobs.undoNote', {
          count: messages,
          until: until === null ? '' : formatShortDate(until),
        })}
      </Text>
      <Group>
        <Button size="compact-xs" variant="light" loading={undo.isPending} onClick={start}>
          {t(isUndo ? 'jobs.redo' : 'jobs.undo')}
        </Button>
      </Group>
      {undo.error && <ProblemView error={undo.error} />}
    </>
  );
}

/** That nothing was changed is said by the outcome. */
const isKnownReason = (
  reason: Schemas['UndoResponse']['reason'],
): reason is keyof typeof en.jobs.undoRefused => reason !== null && hasText(`jobs.undoRefused.${reason}`);
