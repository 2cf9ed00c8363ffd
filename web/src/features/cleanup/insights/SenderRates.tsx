import { Progress, SegmentedControl, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { op } from '../../../api/op';
import { formatBytes, formatNumber, formatPercent } from '../../../i18n/format';
import { ChartTable } from '../../../ui/ChartTable';
import { EmptyState } from '../../../ui/EmptyState';
import { MailboxRow } from '../../../shared/mailbox-links/MailboxRow';
import { PlainList } from '../../../ui/PlainList';
import { QueryView } from '../../../ui/QueryView';
import { Section } from '../../../ui/Section';
import { senderName, senderSearch, senderText } from '../../../ui/sender';
import { sortScores, RATED_FROM, SENDER_ORDERS } from './sender-order';

const SHOWN = 10;
/** A longer table would not be read. */
const IN_TABLE = 100;

/** Senders with the number of their messages, and the share that is read. */
export function SenderRates({ accountId }: { readonly accountId: string }): ReactNode {
  const { t } = useTranslation();
  const { by = 'volume' } = useSearch({ from: '/signed-in/a/$accountId/insights' });
  const navigate = useNavigate({ from: '/a/$accountId/insights' });
  const scores = useQuery(op('analytics.getSenderScores', { accountId }));
  return (
    <Section title={t('insights.senders')}>
      <SegmentedControl
        size="xs"
        mb="xs"
        aria-label={t('insights.sendersOrder')}
        value={by}
        onChange={(order) =>
          void navigate({
            search: { by: order === 'read' || order === 'clutter' ? order : undefined },
            replace: true,
            resetScroll: false,
          })
        }
        data={SENDER_ORDERS.map((value) => ({ value, label: t(`insights.orders.${value}`) }))}
      />
      <QueryView
        query={scores}
        empty={{
          when: (all) => sortScores(all, by).length === 0,
          show: <EmptyState text={t('insights.noMail')} />,
        }}
      >
        {(all) => (
          <Stack gap="xs">
            {by !== 'volume' && (
              <Text size="xs" c="dimmed">
                {by === 'clutter' ? t('insights.clutterHelp') : t('insights.readHelp', { count: RATED_FROM })}
              </Text>
            )}
            <PlainList gap="xs" component="ol">
              {sortScores(all, by)
                .slice(0, SHOWN)
                .map(({ sender, emailCount, readRate, clutterScore }) => (
                  <MailboxRow
                    key={sender}
                    accountId={accountId}
                    q={senderSearch(sender)}
                    title={senderName(sender)}
                    size={t('insights.messageCount', { count: emailCount })}
                    facts={[
                      t('insights.readOf', { share: formatPercent(readRate) }),
                      t('insights.clutterOf', { score: clutterScore }),
                    ]}
                  >
                    <Progress
                      value={by === 'clutter' ? clutterScore : readRate * 100}
                      size="xs"
                      aria-hidden
                    />
                  </MailboxRow>
                ))}
            </PlainList>
            <ChartTable
              title={t('insights.senders')}
              heads={[
                t('insights.sender'),
                t('insights.messages'),
                t('insights.readRate'),
                t('insights.size'),
                t('insights.clutter'),
              ]}
              rows={sortScores(all, by)
                .slice(0, IN_TABLE)
                .map(({ sender, emailCount, readRate, totalSizeBytes, clutterScore }) => ({
                  key: sender,
                  cells: [
                    senderText(sender),
                    formatNumber(emailCount),
                    formatPercent(readRate),
                    formatBytes(totalSizeBytes),
                    formatNumber(clutterScore),
                  ],
                }))}
            />
          </Stack>
        )}
      </QueryView>
    </Section>
  );
}
