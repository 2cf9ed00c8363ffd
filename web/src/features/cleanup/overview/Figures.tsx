import { Paper, SimpleGrid, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { op } from '../../../api/op';
import { formatNumber } from '../../../i18n/format';
import { QueryView } from '../../../ui/QueryView';

/** Figures of the mailbox: exact, from the provider's own counts, and available at once. */
export function Figures({ accountId }: { readonly accountId: string }): ReactNode {
  const { t } = useTranslation();
  const profile = useQuery(op('mailbox.getProfile', { accountId }));
  const labels = useQuery(op('mailbox.listLabels', { accountId }));
  const archive = useQuery(op('dashboard.getArchiveStats', { accountId }));
  const inbox = labels.data?.find(({ id }) => id === 'INBOX');
  return (
    <QueryView query={profile}>
      {({ messagesTotal }) => (
        <SimpleGrid cols={{ base: 2, md: 4 }}>
          <Figure name={t('overview.inbox')} value={inbox?.messagesTotal} />
          <Figure name={t('overview.unread')} value={inbox?.messagesUnread} />
          <Figure name={t('overview.messages')} value={messagesTotal} />
          <Figure name={t('overview.archived')} value={archive.data?.total_mails} />
        </SimpleGrid>
      )}
    </QueryView>
  );
}

const UNKNOWN = '–';

function Figure({
  name,
  value,
}: {
  readonly name: string;
  readonly value: number | null | undefined;
}): ReactNode {
  return (
    <Paper withBorder p="md">
      <Text size="sm" c="dimmed">
        {name}
      </Text>
      <Text size="xl" fw={700}>
        {value === null || value === undefined ? UNKNOWN : formatNumber(value)}
      </Text>
    </Paper>
  );
}
