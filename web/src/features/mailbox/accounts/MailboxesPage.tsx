import { Stack, Text, Title } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { hasNoMailbox, useMe } from '../../../api/me';
import { Page } from '../../../ui/Page';
import { ArchiveRow } from './ArchiveRow';
import { ConsentOutcome } from './ConsentOutcome';
import { ReconnectImap } from './ReconnectImap';
import { MailboxRow } from './MailboxRow';
import { ProviderCards } from './ProviderCards';

/** The person's mailboxes, and what can be connected. The provider's consent comes back here. */
export function MailboxesPage(): ReactNode {
  const { t } = useTranslation();
  const { mailboxAccounts } = useMe();
  const { reconnect, ...outcome } = useSearch({ from: '/signed-in/settings/' });
  const navigate = useNavigate();
  const leave = (mailbox?: 'connected', account?: string): void =>
    void navigate({ to: '/settings', search: { mailbox, account } });
  const isFirst = mailboxAccounts.length === 0;
  const again = mailboxAccounts.find(({ id, provider }) => id === reconnect && provider === 'imap');
  return (
    <Page title={t('mailboxes.title')}>
      <ConsentOutcome {...outcome} />
      {again && (
        <ReconnectImap
          key={again.id}
          account={again}
          onDone={() => leave('connected', again.email)}
          onCancel={() => leave()}
        />
      )}
      <Stack gap="sm">
        {mailboxAccounts.map((account) =>
          hasNoMailbox(account) ? (
            <ArchiveRow key={account.id} account={account} />
          ) : (
            <MailboxRow key={account.id} account={account} />
          ),
        )}
      </Stack>
      <Title order={2} size="h4">
        {isFirst ? t('mailboxes.none') : t('mailboxes.add')}
      </Title>
      {isFirst && <Text>{t('mailboxes.noneText')}</Text>}
      <ProviderCards onConnected={(email) => leave('connected', email)} />
    </Page>
  );
}
