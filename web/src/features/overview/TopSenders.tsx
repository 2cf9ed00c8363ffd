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
  /** Messages that were counted. */
  readonly count: number;
  /** Whether the mailbox has no others; the end of the job that indexes it brings the rest. */
  readonly isAll: boolean;
}

/** Who sends most of what is in the mailbox; each leads to their messages. */
export function TopSenders({ accountId, senders, count: counted, isAll }: TopSendersProps): ReactNode {
  const { t } = useTranslation();
  const most = Math.max(1, ...senders.map(({ count }) => count));
  return (
    <Paper withBorder p="md">
      <Title order={2} size="h4">
        {t('overview.senders')}
      </Title>
      <Text size="xs" c="dimmed" mb="sm">
        {t(isAll ? 'overview.fromAll' : 'overview.fromKnown', { count: counted })}
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
