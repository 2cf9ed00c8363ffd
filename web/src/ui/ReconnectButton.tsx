import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useConnectMailbox } from '../api/connect-mailbox';
import { op } from '../api/op';

/** Sends the person to the provider, to connect a mailbox again. */
export function ReconnectButton({ accountId }: { readonly accountId: string }): ReactNode {
  const { t } = useTranslation();
  const me = useQuery(op('auth.me'));
  const connect = useConnectMailbox();
  const account = me.data?.mailboxAccounts.find(({ id }) => id === accountId);
  if (!account) return null;
  return (
    <Button
      size="xs"
      loading={connect.isPending}
      onClick={() => connect.mutate({ provider: account.provider, accountId })}
    >
      {t('problems.reconnect')}
    </Button>
  );
}
