import { Progress, Text } from '@mantine/core';
import type { Schemas } from '@mailroom/sdk';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { formatBytes } from '../../../i18n/format';
import { MailboxRow } from '../../../shared/mailbox-links/MailboxRow';
import { PlainList } from '../../../ui/PlainList';
import { Section } from '../../../ui/Section';
import { senderName, senderSearch } from '../../../ui/sender';

const SHOWN = 10;

interface TopSendersProps {
  readonly accountId: string;
  readonly senders: readonly Schemas['SenderCountResponse'][];
  /** Part of the mailbox that was counted; the end of the job that indexes it brings the rest. */
  readonly coverage: Schemas['StatsCoverageResponse'] | undefined;
}

/** Senders of the most messages, each with a link to them. */
export function TopSenders({ accountId, senders, coverage }: TopSendersProps): ReactNode {
  const { t } = useTranslation();
  const most = Math.max(1, ...senders.map(({ count }) => count));
  return (
    <Section title={t('overviewDetails.senders')}>
      {coverage && (
        <Text size="xs" c="dimmed" mb="sm">
          {t(coverage.complete ? 'overviewDetails.fromAll' : 'overviewDetails.fromKnown', {
            count: coverage.indexed,
            total: coverage.total,
          })}
        </Text>
      )}
      <PlainList gap="xs" component="ol">
        {senders.slice(0, SHOWN).map(({ sender, count, sizeBytes }) => (
          <MailboxRow
            key={sender}
            accountId={accountId}
            q={senderSearch(sender)}
            title={senderName(sender)}
            size={t('overviewDetails.senderCount', { count })}
            facts={[formatBytes(sizeBytes)]}
          >
            <Progress value={(count / most) * 100} size="xs" aria-hidden />
          </MailboxRow>
        ))}
      </PlainList>
    </Section>
  );
}
