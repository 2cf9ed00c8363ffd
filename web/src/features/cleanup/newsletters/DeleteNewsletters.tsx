import { Checkbox, Stack, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { op, useOperation } from '../../../api/op';
import { invalidate } from '../../../api/query-client';
import { showStarted } from '../../../jobs/job-toast';
import { Confirm } from '../../../ui/Confirm';
import { QueryView } from '../../../ui/QueryView';
import { senderName } from '../../../ui/sender';
import { TrashNote } from '../../../shared/trash/TrashNote';
import type { Newsletter } from './newsletter';

interface DeleteNewslettersProps {
  readonly accountId: string;
  readonly newsletter: Newsletter;
  /** null while nothing is asked. */
  readonly action: 'trash' | 'delete' | null;
  readonly onClose: () => void;
}

/** Marks of messages that people seldom want to lose. */
const MARKED = ['starred', 'important'] as const;

/** Asks with the present numbers before the newsletters of a sender are moved to the trash or deleted. */
export function DeleteNewsletters({
  accountId,
  newsletter,
  action,
  onClose,
}: DeleteNewslettersProps): ReactNode {
  const { t } = useTranslation();
  const client = useQueryClient();
  const { email: senderEmail } = newsletter;
  const sender = senderName(newsletter.sender);
  const messages = useQuery({
    ...op('newsletters.listMessages', { accountId, senderEmail }),
    enabled: action !== null,
    staleTime: 0,
  });
  const remove = useOperation('newsletters.delete');
  const [wantsMarked, setWantsMarked] = useState(false);
  const { count: all = newsletter.count, unmarkedCount: unmarked = all } = messages.data ?? {};
  const leavesOut = unmarked < all && !wantsMarked;
  const count = leavesOut ? unmarked : all;
  const close = (): void => {
    setWantsMarked(false);
    onClose();
  };
  const verb = action ?? 'trash';
  const start = (): void =>
    remove.mutate(
      {
        accountId,
        senderEmail,
        body: { permanent: action === 'delete', ...(!wantsMarked && { leaveOut: [...MARKED] }) },
      },
      {
        onSuccess: ({ jobId }) => {
          close();
          if (jobId !== null) showStarted(jobId, t('newsletters.started', { sender }));
          void invalidate(client, ['jobs.list', 'newsletters.list']);
        },
      },
    );
  return (
    <Confirm
      opened={action !== null}
      title={t(`newsletters.${verb}Title`, { count, sender })}
      text={t(`newsletters.${verb}Text`)}
      details={
        <Stack gap="xs">
          <TrashNote accountId={accountId} action={action} />
          <QueryView query={messages}>
            {({ starredCount: starred, importantCount: important }) =>
              unmarked < all ? (
                <Checkbox
                  label={t('newsletters.leaveOut')}
                  description={t('newsletters.marks', { starred, important })}
                  checked={leavesOut}
                  onChange={(event) => setWantsMarked(!event.currentTarget.checked)}
                />
              ) : (
                <Text size="sm" role="status">
                  {t('newsletters.noMarks')}
                </Text>
              )
            }
          </QueryView>
        </Stack>
      }
      verb={t(`newsletters.${verb}Verb`, { count })}
      destroys
      typed={action === 'delete' ? { value: `${count}`, label: t('newsletters.type', { count }) } : undefined}
      ready={messages.data !== undefined && count > 0}
      busy={remove.isPending}
      error={remove.error}
      onConfirm={start}
      onClose={close}
    />
  );
}
