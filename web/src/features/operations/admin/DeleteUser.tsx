import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useOperation } from '../../../api/op';
import { invalidate } from '../../../api/query-client';
import { showStarted } from '../../../jobs/job-toast';
import { Confirm } from '../../../ui/Confirm';

interface DeleteUserProps {
  readonly userId: string;
  readonly email: string;
}

/** Deletes a user, once their address has been typed. */
export function DeleteUser({ userId, email }: DeleteUserProps): ReactNode {
  const { t } = useTranslation();
  const client = useQueryClient();
  const [isAsked, setIsAsked] = useState(false);
  const remove = useOperation('admin.deleteUser');
  const confirm = (): void =>
    remove.mutate(
      { userId },
      {
        onSuccess: ({ jobId }) => {
          setIsAsked(false);
          showStarted(jobId, t('admin.deleting', { email }));
          void invalidate(client, ['admin.listUsers', 'admin.getStats']);
        },
      },
    );
  return (
    <>
      <Button size="xs" variant="default" onClick={() => setIsAsked(true)}>
        {t('admin.delete')}
      </Button>
      <Confirm
        opened={isAsked}
        title={t('admin.deleteTitle', { email })}
        text={t('admin.deleteText')}
        verb={t('admin.delete')}
        destroys
        typed={{ value: email, label: t('admin.type', { email }) }}
        busy={remove.isPending}
        error={remove.error}
        onConfirm={confirm}
        onClose={() => setIsAsked(false)}
      />
    </>
  );
}
