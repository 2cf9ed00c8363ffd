import { Anchor, Stack, Text } from '@mantine/core';
import type { Schemas } from '@mailroom/sdk';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { formatMonth, formatNumber } from '../../i18n/format';
import { ChartTable } from '../../ui/ChartTable';
import { ColumnChart } from '../../ui/ColumnChart';
import { monthSearch } from './month-search';

interface MonthsChartProps {
  readonly accountId: string;
  readonly title: string;
  /** All of them, ascending. */
  readonly months: readonly Schemas['MonthCountResponse'][];
  /** Number of the last months that are shown. */
  readonly shown?: number;
}

/** Amount of mail of each month; in the table, each month has a link to its messages. */
export function MonthsChart({ accountId, title, months, shown = Infinity }: MonthsChartProps): ReactNode {
  const { t } = useTranslation();
  const last = months.slice(-Math.min(shown, months.length));
  const [first, end] = [last[0], last.at(-1)];
  if (!first || !end) return null;
  const peak = last.reduce((most, month) => (month.count > most.count ? month : most));
  return (
    <Stack gap="xs">
      <Text size="xs" c="dimmed">
        {t('charts.monthsText', { count: peak.count, month: formatMonth(peak.month) })}
      </Text>
      <ColumnChart
        columns={last.map(({ month, count }) => ({
          key: month,
          value: count,
          title: t('common.named', { what: formatMonth(month), name: formatNumber(count) }),
        }))}
        from={formatMonth(first.month)}
        to={formatMonth(end.month)}
      />
      <ChartTable
        title={title}
        heads={[t('charts.month'), t('charts.messages')]}
        rows={last.toReversed().map(({ month, count }) => ({
          key: month,
          cells: [
            <Anchor
              key={month}
              size="xs"
              underline="always"
              renderRoot={(root) => (
                <Link
                  to="/a/$accountId/mailbox"
                  params={{ accountId }}
                  search={{ q: monthSearch(month) }}
                  {...root}
                />
              )}
            >
              {formatMonth(month)}
            </Anchor>,
            formatNumber(count),
          ],
        }))}
      />
    </Stack>
  );
}
