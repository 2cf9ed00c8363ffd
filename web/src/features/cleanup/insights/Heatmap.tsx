import { Stack, Text } from '@mantine/core';
import type { Schemas } from '@mailroom/sdk';
import { useQuery } from '@tanstack/react-query';
import { Fragment, type CSSProperties, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { op } from '../../../api/op';
import { formatHour, formatNumber, formatWeekday, timeZone } from '../../../i18n/format';
import { ChartTable } from '../../../ui/ChartTable';
import { EmptyState } from '../../../ui/EmptyState';
import { QueryView } from '../../../ui/QueryView';
import { Section } from '../../../ui/Section';
import classes from './insights.module.css';

type Cell = Schemas['HeatmapCellResponse'];

const DAYS = [0, 1, 2, 3, 4, 5, 6];
/** Each hour has a column; there is room to name every sixth. */
const NAMED_HOURS = 6;

/** The hours of the week at which mail arrives, where the person is. */
export function Heatmap({ accountId }: { readonly accountId: string }): ReactNode {
  const { t } = useTranslation();
  const cells = useQuery(op('analytics.getHeatmap', { accountId, tz: timeZone() }));
  return (
    <Section title={t('insights.heatmap')}>
      <QueryView
        query={cells}
        empty={{
          when: (all) => all.every(({ count }) => count === 0),
          show: <EmptyState text={t('insights.noMail')} />,
        }}
      >
        {(all) => <Week cells={all} />}
      </QueryView>
    </Section>
  );
}

function Week({ cells }: { readonly cells: readonly Cell[] }): ReactNode {
  const { t } = useTranslation();
  const peak = cells.reduce((most, cell) => (cell.count > most.count ? cell : most));
  const total = cells.reduce((sum, { count }) => sum + count, 0);
  const days = DAYS.map((day) => ({ day, hours: cells.filter((cell) => cell.day === day) }));
  const hours = days[0]!.hours.map(({ hour }) => hour);
  return (
    <Stack gap="xs">
      <Text size="xs" c="dimmed">
        {t('insights.heatmapText', {
          day: formatWeekday(peak.day, 'long'),
          hour: formatHour(peak.hour),
          count: total,
        })}
      </Text>
      <div className={classes.week} aria-hidden>
        {days.map(({ day, hours: ofDay }) => (
          <Fragment key={day}>
            <Text size="xs" className={classes.day}>
              {formatWeekday(day, 'short')}
            </Text>
            {ofDay.map(({ hour, count }) => (
              <div
                key={hour}
                className={classes.cell}
                style={{ '--share': count / peak.count } as CSSProperties}
                title={t('common.named', {
                  what: `${formatWeekday(day, 'long')}, ${formatHour(hour)}`,
                  name: formatNumber(count),
                })}
              />
            ))}
          </Fragment>
        ))}
        <span />
        {hours
          .filter((hour) => hour % NAMED_HOURS === 0)
          .map((hour) => (
            <Text key={hour} size="xs" c="dimmed" truncate style={{ gridColumn: `span ${NAMED_HOURS}` }}>
              {formatHour(hour)}
            </Text>
          ))}
      </div>
      <ChartTable
        title={t('insights.heatmap')}
        heads={[t('insights.day'), ...hours.map(formatHour)]}
        rows={days.map(({ day, hours: ofDay }) => ({
          key: String(day),
          cells: [formatWeekday(day, 'long'), ...ofDay.map(({ count }) => formatNumber(count))],
        }))}
      />
    </Stack>
  );
}
