import { Anchor, Badge, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { hasNoMailbox, useMe, type MailboxAccount } from '../../../api/me';
import { op } from '../../../api/op';
import { formatShortDate } from '../../../i18n/format';
import { PlainList } from '../../../ui/PlainList';
import { Section } from '../../../ui/Section';
import { troubleOf } from './how-safe';

/** State of each mailbox of the person: its connection, and the archiving of its mail. */
export function MailboxStates(): ReactNode {
  const { t } = useTranslation();
  const { mailboxAccounts } = useMe();
  return (
    <Section title={t('home.mailboxes.title')}>
      <PlainList gap="sm">
        {mailboxAccounts.map((account) => (
          <li key={account.id}>
            <Group gap="xs" justify="space-between">
              <Anchor
                fw={600}
                size="sm"
                style={{ overflowWrap: 'anywhere' }}
                renderRoot={(root) => (
                  <Link to="/a/$accountId/overview" params={{ accountId: account.id }} {...root} />
                )}
              >
                {account.email}
              </Anchor>
              <Connection account={account} />
            </Group>
            {hasNoMailbox(account) || <Archiving accountId={account.id} />}
          </li>
        ))}
      </PlainList>
    </Section>
  );
}

const COLORS: Readonly<Record<MailboxAccount['status'], string>> = {
  connected: 'green',
  needs_reauth: 'orange',
  rate_limited: 'yellow',
  disconnected: 'gray',
};

function Connection({ account }: { readonly account: MailboxAccount }): ReactNode {
  const { t } = useTranslation();
  const { status, is_active: isActive } = account;
  const isOff = status === 'connected' && !isActive;
  return (
    <Badge color={isOff ? 'gray' : COLORS[status]} variant="dot" tt="none">
      {t(hasNoMailbox(account) ? 'shell.withoutMailbox' : `shell.status.${isOff ? 'off' : status}`)}
    </Badge>
  );
}

function Archiving({ accountId }: { readonly accountId: string }): ReactNode {
  const { t } = useTranslation();
  const { data } = useQuery(op('archiving.get', { accountId }));
  if (!data) return null;
  const { mode, reason, lookedAt } = data;
  const trouble = troubleOf(data);
  const kind =
    trouble ?? (mode === 'keep' && reason === 'first-fill' ? 'filling' : mode === 'keep' ? 'healthy' : mode);
  const facts = [
    t(`home.mailboxes.archiving.${kind}`),
    ...(lookedAt === null ? [] : [t('home.mailboxes.lookedAt', { time: formatShortDate(lookedAt) })]),
  ];
  return (
    <Text size="sm" c={trouble ? undefined : 'dimmed'} fw={trouble ? 600 : undefined}>
      {facts.join(' · ')}
    </Text>
  );
}
