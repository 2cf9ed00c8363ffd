import { Button, Group } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useOperation } from '../../api/op';
import { invalidate } from '../../api/query-client';
import { useJobs } from '../../jobs/job-cache';
import { ProblemView } from '../../ui/ProblemView';

interface ScanButtonProps {
  readonly accountId: string;
  readonly kind: 'tracking' | 'pii';
}

const JOBS = { tracking: 'scan_tracking', pii: 'scan_pii' } as const;

/** Starts a scan; while one is under way, the jobs show how far it is. */
export function ScanButton({ accountId, kind }: ScanButtonProps): ReactNode {
  const { t } = useTranslation();
  const client = useQueryClient();
  const tracking = useOperation('privacy.startTrackingScan');
  const pii = useOperation('privacy.startPiiScan');
  const isRunning = useJobs().data?.some(
    (job) => job.type === JOBS[kind] && job.mailbox_account_id === accountId && job.completed_at === null,
  );
  const options = { onSuccess: () => void invalidate(client, ['jobs.list']) };
  const start = (): void =>
    kind === 'tracking'
      ? tracking.mutate({ accountId, body: {} }, options)
      : pii.mutate({ accountId }, options);
  const error = tracking.error ?? pii.error;
  return (
    <>
      <Group>
        <Button
          variant="default"
          loading={tracking.isPending || pii.isPending}
          disabled={isRunning === true}
          onClick={start}
        >
          {isRunning ? t('privacy.scanning') : t(`privacy.scan.${kind}`)}
        </Button>
      </Group>
      {error && <ProblemView error={error} />}
    </>
  );
}
