import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconTrash } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useOperation } from '../../../api/op';
import { hasCode } from '../../../api/problems';
import { invalidate } from '../../../api/query-client';
import { Confirm } from '../../../ui/Confirm';
import type { ChosenMails } from './chosen-mails';

/** Largest number of mails of one deletion. */
const MOST = 50_000;

interface DeleteMailsProps {
  readonly accountId: string;
  readonly label: string;
  readonly chosen: ChosenMails;
  readonly onStarted: () => void;
  /** Some of what was chosen is no longer there. */
  readonly onGone: () => void;
}

/** Deletes mails of the archive for good, after their number was typed: the number that was shown is what is deleted. */
export function DeleteMails({ accountId, label, chosen, onStarted, onGone }: DeleteMailsProps): ReactNode {
  const { t } = useTranslation();
  const client = useQueryClient();
  const [isAsked, setIsAsked] = useState(false);
  const remove = useOperation('archive.deleteMails');
  const { count, body } = chosen;
  const close = (): void => {
    setIsAsked(false);
    remove.reset();
  };
  const start = (): void =>
    remove.mutate(
      { accountId, body: { ...body, confirmedCount: count } },
      {
        onSuccess: () => {
          close();
          notifications.show({ message: t('archive.deleting', { count }) });
          void invalidate(client, ['jobs.list']);
          onStarted();
        },
        onError: (error) => {
          const isGone = hasCode(error, 'mail-not-found');
          if (!isGone && !hasCode(error, 'count-mismatch')) return;
          // The list was old: counted anew, the question has the right number.
          void invalidate(client, ['archive.listMails', 'archive.listThreads', 'archive.getFacets']);
          if (!isGone) return;
          close();
          onGone();
          notifications.show({ color: 'red', message: t('archive.gone') });
        },
      },
    );
  return (
    <>
      <Button
        size="xs"
        color="red"
        variant="light"
        disabled={count > MOST}
        title={count > MOST ? t('archive.tooMany', { count: MOST }) : undefined}
        leftSection={<IconTrash size={14} aria-hidden />}
        onClick={() => setIsAsked(true)}
      >
        {label}
      </Button>
      <Confirm
        opened={isAsked}
        title={t('archive.confirm.title', { count })}
        text={t('archive.confirm.text')}
        verb={t('archive.confirm.verb', { count })}
        typed={{
          value: String(count),
          label: t('archive.confirm.typed', { number: String(count) }),
        }}
        destroys
        busy={remove.isPending}
        error={remove.error}
        onConfirm={start}
        onClose={close}
      />
    </>
  );
}
