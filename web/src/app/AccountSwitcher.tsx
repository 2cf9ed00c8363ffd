import { NativeSelect } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useAccount, useMe, type MailboxAccount } from '../api/me';

const NONE = '';

/** Which mailbox the pages are about, and how it is. */
export function AccountSwitcher({ onChosen }: { readonly onChosen: () => void }): ReactNode {
  const { t } = useTranslation();
  const { mailboxAccounts } = useMe();
  const account = useAccount();
  const navigate = useNavigate();
  const choose = (accountId: string): void => {
    onChosen();
    void navigate({ to: '/a/$accountId/overview', params: { accountId } });
  };
  return (
    <NativeSelect
      label={t('shell.account')}
      data={[
        ...(account ? [] : [{ value: NONE, label: t('shell.noAccount'), disabled: true }]),
        ...mailboxAccounts.map(({ id, email }) => ({ value: id, label: email })),
      ]}
      value={account?.id ?? NONE}
      title={account?.email}
      styles={{ input: { textOverflow: 'ellipsis' } }}
      onChange={({ currentTarget }) => choose(currentTarget.value)}
      disabled={mailboxAccounts.length === 0}
      description={account && t(`shell.status.${statusOf(account)}`)}
      inputWrapperOrder={['label', 'input', 'description']}
    />
  );
}

const statusOf = ({ status, is_active: isActive }: MailboxAccount): MailboxAccount['status'] | 'off' =>
  status === 'connected' && !isActive ? 'off' : status;
