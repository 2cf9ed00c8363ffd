import { NativeSelect, Stack, Text } from '@mantine/core';
import { infiniteQueryOptions, useInfiniteQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../api/client';
import { formatBytes, formatShortDate } from '../../../i18n/format';
import { PagedList } from '../../../ui/PagedList';
import { senderName } from '../../../ui/sender';
import { Wrapping } from '../../../ui/Wrapping';
import { reasonKey } from '../reasons';
import classes from '../keep.module.css';

const PER_PAGE = 50;
const STATES = ['ready', 'blocked', 'trashed'] as const;
type State = (typeof STATES)[number];

const pagesOf = (accountId: string, planId: string, state: State | undefined) =>
  infiniteQueryOptions({
    queryKey: ['offload.listPlanMessages', { accountId, planId, state }] as const,
    initialPageParam: undefined as number | undefined,
    queryFn: ({ pageParam, signal }) =>
      call(
        'offload.listPlanMessages',
        { accountId, planId, state, after: pageParam, limit: PER_PAGE },
        { signal },
      ),
    getNextPageParam: ({ next }) => next ?? undefined,
  });

interface PlanMessagesProps {
  readonly accountId: string;
  readonly planId: string;
}

/** Each message of a plan: whether it goes, and why it stays. */
export function PlanMessages({ accountId, planId }: PlanMessagesProps): ReactNode {
  const { t } = useTranslation();
  const [state, setState] = useState<State>();
  const pages = useInfiniteQuery(pagesOf(accountId, planId, state));
  return (
    <Stack gap="xs">
      <NativeSelect
        label={t('keep.offload.messagesOf')}
        maw={420}
        value={state ?? ''}
        data={[
          { value: '', label: t('keep.offload.states.all') },
          ...STATES.map((value) => ({ value, label: t(`keep.offload.states.${value}`) })),
        ]}
        onChange={(event) => setState(STATES.find((one) => one === event.currentTarget.value))}
      />
      <PagedList
        query={pages}
        none={t('keep.partEmpty')}
        more={t('keep.moreMessages')}
        keyOf={({ messageId }) => messageId}
        className={classes.message}
      >
        {({ messageId, subject, sender, date, sizeBytes, state: now, reason }) => (
          <>
            <Wrapping size="sm">
              {[
                subject === null ? t('keep.unreadable', { id: messageId }) : subject || t('mail.noSubject'),
                ...(sender === null ? [] : [senderName(sender)]),
                ...(date === null ? [] : [formatShortDate(date)]),
                ...(sizeBytes === null ? [] : [formatBytes(sizeBytes)]),
              ].join(' · ')}
            </Wrapping>
            <Text size="xs" c="dimmed">
              {[
                t(`keep.offload.states.${now}`),
                ...(reason === null ? [] : [t(`keep.blockedBy.${reasonKey('blockedBy', reason)}`)]),
              ].join(': ')}
            </Text>
          </>
        )}
      </PagedList>
    </Stack>
  );
}
