import { NativeSelect } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { op } from '../api/op';
import { hasNoMailbox, useAccount, useMe, type MailboxAccount } from '../api/me';

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
      description={
        account && (hasNoMailbox(account) ? t('shell.withoutMailbox') : <Health account={account} />)
      }
      inputWrapperOrder={['label', 'input', 'description']}
    />
  );
}

/** States of archiving that need attention. */
const TROUBLE = new Set(['needs_reconnection', 'quota_full', 'behind']);

/** State of the connection, and of archiving where it needs attention. */
function Health({ account }: { readonly account: MailboxAccount }): ReactNode {
  const { t } = useTranslation();
  const { data } = useQuery(op('archiving.get', { accountId: account.id }));
  // The first copy of a mailbox takes its time: nothing is wrong.
  const isTroubled = data !== undefined && TROUBLE.has(data.state) && data.reason !== 'first-fill';
  return (
    <>
      {t(`shell.status.${statusOf(account)}`)}
      {isTroubled && (
        <>
          {' · '}
          <IconAlertTriangle size={12} aria-hidden />{' '}
          {t('shell.archivingTrouble', { state: t(`shell.archivingStates.${data.state}`) })}
        </>
      )}
    </>
  );
}

const statusOf = ({ status, is_active: isActive }: MailboxAccount): MailboxAccount['status'] | 'off' =>
  status === 'connected' && !isActive ? 'off' : status;
