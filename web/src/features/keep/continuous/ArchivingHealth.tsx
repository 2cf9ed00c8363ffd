import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import type { Schemas } from '@mailroom/sdk';
import { useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useOperation } from '../../../api/op';
import { invalidate } from '../../../api/query-client';
import { hasText } from '../../../i18n';
import { formatShortDate } from '../../../i18n/format';
import { useJobs } from '../../../jobs/job-cache';
import { ProblemView } from '../../../ui/ProblemView';
import { ReconnectButton } from '../../../shared/reconnect/ReconnectButton';
import { Wrapping } from '../../../ui/Wrapping';

export type Archiving = Schemas['ArchivingResponse'];

const COLORS: Readonly<Record<Archiving['state'], string>> = {
  off: 'gray',
  needs_reconnection: 'orange',
  paused: 'yellow',
  quota_full: 'red',
  behind: 'orange',
  healthy: 'green',
};

/** Coloured titles on a coloured ground are too faint to read. */
const TITLE = { title: { color: 'var(--mantine-color-text)' } };

interface ArchivingHealthProps {
  readonly accountId: string;
  readonly archiving: Archiving;
}

/** State of archiving with its reason and start, and the actions that it calls for. */
export function ArchivingHealth({ accountId, archiving }: ArchivingHealthProps): ReactNode {
  const { t } = useTranslation();
  const { mode, state, since, lookedAt, copiedAt, pending, exact, incompleteFolders, reconciledAt } =
    archiving;
  const facts = [
    ...(since === null ? [] : [t('keep.since', { time: formatShortDate(since) })]),
    ...(lookedAt === null ? [] : [t('keep.lookedAt', { time: formatShortDate(lookedAt) })]),
    ...(copiedAt === null ? [] : [t('keep.copiedAt', { time: formatShortDate(copiedAt) })]),
    ...(pending > 0 ? [t(mode === 'watch' ? 'keep.notInArchive' : 'keep.pending', { count: pending })] : []),
    ...(reconciledAt === null ? [] : [t('keep.reconciledAt', { time: formatShortDate(reconciledAt) })]),
  ];
  const { title, text } = useStateTexts(archiving);
  // Green says that mail is safe.
  const color = mode === 'watch' && state === 'healthy' ? 'blue' : COLORS[state];
  return (
    <Alert color={color} role="status" title={title} mb="md" styles={TITLE}>
      <Stack gap="xs">
        <Text size="sm">{text}</Text>
        {state !== 'off' && !exact && incompleteFolders.length === 0 && (
          <Text size="sm">{t('keep.notExact')}</Text>
        )}
        {state !== 'off' && incompleteFolders.length > 0 && (
          <Wrapping size="sm">
            {t('keep.incompleteFolders', {
              count: incompleteFolders.length,
              folders: incompleteFolders.join(', '),
            })}
          </Wrapping>
        )}
        {facts.length > 0 && <Text size="xs">{facts.join(' · ')}</Text>}
        <Group gap="xs">
          {state === 'needs_reconnection' && <ReconnectButton accountId={accountId} />}
          {state !== 'off' && state !== 'needs_reconnection' && <Reconcile accountId={accountId} />}
        </Group>
      </Stack>
    </Alert>
  );
}

/** Texts of a state; those of a mailbox that is only watched do not mention copies. */
function useStateTexts({ mode, state, reason, exact }: Archiving): {
  readonly title: string;
  readonly text: string;
} {
  const { t } = useTranslation();
  const [title, text] = [t(`keep.states.${state}`), t(`keep.stateTexts.${state}`)];
  const why = reason !== null && t(`keep.reasons.${reason}`);
  if (mode !== 'watch') return { title, text: why || text };
  const ofWatch = (path: string): string | false => hasText(path) && t(path as 'keep.watchStates.healthy');
  // Nothing is ever filled: what has been read as a whole is late, not new.
  const late = reason === 'first-fill' && exact ? 'backlog' : reason;
  return {
    title: ofWatch(`keep.watchStates.${state}`) || title,
    text: ofWatch(`keep.watchReasons.${late}`) || why || ofWatch(`keep.watchStateTexts.${state}`) || text,
  };
}

/** Compares the whole mailbox with what is known of it, which the service does by itself every few days. */
function Reconcile({ accountId }: { readonly accountId: string }): ReactNode {
  const { t } = useTranslation();
  const client = useQueryClient();
  const reconcile = useOperation('archiving.reconcile');
  const jobs = useJobs();
  const isRunning = jobs.data?.some(
    (job) =>
      job.type === 'reconcile_mailbox' && job.mailbox_account_id === accountId && job.completed_at === null,
  );
  const start = (): void =>
    reconcile.mutate(
      { accountId },
      { onSuccess: () => void invalidate(client, ['jobs.list', 'archiving.get']) },
    );
  return (
    <>
      <Button
        size="xs"
        variant="default"
        loading={reconcile.isPending}
        disabled={isRunning === true}
        onClick={start}
      >
        {isRunning ? t('keep.reconciling') : t('keep.reconcile')}
      </Button>
      {reconcile.error && <ProblemView error={reconcile.error} />}
    </>
  );
}
