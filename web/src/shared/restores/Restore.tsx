import { Alert, Anchor, Button, Group, List, Loader, Modal, Stack, Text } from '@mantine/core';
import type { Schemas } from '@mailroom/sdk';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { mailroom } from '../../api/client';
import { op, useOperation } from '../../api/op';
import { hasCode } from '../../api/problems';
import { invalidate } from '../../api/query-client';
import { formatBytes, formatDay, formatShortDate } from '../../i18n/format';
import { useJob } from '../../jobs/job-cache';
import { failureText } from '../../jobs/job-failure';
import { JobItem } from '../../jobs/JobItem';
import { passphraseStore, usePassphrase } from '../passphrases/passphrase';
import { PassphraseForm } from '../passphrases/PassphraseForm';
import { PlainList } from '../../ui/PlainList';
import { ProblemView } from '../../ui/ProblemView';
import { QueryView } from '../../ui/QueryView';
import { senderName } from '../../ui/sender';
import { useTargetName } from './restore-target';
import { RestoreItems } from './RestoreItems';

type RestoreOf = Schemas['RestoreResponse'];
type Count = keyof Schemas['RestoreCountsResponse'];

const SAMPLE = 5;
const COUNTS: readonly Count[] = [
  'untrashed',
  'inserted',
  'alreadyThere',
  'sameIdDiffers',
  'tooLarge',
  'encrypted',
  'damaged',
  'failed',
  'waiting',
];

interface RestoreProps {
  readonly accountId: string;
  readonly restoreId: string;
  readonly onClose: () => void;
}

/** A restore from its trial run to its report: what would happen, the start, the job, and what became of each mail. */
export function Restore({ accountId, restoreId, onClose }: RestoreProps): ReactNode {
  const { t } = useTranslation();
  const client = useQueryClient();
  const restore = useQuery(op('restore.getRestore', { accountId, restoreId }));
  const { status, jobId } = restore.data ?? {};
  const job = useJob(jobId ?? null);
  const isEnded = job !== undefined && job.completed_at !== null;
  const isUnderWay = status === 'planning' || status === 'running';
  useEffect(() => {
    // The restore says what its job has found or done.
    if (isEnded && isUnderWay) void invalidate(client, ['restore.getRestore', 'restore.listRestores']);
  }, [client, isEnded, isUnderWay]);
  return (
    <QueryView query={restore}>
      {(found) => (
        <Stack>
          {found.status === 'planning' &&
            (job?.status === 'failed' ? (
              <Alert color="red" role="alert">
                {t('restore.planFailed')} {failureText(job.error ?? '', job.error_code)}
              </Alert>
            ) : (
              <Group role="status">
                <Loader size="sm" aria-hidden />
                <Text size="sm">{t('restore.planning')}</Text>
              </Group>
            ))}
          {found.status === 'ready' && <TrialRun restore={found} />}
          {found.status !== 'planning' && found.status !== 'ready' && (
            <>
              <Outcome restore={found} />
              {job && (
                <PlainList>
                  <JobItem job={job} />
                </PlainList>
              )}
              <RestoreItems accountId={accountId} restoreId={restoreId} />
            </>
          )}
          <Group>
            {(found.status === 'ready' || found.status === 'stopped') && found.mails > 0 && (
              <Start accountId={accountId} restore={found} />
            )}
            {(found.status === 'done' || found.status === 'stopped') && (
              <Anchor
                size="sm"
                href={mailroom.urlOf('restore.downloadRestoreReport', { accountId, restoreId })}
                download={`restore-${restoreId}.ndjson`}
              >
                {t('restore.report')}
              </Anchor>
            )}
            <Button variant="default" onClick={onClose}>
              {t('restore.close')}
            </Button>
          </Group>
        </Stack>
      )}
    </QueryView>
  );
}

