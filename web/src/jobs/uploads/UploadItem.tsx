import { Button, Group, Progress, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useRef, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { formatBytes, formatDuration } from '../../i18n/format';
import { toProblem } from '../../api/problems';
import { ProblemView } from '../../ui/ProblemView';
import { problemText } from '../../ui/problem-text';
import { rateOf } from '../rate';
import { uploads, type Upload } from './upload-store';
import { StatusBadge } from '../StatusBadge';

const COLORS: Readonly<Record<Upload['status'], string>> = {
  queued: 'gray',
  running: 'blue',
  waiting: 'yellow',
  paused: 'gray',
  failed: 'red',
  refused: 'red',
};

/** Action of the first button of an upload, by its state. */
const PAUSING = {
  queued: 'transfer.pause',
  running: 'transfer.pause',
  waiting: 'transfer.pause',
  paused: 'transfer.resume',
  failed: 'common.retry',
} as const;

interface UploadItemProps {
  readonly upload: Upload;
  /** The most bytes that the service takes. */
  readonly most: number | undefined;
}

/** A file on its way: how far it is, what went wrong, and what can be done about it. */
export function UploadItem({ upload, most }: UploadItemProps): ReactNode {
  const { t } = useTranslation();
  const { filename, status, refusal, error } = upload;
  return (
    <Stack component="li" gap={4} data-upload={status}>
      <Group justify="space-between" wrap="nowrap">
        <Text size="sm" fw={600} truncate title={filename}>
          {filename}
        </Text>
        <StatusBadge color={COLORS[status]}>{t(`transfer.status.${status}`)}</StatusBadge>
      </Group>
      {refusal === null ? (
        <UploadProgress upload={upload} />
      ) : (
        <Text size="sm" c="red">
          {t(`transfer.refused.${refusal}`, { limit: formatBytes(most ?? 0) })}
        </Text>
      )}
      {status === 'waiting' && <Text size="xs">{problemText(toProblem(error))}</Text>}
      {status === 'failed' && <ProblemView error={error} />}
      <UploadActions upload={upload} />
    </Stack>
  );
}

function UploadProgress({ upload }: { readonly upload: Upload }): ReactNode {
  const { t } = useTranslation();
  const { filename, sent, size, since, status } = upload;
  const rate =
    since && status === 'running' ? rateOf(since, { at: Date.now(), processed: sent }, size) : null;
  return (
    <>
      <Progress value={(sent / Math.max(1, size)) * 100} size="sm" aria-label={filename} />
      <Text size="xs" c="dimmed">
        {t('transfer.sent', { sent: formatBytes(sent), size: formatBytes(size) })}
        {rate && ` · ${t('transfer.rate', { rate: formatBytes(rate.perSecond) })}`}
        {rate && ` · ${t('jobs.remaining', { time: formatDuration(rate.secondsLeft) })}`}
      </Text>
    </>
  );
}

function UploadActions({ upload }: { readonly upload: Upload }): ReactNode {
  const { t } = useTranslation();
  const [question, setQuestion] = useState<'none' | 'asked' | 'kept'>('none');
  const first = useRef<HTMLButtonElement>(null);
  const cancel = useMutation({ mutationFn: () => uploads.cancel(upload.id) });
  const { id, status, sent } = upload;
  if (question === 'asked')
    return (
      <DiscardQuestion
        sent={sent}
        busy={cancel.isPending}
        error={cancel.error}
        onDiscard={() => cancel.mutate()}
        onKeep={() => setQuestion('kept')}
      />
    );
  // Nothing is lost with a file of which nothing was sent.
  const leave = (): void => (sent > 0 ? setQuestion('asked') : cancel.mutate());
  const isPausable = status === 'running' || status === 'waiting' || status === 'queued';
  return (
    <Group gap="xs">
      {/* One button, which keeps the focus when it says something else. */}
      {status !== 'refused' && (
        <Button
          ref={first}
          size="compact-xs"
          variant="default"
          onClick={() => (isPausable ? uploads.pause(id) : uploads.goOn(id))}
        >
          {t(PAUSING[status])}
        </Button>
      )}
      {status === 'waiting' && (
        <Button
          size="compact-xs"
          variant="default"
          onClick={() => {
            // This button goes: the focus stays beside it.
            first.current?.focus();
            uploads.goOn(id);
          }}
        >
          {t('transfer.tryNow')}
        </Button>
      )}
      <Button size="compact-xs" variant="default" autoFocus={question === 'kept'} onClick={leave}>
        {t(status === 'refused' ? 'transfer.hide' : 'common.cancel')}
      </Button>
    </Group>
  );
}

interface DiscardQuestionProps {
  readonly sent: number;
  readonly busy: boolean;
  readonly error: unknown;
  readonly onDiscard: () => void;
  readonly onKeep: () => void;
}

/** Within the list: a dialog would close the tray. */
export function DiscardQuestion({ sent, busy, error, onDiscard, onKeep }: DiscardQuestionProps): ReactNode {
  const { t } = useTranslation();
  return (
    <Stack gap={4} role="group" aria-label={t('transfer.discardQuestion', { sent: formatBytes(sent) })}>
      <Text size="xs">{t('transfer.discardQuestion', { sent: formatBytes(sent) })}</Text>
      <Group gap="xs">
        <Button size="compact-xs" color="red" loading={busy} onClick={onDiscard}>
          {t('transfer.discard')}
        </Button>
        <Button size="compact-xs" variant="default" autoFocus onClick={onKeep}>
          {t('transfer.keep')}
        </Button>
      </Group>
      {error !== null && <ProblemView error={error} />}
    </Stack>
  );
}
