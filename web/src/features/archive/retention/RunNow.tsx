import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useOperation } from '../../../api/op';
import { invalidate } from '../../../api/query-client';
import { Confirm } from '../../../ui/Confirm';

/** Runs all policies that are on, without waiting for the night. */
export function RunNow(): ReactNode {
  const { t } = useTranslation();
  const client = useQueryClient();
  const [isAsked, setIsAsked] = useState(false);
  const run = useOperation('retention.run');
  return (
    <>
      <Button variant="default" onClick={() => setIsAsked(true)}>
        {t('retention.run')}
      </Button>
      <Confirm
        opened={isAsked}
        title={t('retention.runTitle')}
        text={t('retention.runText')}
        verb={t('retention.run')}
        destroys
        busy={run.isPending}
        error={run.error}
        onConfirm={() =>
          run.mutate(
            {},
            {
              onSuccess: ({ totalDeleted, warnings }) => {
                setIsAsked(false);
                notifications.show({ message: t('retention.ranNow', { count: totalDeleted }) });
                for (const { policyId, accountId, message } of warnings)
                  notifications.show({ id: `${policyId} ${accountId}`, color: 'yellow', message });
                void invalidate(client, ['retention.list', 'archive.listMails', 'dashboard.getArchiveStats']);
              },
            },
          )
        }
        onClose={() => setIsAsked(false)}
      />
    </>
  );
}
