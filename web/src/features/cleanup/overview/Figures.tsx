import { Paper, SimpleGrid, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, type LinkProps } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { hasNoMailbox, type MailboxAccount } from '../../../api/me';
import { op } from '../../../api/op';
import { formatNumber } from '../../../i18n/format';
import classes from './figures.module.css';

/** Figures of the mailbox and its archive. Each leads to what it counts. */
export function Figures({ account }: { readonly account: MailboxAccount }): ReactNode {
  const { t } = useTranslation();
  const { id: accountId } = account;
  const isLive = !hasNoMailbox(account);
  const labels = useQuery({ ...op('mailbox.listLabels', { accountId }), enabled: isLive });
  const archive = useQuery(op('dashboard.getArchiveStats', { accountId }));
  const archiving = useQuery({ ...op('archiving.get', { accountId }), enabled: isLive });
  // Otherwise it is not known what is no longer in the mailbox.
  const isCompared = archiving.data !== undefined && archiving.data.mode !== 'off';
  const coverage = useQuery({ ...op('coverage.get', { accountId }), enabled: isCompared });
  const inbox = labels.data?.find(({ id }) => id === 'INBOX');
  const toMailbox = (q: string): LinkProps => ({
    to: '/a/$accountId/mailbox',
    params: { accountId },
    search: { q },
  });
  const toArchive = { to: '/a/$accountId/archive', params: { accountId } } as const;
  return (
    <SimpleGrid cols={{ base: 2, md: isCompared ? 4 : isLive ? 3 : 2 }}>
      {isLive && (
        <>
          <Figure name={t('home.inbox')} value={inbox?.messagesTotal} target={toMailbox('in:inbox')} />
          <Figure
            name={t('home.unread')}
            value={inbox?.messagesUnread}
            target={toMailbox('in:inbox is:unread')}
          />
        </>
      )}
      <Figure name={t('home.archived')} value={archive.data?.total_mails} target={toArchive} />
      {isCompared && (
        <Figure
          name={t('home.onlyInArchive')}
          value={coverage.data?.onlyInArchive.count}
          target={{ ...toArchive, search: { only: true } }}
        />
      )}
    </SimpleGrid>
  );
}

const UNKNOWN = '–';

interface FigureProps {
  readonly name: string;
  readonly value: number | null | undefined;
  readonly target: LinkProps;
}

function Figure({ name, value, target }: FigureProps): ReactNode {
  return (
    <Paper withBorder p="md" className={classes.figure} renderRoot={(root) => <Link {...target} {...root} />}>
      <Text size="sm" c="dimmed">
        {name}
      </Text>
      <Text size="xl" fw={700}>
        {value === null || value === undefined ? UNKNOWN : formatNumber(value)}
      </Text>
    </Paper>
  );
}
