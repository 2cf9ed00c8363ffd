import { Stack, Text } from '@mantine/core';
import type { Schemas } from '@mailroom/sdk';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useMe } from '../../../api/me';
import { formatNumber } from '../../../i18n/format';
import { EmptyState } from '../../../ui/EmptyState';
import { Pages } from '../../../ui/Pages';
import { PlainList } from '../../../ui/PlainList';
import { FoundItem } from './FoundItem';

/** The service lists no more. */
const MOST = 1_000;

interface FoundListProps {
  readonly answer: Schemas['SearchResponse'];
  readonly q: string;
  readonly place: 'all' | 'mailbox' | 'archive';
  /** Whether it is the answer of the search before, while the new one is awaited. */
  readonly isOld: boolean;
  readonly onPage: (page: number) => void;
  /** Text shown when nothing was found. */
  readonly nothing: string;
  /** Shown below it. */
  readonly children: ReactNode;
}

/** The results of a search, by pages. */
export function FoundList({ answer, q, place, nothing, isOld, onPage, children }: FoundListProps): ReactNode {
  const { t } = useTranslation();
  const { mailboxAccounts } = useMe();
  const { results, total, total_is_exact: isExact, page, limit } = answer;
  return (
    <Stack opacity={isOld ? 0.5 : undefined} aria-busy={isOld}>
      <Text size="sm" role="status">
        {t(isExact ? 'search.found' : 'search.foundAtLeast', { count: total })}
        {total > MOST && ` · ${t('search.most', { most: formatNumber(MOST) })}`}
      </Text>
      {total === 0 ? (
        <EmptyState text={nothing}>{children}</EmptyState>
      ) : (
        <PlainList gap="xs" aria-label={t('search.results')}>
          {results.map((message) => (
            <FoundItem
              key={`${message.account_id} ${message.mail_id ?? message.message_id}`}
              message={message}
              q={q}
              place={place}
              mailbox={mailboxAccounts.find(({ id }) => id === message.account_id)?.email ?? ''}
            />
          ))}
        </PlainList>
      )}
      <Pages total={Math.min(total, MOST)} perPage={limit} page={page} onChange={onPage} />
    </Stack>
  );
}
