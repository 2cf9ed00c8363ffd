import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useConnectMailbox } from '../../api/connect-mailbox';
import { op } from '../../api/op';

/** Sends the person to where a mailbox is connected again: to the provider, or to the form for its password. */
export function ReconnectButton({ accountId }: { readonly accountId: string }): ReactNode {
  const { t } = useTranslation();
  const me = useQuery(op('auth.me'));
  const connect = useConnectMailbox();
  const navigate = useNavigate();
  const account = me.data?.mailboxAccounts.find(({ id }) => id === accountId);
  if (!account) return null;
  return (
    <Button
      size="xs"
      loading={connect.isPending}
      onClick={() =>
        account.provider === 'imap'
          ? // Its new password is asked for here.
            void navigate({ to: '/settings', search: { reconnect: accountId } })
          : connect.mutate({ provider: account.provider, accountId })
      }
    >
      {t('problems.reconnect')}
    </Button>
  );
}
