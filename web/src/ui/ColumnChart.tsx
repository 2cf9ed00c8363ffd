import { Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './chart.module.css';

export interface Column {
  readonly key: string;
  readonly value: number;
  /** Name and value of the column, shown on hover. */
  readonly title: string;
}

interface ColumnChartProps {
  readonly columns: readonly Column[];
  /** Below the first and the last column. */
  readonly from: string;
  readonly to: string;
}

/** A low column is seen, and differs from none. */
const LOWEST_PERCENT = 1.5;

/** Columns that stand side by side, as high as their values. Hidden from screen readers: a table goes with it. */
export function ColumnChart({ columns, from, to }: ColumnChartProps): ReactNode {
  const most = Math.max(1, ...columns.map(({ value }) => value));
  return (
    <div aria-hidden>
      <div className={classes.columns}>
        {columns.map(({ key, value, title }) => (
          <div key={key} className={classes.column} title={title}>
            <div
              className={classes.bar}
              style={{ height: value > 0 ? `${Math.max(LOWEST_PERCENT, (value / most) * 100)}%` : 0 }}
            />
          </div>
        ))}
      </div>
      <Group justify="space-between" gap="xs" wrap="nowrap">
        <Text size="xs" c="dimmed">
          {from}
        </Text>
        {columns.length > 1 && (
          <Text size="xs" c="dimmed">
            {to}
          </Text>
        )}
      </Group>
    </div>
  );
}
