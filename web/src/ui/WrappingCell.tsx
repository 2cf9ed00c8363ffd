import { Table } from '@mantine/core';

const WRAPPING = { style: { overflowWrap: 'anywhere' } } as const;

/** A cell of a table with text that people or other programs wrote. */
export const WrappingCell = Table.Td.withProps(WRAPPING);

/** The same for the name of a row. */
export const WrappingHead = Table.Th.withProps(WRAPPING);
