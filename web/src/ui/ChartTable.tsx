import { Box, Table, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { WrappingHead } from './WrappingCell';

export interface ChartRow {
  readonly key: string;
  /** The first names the row. */
  readonly cells: readonly [ReactNode, ...ReactNode[]];
}

interface ChartTableProps {
  /** Title of the chart. */
  readonly title: string;
  /** Text of the button that opens the table, where it does not belong to a chart. */
  readonly summary?: string;
  /** Headings of the columns. */
  readonly heads: readonly string[];
  readonly rows: readonly ChartRow[];
}

const HEIGHT_PX = 320;
/** Long enough for each word of a date: only longer ones are broken. Where there is no room the table scrolls sideways. */
const NAME_WIDTH = '9em';

/** The figures of a chart, for those who do not see it, or want to know exactly. */
export function ChartTable({ title, summary, heads, rows }: ChartTableProps): ReactNode {
  const { t } = useTranslation();
  return (
    <details>
      <Text component="summary" size="xs">
        {summary ?? t('charts.asTable')}
      </Text>
      {/* A region that scrolls takes the focus, or keys do not reach all of it. */}
      <Box tabIndex={0} role="group" aria-label={title} mah={HEIGHT_PX} style={{ overflow: 'auto' }}>
        <Table aria-label={title} verticalSpacing={2} fz="xs">
          <Table.Thead>
            <Table.Tr>
              {heads.map((head, place) => (
                <Table.Th key={head} scope="col" ta={place === 0 ? undefined : 'end'}>
                  {head}
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.map(({ key, cells: [name, ...values] }) => (
              <Table.Tr key={key}>
                <WrappingHead scope="row" fw={400} miw={NAME_WIDTH}>
                  {name}
                </WrappingHead>
                {values.map((value, place) => (
                  <Table.Td key={heads[place + 1]} ta="end">
                    {value}
                  </Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Box>
    </details>
  );
}
