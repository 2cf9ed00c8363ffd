import { Anchor, Text } from '@mantine/core';
import type { Schemas } from '@mailroom/sdk';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useMe } from '../../api/me';
import { formatNumber } from '../../i18n/format';

interface NotIndexedNoteProps {
  /** Null or undefined: no words were searched for in an archive. */
  readonly notIndexed: Schemas['NotIndexedResponse'] | null | undefined;
  /** The archives that have such messages. */
  readonly accountIds: readonly string[];
}

/** Says how many messages a search may have missed because they are not indexed as a whole, and leads to them. */
export function NotIndexedNote({ notIndexed, accountIds }: NotIndexedNoteProps): ReactNode {
  const { t } = useTranslation();
  const { mailboxAccounts } = useMe();
  if (!notIndexed || notIndexed.mails === 0) return null;
  const { mails, waiting, total, is_exact: isExact } = notIndexed;
  const text = !isExact ? 'atLeast' : waiting === mails ? 'waiting' : waiting === 0 ? 'unread' : 'some';
  return (
    <Text size="xs" c="dimmed">
      {t(`search.index.notIndexed.${text}`, {
        count: mails,
        total: formatNumber(total),
        waiting: formatNumber(waiting),
      })}{' '}
      {accountIds.map((accountId) => (
        <Anchor
          key={accountId}
          size="xs"
          underline="always"
          mr="xs"
          renderRoot={(props) => <Link to="/a/$accountId/index" params={{ accountId }} {...props} />}
        >
          {accountIds.length === 1
            ? t('search.index.notIndexed.link')
            : (mailboxAccounts.find(({ id }) => id === accountId)?.email ??
              t('search.index.notIndexed.link'))}
        </Anchor>
      ))}
    </Text>
  );
}
