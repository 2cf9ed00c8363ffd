import { Outlet, useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { DropAnywhere } from '../features/archive/imports/DropAnywhere';
import { EmptyState } from '../ui/EmptyState';
import { useMe } from '../api/me';

/** The pages of one mailbox, which has to be the person's. */
export function AccountLayout(): ReactNode {
  const { t } = useTranslation();
  const { accountId } = useParams({ from: '/signed-in/a/$accountId' });
  const { mailboxAccounts } = useMe();
  const account = mailboxAccounts.find(({ id }) => id === accountId);
  if (!account) return <EmptyState text={t('problems.codes.account-not-owned')} />;
  // Another mailbox begins afresh: nothing that was chosen in one is chosen in the other.
  return (
    <DropAnywhere key={accountId} account={account}>
      <Outlet />
    </DropAnywhere>
  );
}