function TrialRun({ restore }: { readonly restore: RestoreOf }): ReactNode {
  const { t } = useTranslation();
  const targetName = useTargetName();
  const { mails, bytes, encrypted, tooLarge, labelsToCreate, minutes, expiresAt, sample, completesOn } =
    restore;
  return (
    <Stack gap="xs" role="status">
      <Text fw={600}>
        {mails === 0
          ? t('restore.nothing')
          : t('restore.would', {
              count: mails,
              size: formatBytes(bytes),
              to: t('restore.to', { target: targetName(restore) }),
            })}
      </Text>
      {encrypted > 0 && <Text size="sm">{t('restore.encrypted', { count: encrypted })}</Text>}
      {tooLarge > 0 && <Text size="sm">{t('restore.tooLarge', { count: tooLarge })}</Text>}
      {labelsToCreate.length > 0 && (
        <Text size="sm">{t('restore.labelsToCreate', { labels: labelsToCreate.join(', ') })}</Text>
      )}
      {completesOn !== null && (
        <Text size="sm">{t('forecast.sending', { day: formatDay(completesOn) })}</Text>
      )}
      <Text size="sm" c="dimmed">
        {minutes !== null && t('restore.minutes', { count: minutes })}{' '}
        {t('restore.until', { time: formatShortDate(expiresAt) })}
      </Text>
      {sample.length > 0 && (
        <div>
          <Text size="sm">{t('restore.sample')}</Text>
          <List size="sm" c="dimmed">
            {sample.slice(0, SAMPLE).map(({ mailId, subject, sender, sizeBytes }) => (
              <List.Item key={mailId}>
                {[subject || t('mail.noSubject'), senderName(sender), formatBytes(sizeBytes)].join(' · ')}
              </List.Item>
            ))}
          </List>
        </div>
      )}
    </Stack>
  );
}

function Outcome({ restore }: { readonly restore: RestoreOf }): ReactNode {
  const { t } = useTranslation();
  const targetName = useTargetName();
  const shown = COUNTS.filter((name) => restore.counts[name] > 0);
  return (
    <div role="status">
      <Text fw={600}>
        {t('restore.outcome')} ({t('restore.to', { target: targetName(restore) })})
      </Text>
      <List size="sm">
        {shown.map((name) => (
          <List.Item key={name}>{t(`restore.counts.${name}`, { count: restore.counts[name] })}</List.Item>
        ))}
      </List>
    </div>
  );
}

function Start({
  accountId,
  restore,
}: {
  readonly accountId: string;
  readonly restore: RestoreOf;
}): ReactNode {
  const { t } = useTranslation();
  const client = useQueryClient();
  const passphrase = usePassphrase();
  const [isAsked, setIsAsked] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  // A trial run ends beside the button that does what it has shown: on a long page the button would be out of sight.
  useEffect(() => button.current?.focus(), []);
  const start = useOperation('restore.startRestore');
  const perform = (phrase: string | null): void =>
    start.mutate(
      { accountId, restoreId: restore.id, archivePassphrase: phrase ?? undefined },
      {
        onSuccess: () => {
          setIsAsked(false);
          passphraseStore.used();
          void invalidate(client, ['restore.getRestore', 'restore.listRestores', 'jobs.list']);
        },
        onError: (error) => {
          if (hasCode(error, 'passphrase-invalid')) passphraseStore.forget();
          if (hasCode(error, 'passphrase-invalid') || hasCode(error, 'mails-encrypted')) setIsAsked(true);
          // It may have expired, or be running in another tab.
          else void invalidate(client, ['restore.getRestore']);
        },
      },
    );
  const isWrong = hasCode(start.error, 'passphrase-invalid');
  const verb =
    restore.status === 'stopped' ? t('restore.goOn') : t('restore.start', { count: restore.mails });
  return (
    <>
      <Button
        ref={button}
        loading={start.isPending}
        onClick={() =>
          restore.encrypted > 0 && passphrase === null ? setIsAsked(true) : perform(passphrase)
        }
      >
        {verb}
      </Button>
      {start.error && !isAsked && <ProblemView error={start.error} />}
      <Modal opened={isAsked} onClose={() => setIsAsked(false)} title={verb}>
        <PassphraseForm wasWrong={isWrong} verb={verb} onTyped={perform} />
      </Modal>
    </>
  );
}
