import { Select } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useAccount, useMe, type MailboxAccount } from '../api/me';

/** Which mailbox the pages are about, and how it is. */
export function AccountSwitcher({ onChosen }: { readonly onChosen: () => void }): ReactNode {
  const { t } = useTranslation();
  const { mailboxAccounts } = useMe();
  const account = useAccount();
  const navigate = useNavigate();
  const choose = (accountId: string | null): void => {
    if (accountId === null) return;
    onChosen();
    void navigate({ to: '/a/$accountId/overview', params: { accountId } });
  };
  return (
    <Select
      label={t('shell.account')}
      placeholder={t('shell.noAccount')}
      data={mailboxAccounts.map(({ id, email }) => ({ value: id, label: email }))}
      value={account?.id ?? null}
      title={account?.email}
      styles={{ input: { textOverflow: 'ellipsis' } }}
      onChange={choose}
      allowDeselect={false}
      disabled={mailboxAccounts.length === 0}
      description={account && t(`shell.status.${statusOf(account)}`)}
      inputWrapperOrder={['label', 'input', 'description']}
    />
  );
}

const statusOf = ({ status, is_active: isActive }: MailboxAccount): MailboxAccount['status'] | 'off' =>
  status === 'connected' && !isActive ? 'off' : status;
