import { Stack } from '@mantine/core';
import { useParams } from '@tanstack/react-router';
import { Suspense, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { hasNoMailbox, useMe } from '../../../api/me';
import { IndexProgress } from '../../../jobs/IndexProgress';
import { Loading } from '../../../ui/Loading';
import { Page } from '../../../ui/Page';
import { pageComponent } from '../../../ui/page-component';

const Home = pageComponent(() => import('./Home'), 'Home', 'home', 'notices', 'jobFailures');
/** Details take long to count, so that their code is loaded later as well. */
const OverviewDetails = pageComponent(
  () => import('./OverviewDetails'),
  'OverviewDetails',
  'home',
  'overviewDetails',
  'suggestions',
  'charts',
);
const load = (): void => {
  void Home.preload?.();
  void OverviewDetails.preload?.();
};
// With the page itself, also when that is loaded ahead.
load();

/** The start page of a mailbox or an archive: how safe its mail is, what to do next, and what is in it. */
export function OverviewPage(): ReactNode {
  const { t } = useTranslation();
  // Loading is repeated when the page comes back after it could not be loaded.
  useState(load);
  const { accountId } = useParams({ strict: false });
  const account = useMe().mailboxAccounts.find(({ id }) => id === accountId);
  const isLive = account && !hasNoMailbox(account);
  return (
    <Page title={t('shell.pages.home')}>
      <Stack>
        {isLive && <IndexProgress accountId={account.id} />}
        <Suspense fallback={<Loading lines={12} />}>
          <Home account={account} />
          {isLive && <OverviewDetails accountId={account.id} />}
        </Suspense>
      </Stack>
    </Page>
  );
}
