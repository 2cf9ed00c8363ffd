import { Button, Group, Stack, Text, Title } from '@mantine/core';
import type { Schemas } from '@mailroom/sdk';
import { infiniteQueryOptions, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useId, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../api/client';
import { op } from '../../../api/op';
import { formatDay, formatShortDate } from '../../../i18n/format';
import { EmptyState } from '../../../ui/EmptyState';
import { Loading } from '../../../ui/Loading';
import { PlainList } from '../../../ui/PlainList';
import { QueryView } from '../../../ui/QueryView';
import { senderName } from '../../../ui/sender';
import type { Part } from '../../../shared/coverage/parts';
import { usePartName } from './parts';
import { reasonKey } from '../reasons';
import classes from '../keep.module.css';
import { OneLine } from '../../../ui/OneLine';

type Covered = Schemas['CoveredMessageResponse'];
type Summary = Schemas['MessageSummaryResponse'];

const PER_PAGE = 50;

const pagesOf = (accountId: string, part: Part) =>
  infiniteQueryOptions({
    queryKey: ['coverage.listMessages', { accountId, part }] as const,
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) =>
      call(
        'coverage.listMessages',
        { accountId, class: part, after: pageParam, limit: PER_PAGE },
        { signal },
      ),
    getNextPageParam: ({ next }) => next ?? undefined,
  });

interface CoveredMessagesProps {
  readonly accountId: string;
  readonly part: Part;
  readonly isWatched: boolean;
  readonly onClose: () => void;
}

/** The messages behind a part of the bar, each with the reason why it is there. */
export function CoveredMessages({ accountId, part, isWatched, onClose }: CoveredMessagesProps): ReactNode {
  const { t } = useTranslation();
  const titleId = useId();
  const pages = useInfiniteQuery(pagesOf(accountId, part));
  const name = usePartName(isWatched);
  return (
    <Stack component="section" aria-labelledby={titleId} gap="xs">
      <Group justify="space-between">
        <Title order={3} size="h5" id={titleId}>
          {name(part)}
        </Title>
        <Button size="compact-sm" variant="subtle" onClick={onClose}>
          {t('common.close')}
        </Button>
      </Group>
      <QueryView
        query={pages}
        empty={{
          when: (data) => data.pages.every(({ items }) => items.length === 0),
          show: <EmptyState text={t('keep.partEmpty')} />,
        }}
      >
        {(data) => (
          <>
            <PlainList gap={0}>
              {data.pages.map(({ items }) => (
                <MessagesOfPage
                  key={items[0]?.messageId ?? ''}
                  accountId={accountId}
                  items={items}
                  isWatched={isWatched}
                />
              ))}
            </PlainList>
            {pages.hasNextPage && (
              <Button
                size="xs"
                variant="default"
                loading={pages.isFetchingNextPage}
                onClick={() => void pages.fetchNextPage()}
              >
                {t('keep.moreMessages')}
              </Button>
            )}
          </>
        )}
      </QueryView>
    </Stack>
  );
}

/** Subjects and senders are the mailbox's: without it the reasons are still shown. */
function MessagesOfPage({
  accountId,
  items,
  isWatched,
}: {
  readonly accountId: string;
  readonly items: readonly Covered[];
  readonly isWatched: boolean;
}): ReactNode {
  const ids = items.map(({ messageId }) => messageId);
  const messages = useQuery({
    ...op('mailbox.getMessages', { accountId, body: { ids } }),
    enabled: ids.length > 0,
  });
  if (messages.isLoading) return <Loading lines={5} />;
  const byId = new Map((messages.data ?? []).map((message) => [message.id, message]));
  return items.map((item) => (
    <CoveredMessage
      key={item.messageId}
      covered={item}
      message={byId.get(item.messageId)}
      isWatched={isWatched}
    />
  ));
}

function CoveredMessage({
  covered,
  message,
  isWatched,
}: {
  readonly covered: Covered;
  readonly message: Summary | undefined;
  readonly isWatched: boolean;
}): ReactNode {
  const { t } = useTranslation();
  return (
    <li className={classes.message}>
      <Group justify="space-between" wrap="nowrap" gap="xs">
        <Text size="sm" truncate>
          {message ? message.subject || t('mail.noSubject') : t('keep.unreadable', { id: covered.messageId })}
        </Text>
        {message && (
          <OneLine size="xs" c="dimmed">
            {formatShortDate(message.date)}
          </OneLine>
        )}
      </Group>
      <Text size="xs" c="dimmed">
        {[...(message ? [senderName(message.from)] : []), useReason(covered, isWatched)].join(' · ')}
      </Text>
    </li>
  );
}

/** Why it is where it is, in one sentence. */
function useReason(
  { class: part, exclusion, reason, verifiedOn, nextTryAt }: Covered,
  isWatched: boolean,
): string {
  const { t } = useTranslation();
  if (part === 'verified' && verifiedOn !== null)
    return t('keep.why.verified', { day: formatDay(verifiedOn) });
  if (part === 'archived')
    return verifiedOn === null
      ? t('keep.why.archived')
      : t('keep.why.archivedOn', { day: formatDay(verifiedOn) });
  if (part === 'excluded')
    return t(`keep.excludedBy.${reasonKey('excludedBy', exclusion)}`, { what: detailOf(exclusion) });
  if (part === 'failed') {
    const why = t(`keep.failedBy.${reasonKey('failedBy', reason)}`, { reason: reason ?? '' });
    return nextTryAt === null ? why : `${why} ${t('keep.why.nextTry', { time: formatShortDate(nextTryAt) })}`;
  }
  return t(isWatched ? 'keep.watched.why' : 'keep.why.pending');
}

/** Part of an exclusion after the colon. */
const detailOf = (exclusion: string | null): string => exclusion?.split(':').slice(1).join(':') ?? '';
