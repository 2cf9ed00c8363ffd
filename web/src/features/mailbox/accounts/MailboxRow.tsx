import { Badge, Button, Card, Group, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { MailboxAccount } from '../../../api/me';
import { useOperation } from '../../../api/op';
import { invalidate } from '../../../api/query-client';
import { formatFullDate, formatShortDate } from '../../../i18n/format';
import { Confirm } from '../../../ui/Confirm';
import { ProblemView } from '../../../ui/ProblemView';
import { ImapServer } from './ImapServer';
import { ReconnectButton } from '../../../shared/reconnect/ReconnectButton';

const COLORS: Readonly<Record<MailboxAccount['status'], string>> = {
  connected: 'green',
  needs_reauth: 'orange',
  rate_limited: 'yellow',
  disconnected: 'gray',
};

/** A mailbox: how it is, and what can be done with it. */
export function MailboxRow({ account }: { readonly account: MailboxAccount }): ReactNode {
  const { t } = useTranslation();
  const { id, email, status, last_synced_at: syncedAt } = account;
  const needsConsent = status === 'needs_reauth' || status === 'disconnected';
  return (
    <Card withBorder component="section" aria-label={email}>
      <Group justify="space-between">
        <Stack gap={2}>
          <Group gap="xs">
            <Text fw={600}>{email}</Text>
            <Badge color={COLORS[status]} variant="dot" tt="none">
              {t(`shell.status.${status}`)}
            </Badge>
          </Group>
          {syncedAt !== null && (
            <Text size="xs" c="dimmed" title={formatFullDate(syncedAt)}>
              {t('mailboxes.lastSynced', { time: formatShortDate(syncedAt) })}
            </Text>
          )}
        </Stack>
        <Group gap="xs">
          <Button
            size="xs"
            renderRoot={(props) => <Link to="/a/$accountId/overview" params={{ accountId: id }} {...props} />}
          >
            {t('mailboxes.openOverview')}
          </Button>
          {needsConsent ? <ReconnectButton accountId={id} /> : <Switch account={account} />}
          {account.provider === 'imap' && status !== 'disconnected' && (
            <ImapServer accountId={id} email={email} />
          )}
          {status !== 'disconnected' && <Disconnect account={account} />}
        </Group>
      </Group>
    </Card>
  );
}

function Switch({ account }: { readonly account: MailboxAccount }): ReactNode {
  const { t } = useTranslation();
  const client = useQueryClient();
  const toggle = useOperation('mailboxAccounts.toggle');
  const change = (): void =>
    toggle.mutate({ accountId: account.id }, { onSuccess: () => void invalidate(client, ['auth.me']) });
  return (
    <>
      <Button size="xs" variant="default" loading={toggle.isPending} onClick={change}>
        {account.is_active ? t('mailboxes.switchOff') : t('mailboxes.switchOn')}
      </Button>
      {toggle.isError && <ProblemView error={toggle.error} />}
    </>
  );
}

function Disconnect({ account }: { readonly account: MailboxAccount }): ReactNode {
  const { t } = useTranslation();
  const client = useQueryClient();
  const [asked, setAsked] = useState(false);
  const disconnect = useOperation('mailboxAccounts.disconnect');
  const perform = (): void =>
    disconnect.mutate(
      { accountId: account.id },
      {
        onSuccess: () => void invalidate(client, ['auth.me']),
        onSettled: (_done, error) => setAsked(error !== null),
      },
    );
  return (
    <>
      <Button size="xs" variant="default" onClick={() => setAsked(true)}>
        {t('mailboxes.disconnect')}
      </Button>
      <Confirm
        opened={asked}
        title={t('mailboxes.disconnectTitle', { email: account.email })}
        text={t('mailboxes.disconnectText')}
        verb={t('mailboxes.disconnect')}
        destroys
        busy={disconnect.isPending}
        error={disconnect.error}
        onConfirm={perform}
        onClose={() => setAsked(false)}
      />
    </>
  );
}
