import { Group, Paper, Progress, Stack, Text, Title } from '@mantine/core';
import type { Schemas } from '@mailroom/sdk';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { formatBytes, formatNumber } from '../../i18n/format';

const SHOWN = 10;

interface TopSendersProps {
  readonly senders: readonly Schemas['SenderCountResponse'][];
  /** Messages the figures are from. */
  readonly sample: number;
}

/** Who sends most of what is in the mailbox. */
export function TopSenders({ senders, sample }: TopSendersProps): ReactNode {
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
          <li key={sender}>
            <Group justify="space-between" wrap="nowrap" gap="xs">
              <Text size="sm" truncate title={sender}>
                {sender}
              </Text>
              <Text size="sm" c="dimmed" style={{ whiteSpace: 'nowrap' }}>
                {formatNumber(count)} · {formatBytes(sizeBytes)}
              </Text>
            </Group>
            <Progress
              value={(count / most) * 100}
              size="xs"
              aria-label={t('overview.senderCount', { count })}
            />
          </li>
        ))}
      </Stack>
    </Paper>
  );
}
