import { Button, FileButton, Group, Progress, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useOperation } from '../../api/op';
import { invalidate } from '../../api/query-client';
import { formatBytes, formatFullDate, formatShortDate } from '../../i18n/format';
import { isBundle, isSameFile, type Interrupted } from './interrupted';
import { DiscardQuestion } from './UploadItem';
import { uploads } from './upload-store';
import { StatusBadge } from '../StatusBadge';

interface InterruptedItemProps {
  readonly accountId: string;
  readonly upload: Interrupted;
}

/** An upload that the page has no file for, as after a reload: the same file is chosen again, and it goes on. */
export function InterruptedItem({ accountId, upload }: InterruptedItemProps): ReactNode {
  const { t } = useTranslation();
  const { filename, size, offset, isElsewhere } = upload;
  return (
    <Stack component="li" gap={4} data-upload="interrupted">
      <Group justify="space-between" wrap="nowrap">
        <Text size="sm" fw={600} truncate title={filename}>
          {filename}
        </Text>
        <StatusBadge color={isElsewhere ? 'blue' : 'orange'}>
          {t(isElsewhere ? 'transfer.elsewhere' : 'transfer.interrupted')}
        </StatusBadge>
      </Group>
      <Progress value={(offset / size) * 100} size="sm" aria-label={filename} />
      <Text size="xs" c="dimmed">
        {t('transfer.sent', { sent: formatBytes(offset), size: formatBytes(size) })}
      </Text>
      {isElsewhere ? (
        <Text size="sm">{t('transfer.elsewhereText')}</Text>
      ) : (
        <ChooseAgain accountId={accountId} upload={upload} />
      )}
    </Stack>
  );
}

function ChooseAgain({ accountId, upload }: InterruptedItemProps): ReactNode {
  const { t } = useTranslation();
  const client = useQueryClient();
  const [question, setQuestion] = useState<'none' | 'asked' | 'kept'>('none');
  const [other, setOther] = useState<string | null>(null);
  const discard = useOperation('import.deleteUpload');
  const { id, filename, size, offset, expires_at: until } = upload;
  const choose = (file: File | null): void => {
    if (!file) return;
    setOther(isSameFile(upload, file) ? null : file.name);
    if (isSameFile(upload, file)) uploads.resume(accountId, upload, file);
  };
  const drop = (): void =>
    discard.mutate(
      { accountId, uploadId: id },
      { onSettled: () => void invalidate(client, ['import.listUploads']) },
    );
  if (question === 'asked')
    return (
      <DiscardQuestion
        sent={offset}
        busy={discard.isPending}
        error={discard.error}
        onDiscard={drop}
        onKeep={() => setQuestion('kept')}
      />
    );
  return (
    <>
      <Text size="sm">
        {t(isBundle(filename) ? 'transfer.chooseBundleAgainText' : 'transfer.chooseAgainText')}{' '}
        <span title={formatFullDate(until)}>{t('transfer.keptUntil', { time: formatShortDate(until) })}</span>
      </Text>
      {other !== null && (
        <Text size="sm" c="red" role="alert">
          {t('transfer.otherFile', { other, filename, size: formatBytes(size) })}
        </Text>
      )}
      <Group gap="xs">
        {!isBundle(filename) && (
          <FileButton onChange={choose}>
            {(props) => (
              <Button size="compact-xs" variant="default" {...props}>
                {t('transfer.chooseAgain')}
              </Button>
            )}
          </FileButton>
        )}
        <Button
          size="compact-xs"
          variant="default"
          autoFocus={question === 'kept'}
          onClick={() => setQuestion('asked')}
        >
          {t('common.cancel')}
        </Button>
      </Group>
    </>
  );
}
