import { NativeSelect, Stack, Text } from '@mantine/core';
import { infiniteQueryOptions, useInfiniteQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../api/client';
import { hasText } from '../../i18n';
import type { restore } from '../../i18n/en/restore';
import { formatShortDate } from '../../i18n/format';
import { PagedList } from '../../ui/PagedList';
import { senderName } from '../../ui/sender';
import { Wrapping } from '../../ui/Wrapping';
import classes from './restores.module.css';

const PER_PAGE = 50;
const OUTCOMES = [
  'untrashed',
  'inserted',
  'already-there',
  'same-id-differs',
  'too-large',
  'encrypted',
  'damaged',
  'failed',
] as const;
type OutcomeCode = (typeof OUTCOMES)[number];

const isKnownReason = (reason: string): reason is keyof typeof restore.reasons =>
  hasText(`restore.reasons.${reason}`);

const pagesOf = (accountId: string, restoreId: string, outcome: OutcomeCode | undefined) =>
  infiniteQueryOptions({
    queryKey: ['restore.listRestoreItems', { accountId, restoreId, outcome }] as const,
    initialPageParam: undefined as number | undefined,
    queryFn: ({ pageParam, signal }) =>
      call(
        'restore.listRestoreItems',
        { accountId, restoreId, outcome, after: pageParam, limit: PER_PAGE },
        { signal },
      ),
    getNextPageParam: ({ next }) => next ?? undefined,
  });

/** Outcomes of the mails of a restore. */
export function RestoreItems({
  accountId,
  restoreId,
}: {
  readonly accountId: string;
  readonly restoreId: string;
}): ReactNode {
  const { t } = useTranslation();
  const [outcome, setOutcome] = useState<OutcomeCode>();
  const pages = useInfiniteQuery(pagesOf(accountId, restoreId, outcome));
  return (
    <Stack gap="xs">
      <NativeSelect
        label={t('restore.list')}
        maw={420}
        value={outcome ?? ''}
        data={[
          { value: '', label: t('restore.all') },
          ...OUTCOMES.map((value) => ({ value, label: t(`restore.outcomes.${value}`) })),
        ]}
        onChange={(event) => setOutcome(OUTCOMES.find((one) => one === event.currentTarget.value))}
      />
      <PagedList
        query={pages}
        none={t('restore.noneSuch')}
        more={t('restore.more')}
        keyOf={({ position }) => position}
        className={classes.message}
      >
        {({ subject, sender, date, outcome: end, notes, reason }) => (
          <>
            <Wrapping size="sm">
              {subject === null
                ? t('restore.deleted')
                : [
                    subject || t('mail.noSubject'),
                    senderName(sender ?? ''),
                    ...(date === null ? [] : [formatShortDate(date)]),
                  ].join(' · ')}
            </Wrapping>
            <Text size="xs" c="dimmed">
              {[
                t(`restore.outcomes.${end ?? 'waiting'}`),
                ...(reason === null ? [] : [isKnownReason(reason) ? t(`restore.reasons.${reason}`) : reason]),
                ...notes.map((note) => t(`restore.notes.${note}`)),
              ].join(' · ')}
            </Text>
          </>
        )}
      </PagedList>
    </Stack>
  );
}
