import { Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { op } from '../../../api/op';
import { timeZone } from '../../../i18n/format';
import { EmptyState } from '../../../ui/EmptyState';
import { Loading } from '../../../ui/Loading';
import { MonthsChart } from '../MonthsChart';
import { QueryView } from '../../../ui/QueryView';
import { Section } from '../../../ui/Section';
import { Suggestions } from '../../../shared/suggestions/Suggestions';
import { BiggestMails } from './BiggestMails';
import { TopSenders } from './TopSenders';
import { CardGrid } from '../../../ui/Grids';

const MONTHS = 24;
const SUGGESTIONS = 5;

/** Senders, months, labels and suggestions of the mailbox, from all messages that are indexed so far. */
export function OverviewDetails({ accountId }: { readonly accountId: string }): ReactNode {
  const { t } = useTranslation();
  const stats = useQuery(op('dashboard.getMailboxStats', { accountId, scope: 'all', tz: timeZone() }));
  return (
    <QueryView
      query={stats}
      loading={<Loading lines={12} />}
      empty={{
        when: (read) => read.totalMessages === 0,
        show: <EmptyState text={t('home.empty')} />,
      }}
    >
      {(read) => (
        <CardGrid cols={{ base: 1, lg: 2 }}>
          <Stack miw={0}>
            <TopSenders accountId={accountId} senders={read.bySender} coverage={read.coverage} />
            <Section title={t('overviewDetails.months')}>
              <MonthsChart
                accountId={accountId}
                title={t('overviewDetails.months')}
                months={read.timeline}
                shown={MONTHS}
              />
            </Section>
          </Stack>
          <Stack miw={0}>
            <Suggestions accountId={accountId} shown={SUGGESTIONS} />
            <BiggestMails accountId={accountId} mails={read.biggestMails} />
          </Stack>
        </CardGrid>
      )}
    </QueryView>
  );
}
