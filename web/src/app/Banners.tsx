import { Alert, Button, Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { op } from '../api/op';
import { useOnline } from '../api/online';
import { ReconnectButton } from '../shared/reconnect/ReconnectButton';
import { formatShortDate } from '../i18n/format';
import { useAccount } from '../api/me';

/** Banners on every page: no connection, a mailbox to connect again, a newer version of the page. */
export function Banners(): ReactNode {
  const account = useAccount();
  return (
    <>
      <OfflineBanner />
      <VersionBanner />
      {account?.status === 'needs_reauth' && <ReconnectBanner accountId={account.id} email={account.email} />}
    </>
  );
}

function OfflineBanner(): ReactNode {
  const { t } = useTranslation();
  const { online, since } = useOnline();
  if (online) return null;
  const time = formatShortDate(new Date(since).toISOString());
  return (
    <Alert color="yellow" mb="md" role="status">
      {t('common.offline', { time })}
    </Alert>
  );
}

function VersionBanner(): ReactNode {
  const { t } = useTranslation();
  const config = useQuery(op('auth.config'));
  if (!config.data || config.data.version === __VERSION__) return null;
  return (
    <Alert color="blue" mb="md" role="status">
      <Group justify="space-between">
        {t('common.newVersion')}
        <Button size="xs" onClick={() => window.location.reload()}>
          {t('common.reload')}
        </Button>
      </Group>
    </Alert>
  );
}

function ReconnectBanner({
  accountId,
  email,
}: {
  readonly accountId: string;
  readonly email: string;
}): ReactNode {
  const { t } = useTranslation();
  return (
    <Alert color="orange" mb="md" role="status">
      <Group justify="space-between">
        {t('shell.reconnectTitle', { email })}
        <ReconnectButton accountId={accountId} />
      </Group>
    </Alert>
  );
}
