import { Alert, Button, Group, List, Loader, Stack, Text } from '@mantine/core';
import type { Schemas } from '@mailroom/sdk';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { op, useOperation } from '../../../api/op';
import { invalidate } from '../../../api/query-client';
import { formatBytes, formatNumber, formatShortDate } from '../../../i18n/format';
import { useJob } from '../../../jobs/job-cache';
import { failureText } from '../../../jobs/job-failure';
import { JobItem } from '../../../jobs/JobItem';
import { Confirm } from '../../../ui/Confirm';
import { PlainList } from '../../../ui/PlainList';
import { ProblemView } from '../../../ui/ProblemView';
import { QueryView } from '../../../ui/QueryView';
import { senderName } from '../../../ui/sender';
import { TrashNote } from '../../../shared/trash/TrashNote';
import { PlanMessages } from './PlanMessages';
import { Receipt } from './Receipt';
import { reasonKey } from '../reasons';

type Plan = Schemas['OffloadPlanResponse'];

interface OffloadPlanProps {
  readonly accountId: string;
  readonly planId: string;
  readonly onClose: () => void;
}

/** A plan from its making to its receipt: what could go, what stays and why, the question, and the job. */
export function OffloadPlan({ accountId, planId, onClose }: OffloadPlanProps): ReactNode {
  const { t } = useTranslation();
  const client = useQueryClient();
  const plan = useQuery(op('offload.getPlan', { accountId, planId }));
  const { status } = plan.data ?? {};
  const jobId = status === 'planning' ? plan.data?.planJobId : plan.data?.jobId;
  const job = useJob(jobId ?? null);
  const isEnded = job !== undefined && job.completed_at !== null;
  const isUnderWay = status === 'planning' || status === 'running';
  useEffect(() => {
    // The plan says what its job has found or moved.
    if (isEnded && isUnderWay) void invalidate(client, ['offload.getPlan', 'offload.listPlans']);
  }, [client, isEnded, isUnderWay]);
  return (
    <QueryView query={plan}>
      {(found) => (
        <Stack>
          {found.status === 'planning' &&
            (job?.status === 'failed' ? (
              <Alert color="red" role="alert">
                {t('keep.offload.failed')} {failureText(job.error ?? '', job.error_code)}
              </Alert>
            ) : (
              <Group role="status">
                <Loader size="sm" aria-hidden />
                <Text size="sm">{t('keep.offload.planning')}</Text>
              </Group>
            ))}
          {found.status !== 'planning' && <PlanFigures plan={found} />}
          {found.status !== 'planning' && job && (
            <PlainList>
              <JobItem job={job} />
            </PlainList>
          )}
          {found.status !== 'planning' && <PlanMessages accountId={accountId} planId={planId} />}
          <Group>
            {(found.status === 'ready' || found.status === 'stopped') && (
              <ConfirmPlan accountId={accountId} plan={found} />
            )}
            {found.status === 'done' && <Receipt accountId={accountId} planId={planId} />}
            {found.status === 'ready' && <Discard accountId={accountId} planId={planId} onDone={onClose} />}
            <Button variant="default" onClick={onClose}>
              {t('keep.offload.again')}
            </Button>
          </Group>
        </Stack>
      )}
    </QueryView>
  );
}

function PlanFigures({ plan }: { readonly plan: Plan }): ReactNode {
  const { t } = useTranslation();
  const { offloadable, bytes, oldest, newest, blocked, blockedBy, minutes, encrypted, sample } = plan;
  const count = offloadable ?? 0;
  return (
    <Stack gap="xs" role="status">
      <Text fw={600}>
        {count === 0
          ? t('keep.offload.none')
          : t('keep.offload.result', { count, size: formatBytes(bytes ?? 0) })}
        {count > 0 && oldest !== null && newest !== null && (
          <Text span c="dimmed" size="sm">
            {' '}
            {t('keep.offload.dates', { oldest: formatShortDate(oldest), newest: formatShortDate(newest) })}
          </Text>
        )}
      </Text>
      {(blocked ?? 0) > 0 && (
        <div>
          <Text size="sm">{t('keep.offload.stays', { count: blocked ?? 0 })}</Text>
          <List size="sm">
            {Object.entries(blockedBy ?? {}).map(([reason, number]) => (
              <List.Item key={reason}>
                {formatNumber(number)} × {t(`keep.blockedBy.${reasonKey('blockedBy', reason)}`)}
              </List.Item>
            ))}
          </List>
        </div>
      )}
      {(encrypted ?? 0) > 0 && plan.mode === 'strict' && (
        <Text size="sm">{t('keep.offload.encrypted', { count: encrypted ?? 0 })}</Text>
      )}
      {count > 0 && (
        <Text size="sm" c="dimmed">
          {minutes !== null && t('keep.offload.cost', { minutes })}{' '}
          {t('keep.offload.freed', { count: plan.spaceFreedAfterDays })}
        </Text>
      )}
      {sample.length > 0 && (
        <div>
          <Text size="sm">{t('keep.offload.sample')}</Text>
          <List size="sm" c="dimmed">
            {sample.slice(0, 5).map(({ messageId, subject, sender, sizeBytes }) => (
              <List.Item key={messageId}>
                {[subject || t('mail.noSubject'), senderName(sender ?? ''), formatBytes(sizeBytes ?? 0)].join(
                  ' · ',
                )}
              </List.Item>
            ))}
          </List>
        </div>
      )}
    </Stack>
  );
}

function ConfirmPlan({ accountId, plan }: { readonly accountId: string; readonly plan: Plan }): ReactNode {
  const { t } = useTranslation();
  const client = useQueryClient();
  const [asked, setAsked] = useState(false);
  const confirm = useOperation('offload.confirmPlan');
  const { id: planId, digest, offloadable } = plan;
  const count = offloadable ?? 0;
  if (count === 0 || digest === null) return null;
  const start = (): void =>
    confirm.mutate(
      { accountId, planId, body: { digest, count } },
      {
        onSuccess: () => {
          setAsked(false);
          void invalidate(client, ['offload.getPlan', 'offload.listPlans', 'jobs.list']);
        },
        // It may have become too old, or another, in the meantime.
        onError: () => void invalidate(client, ['offload.getPlan']),
      },
    );
  return (
    <>
      <Button color="red" onClick={() => setAsked(true)}>
        {t('keep.offload.move', { count })}
      </Button>
      <Confirm
        opened={asked}
        title={t('keep.offload.confirmTitle', { count })}
        text={t('keep.offload.confirmText')}
        details={<TrashNote accountId={accountId} action={asked ? 'trash' : null} />}
        verb={t('keep.offload.move', { count })}
        destroys
        typed={{ value: `${count}`, label: t('keep.offload.type', { value: `${count}` }) }}
        busy={confirm.isPending}
        error={confirm.error}
        onConfirm={start}
        onClose={() => setAsked(false)}
      />
    </>
  );
}

interface DiscardProps {
  readonly accountId: string;
  readonly planId: string;
  readonly onDone: () => void;
}

function Discard({ accountId, planId, onDone }: DiscardProps): ReactNode {
  const { t } = useTranslation();
  const client = useQueryClient();
  const discard = useOperation('offload.deletePlan');
  const perform = (): void =>
    discard.mutate(
      { accountId, planId },
      {
        onSuccess: () => {
          onDone();
          void invalidate(client, ['offload.listPlans']);
        },
      },
    );
  return (
    <>
      <Button variant="default" loading={discard.isPending} onClick={perform}>
        {t('keep.offload.discard')}
      </Button>
      {discard.error && <ProblemView error={discard.error} />}
    </>
  );
}
