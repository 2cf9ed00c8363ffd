import { Checkbox, Table } from '@mantine/core';
import type { Schemas } from '@mailroom/sdk';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../api/client';
import { listAll } from '../../../api/list-all';
import { op } from '../../../api/op';
import { ProblemView } from '../../../ui/ProblemView';
import { QueryView } from '../../../ui/QueryView';

type Preferences = Schemas['PreferencesResponse'];

const KINDS = listAll<Schemas['NotificationType']>({
  job_completed: true,
  job_failed: true,
  rule_executed: true,
  quota_warning: true,
  integrity_alert: true,
  weekly_report: true,
});

/** Which events are noted in the list, and which are also shown at once. Saved as they are ticked. */
export function NotificationPreferences(): ReactNode {
  const { t } = useTranslation();
  const preferences = useQuery(op('notifications.getPreferences'));
  const change = useChange();
  return (
    <>
      {change.error && <ProblemView error={change.error} />}
      <QueryView query={preferences}>
        {(now) => (
          <Table aria-label={t('notifications.preferences')}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{t('notifications.event')}</Table.Th>
                <Table.Th>{t('notifications.inList')}</Table.Th>
                <Table.Th>{t('notifications.atOnce')}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {KINDS.map((kind) => (
                <Table.Tr key={kind}>
                  <Table.Th scope="row" fw={400}>
                    {t(`notifications.kinds.${kind}`)}
                  </Table.Th>
                  {([kind, `${kind}_toast`] as const).map((name) => (
                    <Table.Td key={name}>
                      <Checkbox
                        aria-label={t('common.named', {
                          what: t(`notifications.kinds.${kind}`),
                          name: t(name === kind ? 'notifications.inList' : 'notifications.atOnce'),
                        })}
                        checked={now[name]}
                        onChange={(event) => change.mutate({ [name]: event.currentTarget.checked })}
                      />
                    </Table.Td>
                  ))}
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        )}
      </QueryView>
    </>
  );
}

/** Shown at once, and taken back if the service refuses. */
function useChange() {
  const client = useQueryClient();
  const { queryKey } = op('notifications.getPreferences');
  return useMutation({
    mutationFn: (body: Partial<Preferences>) => call('notifications.updatePreferences', { body }),
    onMutate: async (changes) => {
      await client.cancelQueries({ queryKey });
      const before = client.getQueryData(queryKey);
      client.setQueryData(queryKey, (now) => now && { ...now, ...changes });
      return before;
    },
    onError: (_error, _changes, before) => client.setQueryData(queryKey, before),
  });
}
