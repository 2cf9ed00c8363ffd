import { Paper, Progress, Stack, Text, Title } from '@mantine/core';
import type { Schemas } from '@mailroom/sdk';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { formatBytes } from '../../i18n/format';
import { MailboxRow } from '../../ui/MailboxRow';
import { senderName, senderSearch } from '../../ui/sender';

const SHOWN = 10;

interface TopSendersProps {
  readonly accountId: string;
  readonly senders: readonly Schemas['SenderCountResponse'][];
  /** Messages the figures are from. */
  readonly sample: number;
}

/** Who sends most of what is in the mailbox; each leads to their messages. */
export function TopSenders({ accountId, senders, sample }: TopSendersProps): ReactNode {
  const { t } = useTranslation();
  const most = Math.max(1, ...senders.map(({ count }) => count));
  return (
    <Paper withBorder p="md">
      <Title order={2} size="h4">
        {t('overview.senders')}
      </Title>
      <Text size="xs" c="dimmed" mb="sm">
        {t('overview.sampleOf', { count: sample })}
      </Text>
      <Stack gap="xs" component="ol" m={0} p={0} style={{ listStyle: 'none' }}>
        {senders.slice(0, SHOWN).map(({ sender, count, sizeBytes }) => (
          <MailboxRow
            key={sender}
            accountId={accountId}
            q={senderSearch(sender)}
            title={senderName(sender)}
            size={t('overview.senderCount', { count })}
            facts={[formatBytes(sizeBytes)]}
          >
            <Progress value={(count / most) * 100} size="xs" aria-hidden />
          </MailboxRow>
        ))}
      </Stack>
    </Paper>
  );
}
