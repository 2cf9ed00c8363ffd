import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import type { Schemas } from '@mailroom/sdk';
import { useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useOperation } from '../../api/op';
import { invalidate } from '../../api/query-client';
import { formatShortDate } from '../../i18n/format';
import { useJobs } from '../../jobs/job-cache';
import { ProblemView } from '../../ui/ProblemView';
import { ReconnectButton } from '../../ui/ReconnectButton';

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

/** How archiving is doing, why, since when, and what to do about it. */
export function ArchivingHealth({ accountId, archiving }: ArchivingHealthProps): ReactNode {
  const { t } = useTranslation();
  const { state, reason, since, lookedAt, copiedAt, pending, exact, reconciledAt } = archiving;
  const facts = [
    ...(since === null ? [] : [t('keep.since', { time: formatShortDate(since) })]),
    ...(lookedAt === null ? [] : [t('keep.lookedAt', { time: formatShortDate(lookedAt) })]),
    ...(copiedAt === null ? [] : [t('keep.copiedAt', { time: formatShortDate(copiedAt) })]),
    ...(pending > 0 ? [t('keep.pending', { count: pending })] : []),
    ...(reconciledAt === null ? [] : [t('keep.reconciledAt', { time: formatShortDate(reconciledAt) })]),
  ];
  return (
    <Alert color={COLORS[state]} role="status" title={t(`keep.states.${state}`)} mb="md" styles={TITLE}>
      <Stack gap="xs">
        <Text size="sm">{reason === null ? t(`keep.stateTexts.${state}`) : t(`keep.reasons.${reason}`)}</Text>
        {state !== 'off' && !exact && <Text size="sm">{t('keep.notExact')}</Text>}
        {facts.length > 0 && <Text size="xs">{facts.join(' · ')}</Text>}
        <Group gap="xs">
          {state === 'needs_reconnection' && <ReconnectButton accountId={accountId} />}
          {state !== 'off' && state !== 'needs_reconnection' && <Reconcile accountId={accountId} />}
        </Group>
      </Stack>
    </Alert>
  );
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
