import { SimpleGrid, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { op } from '../../api/op';
import { IndexProgress } from '../../jobs/IndexProgress';
import { EmptyState } from '../../ui/EmptyState';
import { Page } from '../../ui/Page';
import { QueryView } from '../../ui/QueryView';
import { BiggestMails } from './BiggestMails';
import { Figures } from './Figures';
import { NextSteps } from './NextSteps';
import { TopSenders } from './TopSenders';

/** The first look at a mailbox: what is in it, who fills it, and what to do next. */
export function OverviewPage(): ReactNode {
  const { t } = useTranslation();
  const { accountId } = useParams({ from: '/signed-in/a/$accountId/overview' });
  const stats = useQuery(op('dashboard.getMailboxStats', { accountId, scope: 'all' }));
  return (
    <Page title={t('overview.title')}>
      <Stack>
        <IndexProgress accountId={accountId} />
        <Figures accountId={accountId} />
        <NextSteps accountId={accountId} />
        <QueryView
          query={stats}
          empty={{
            when: (read) => read.totalMessages === 0,
            show: <EmptyState text={t('overview.empty')} />,
          }}
        >
          {(read) => (
            <SimpleGrid cols={{ base: 1, lg: 2 }}>
              <TopSenders
                accountId={accountId}
                senders={read.bySender}
                count={read.totalMessages}
                isAll={read.coverage?.complete === true}
              />
              <BiggestMails accountId={accountId} mails={read.biggestMails} />
            </SimpleGrid>
          )}
        </QueryView>
      </Stack>
    </Page>
  );
}
