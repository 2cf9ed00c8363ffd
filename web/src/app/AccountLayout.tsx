import { Outlet, useParams } from '@tanstack/react-router';
import { Fragment, lazy, Suspense, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { EmptyState } from '../ui/EmptyState';
import { useMe } from '../api/me';

/** Begun with the first page and not waited for: what it shows is needed when files are held over a page, also without a connection. */
const loading = import('../features/archive/imports/DropAnywhere');
const DropAnywhere = lazy(() => loading.then(({ DropAnywhere: part }) => ({ default: part })));

/** The pages of one mailbox, which has to be the person's. */
export function AccountLayout(): ReactNode {
  const { t } = useTranslation();
  const { accountId } = useParams({ from: '/signed-in/a/$accountId' });
  const { mailboxAccounts } = useMe();
  const account = mailboxAccounts.find(({ id }) => id === accountId);
  if (!account) return <EmptyState text={t('problems.codes.account-not-owned')} />;
  // Another mailbox begins afresh: nothing that was chosen in one is chosen in the other.
  return (
    <Fragment key={accountId}>
      <Outlet />
      <Suspense>
        <DropAnywhere account={account} />
      </Suspense>
    </Fragment>
  );
}
