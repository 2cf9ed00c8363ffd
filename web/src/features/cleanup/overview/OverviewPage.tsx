import { Stack } from '@mantine/core';
import { useParams } from '@tanstack/react-router';
import { Suspense, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { IndexProgress } from '../../../jobs/IndexProgress';
import { Loading } from '../../../ui/Loading';
import { Page } from '../../../ui/Page';
import { pageComponent } from '../../../ui/page-component';
import { Figures } from './Figures';
import { NextSteps } from './NextSteps';

/** Details take long to count, so that their code is loaded later as well. */
const OverviewDetails = pageComponent(
  () => import('./OverviewDetails'),
  'OverviewDetails',
  'overviewDetails',
  'suggestions',
  'charts',
);
const load = (): void => void OverviewDetails.preload?.();
// With the page itself, also when that is loaded ahead.
load();

/** The first look at a mailbox: what is in it, who fills it, and what to do next. */
export function OverviewPage(): ReactNode {
  const { t } = useTranslation();
  // Loading is repeated when the page comes back after it could not be loaded.
  useState(load);
  const { accountId } = useParams({ from: '/signed-in/a/$accountId/overview' });
  return (
    <Page title={t('overview.title')}>
      <Stack>
        <IndexProgress accountId={accountId} />
        <Figures accountId={accountId} />
        <NextSteps accountId={accountId} />
        <Suspense fallback={<Loading lines={12} />}>
          <OverviewDetails accountId={accountId} />
        </Suspense>
      </Stack>
    </Page>
  );
}
