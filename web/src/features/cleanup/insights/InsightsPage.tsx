import { Stack, Text } from '@mantine/core';
import { useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { IndexProgress } from '../../../jobs/IndexProgress';
import { Page } from '../../../ui/Page';
import { Heatmap } from './Heatmap';
import { InboxZero } from './InboxZero';
import { Labels } from './Labels';
import { Months } from './Months';
import { ProviderQuota } from './ProviderQuota';
import { SenderRates } from './SenderRates';
import { CardGrid } from '../../../ui/Grids';

/** Figures of a mailbox over time; each chart has a table with the same. */
export function InsightsPage(): ReactNode {
  const { t } = useTranslation();
  const { accountId } = useParams({ from: '/signed-in/a/$accountId/insights' });
  return (
    <Page title={t('insights.title')}>
      <Text c="dimmed">{t('insights.intro')}</Text>
      <IndexProgress accountId={accountId} />
      <CardGrid cols={{ base: 1, lg: 2 }}>
        <Stack miw={0}>
          <Heatmap accountId={accountId} />
          <Months accountId={accountId} />
          <SenderRates accountId={accountId} />
        </Stack>
        <Stack miw={0}>
          <InboxZero accountId={accountId} />
          <Labels accountId={accountId} />
          <ProviderQuota accountId={accountId} />
        </Stack>
      </CardGrid>
    </Page>
  );
}
