import { Button, Group, Stack, Text } from '@mantine/core';
import type { Schemas } from '@mailroom/sdk';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { op, useOperation } from '../../../api/op';
import { invalidate } from '../../../api/query-client';
import { formatDay, formatNumber } from '../../../i18n/format';
import { ChartTable } from '../../../ui/ChartTable';
import { ColumnChart } from '../../../ui/ColumnChart';
import { ProblemView } from '../../../ui/ProblemView';
import { QueryView } from '../../../ui/QueryView';
import { Section } from '../../../ui/Section';

type Day = Schemas['InboxDayResponse'];

/** Size of the inbox now and over time, and the number of days it has been empty. */
export function InboxZero({ accountId }: { readonly accountId: string }): ReactNode {
  const { t } = useTranslation();
  const client = useQueryClient();
  const figures = useQuery(op('analytics.getInboxZero', { accountId }));
  const snapshot = useOperation('analytics.takeInboxSnapshot');
  return (
    <Section title={t('insights.inbox')}>
      <QueryView query={figures}>
        {({ current: { inboxCount: count, unreadCount: unread }, history, streak, bestStreak }) => (
          <Stack gap="xs">
            <Text>{count === 0 ? t('insights.inboxEmpty') : t('insights.inboxNow', { count, unread })}</Text>
            <Text size="sm" c="dimmed">
              {t('insights.streak', { count: streak })}{' '}
              {bestStreak > streak && t('insights.bestStreak', { count: bestStreak })}
            </Text>
            {history.length > 1 ? (
              <History days={history} />
            ) : (
              <Text size="sm">{t('insights.noHistory')}</Text>
            )}
            {snapshot.error && <ProblemView error={snapshot.error} />}
            <Group>
              <Button
                size="xs"
                variant="default"
                loading={snapshot.isPending}
                onClick={() =>
                  snapshot.mutate(
                    { accountId },
                    { onSuccess: () => void invalidate(client, ['analytics.getInboxZero']) },
                  )
                }
              >
                {t('insights.countNow')}
              </Button>
            </Group>
          </Stack>
        )}
      </QueryView>
    </Section>
  );
}

/** Days on which nothing was counted are missing. */
function History({ days }: { readonly days: readonly Day[] }): ReactNode {
  const { t } = useTranslation();
  return (
    <>
      <Text size="xs" c="dimmed">
        {t('insights.history')}
      </Text>
      <ColumnChart
        columns={days.map(({ date, inboxCount }) => ({
          key: date,
          value: inboxCount,
          title: t('common.named', { what: formatDay(date), name: formatNumber(inboxCount) }),
        }))}
        from={formatDay(days[0]!.date)}
        to={formatDay(days.at(-1)!.date)}
      />
      <ChartTable
        title={t('insights.history')}
        heads={[t('insights.day'), t('insights.inboxCount'), t('insights.unread')]}
        rows={days.toReversed().map(({ date, inboxCount, unreadCount }) => ({
          key: date,
          cells: [formatDay(date), formatNumber(inboxCount), formatNumber(unreadCount)],
        }))}
      />
    </>
  );
}
