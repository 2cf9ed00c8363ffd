import { Button } from '@mantine/core';
import { Link, Outlet, useLocation, useParams } from '@tanstack/react-router';
import { Fragment, lazy, Suspense, useEffect, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { EmptyState } from '../ui/EmptyState';
import { hasNoMailbox, rememberAccount, useMe } from '../api/me';

/** Begun with the first page and not waited for: what it shows is needed when files are held over a page, also without a connection. */
const loading = import('../features/archive/imports/DropAnywhere');
const DropAnywhere = lazy(() => loading.then(({ DropAnywhere: part }) => ({ default: part })));

/** Pages of an archive without a mailbox, by the end of their address. */
const OF_ARCHIVE = new Set(['overview', 'archive', 'attachments', 'index', 'keep', 'privacy', 'transfer']);

/** The pages of one mailbox, which has to be the person's. */
export function AccountLayout(): ReactNode {
  const { t } = useTranslation();
  const { accountId } = useParams({ from: '/signed-in/a/$accountId' });
  const { mailboxAccounts } = useMe();
  const account = mailboxAccounts.find(({ id }) => id === accountId);
  useEffect(() => rememberAccount(accountId), [accountId]);
  const page = useLocation({ select: ({ pathname }) => pathname.split('/')[3] });
  if (!account) return <EmptyState text={t('problems.codes.account-not-owned')} />;
  // Another mailbox begins afresh: nothing that was chosen in one is chosen in the other.
  return (
    <Fragment key={accountId}>
      {hasNoMailbox(account) && !OF_ARCHIVE.has(page ?? '') ? (
        <EmptyState text={t('problems.codes.archive-without-mailbox')}>
          <Button
            renderRoot={(props) => <Link to="/a/$accountId/archive" params={{ accountId }} {...props} />}
          >
            {t('shell.places.archive')}
          </Button>
        </EmptyState>
      ) : (
        <Outlet />
      )}
      <Suspense>
        <DropAnywhere account={account} />
      </Suspense>
    </Fragment>
  );
}
