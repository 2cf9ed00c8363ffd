import { Table, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { WrappingCell } from '../WrappingCell';
import { headerLines, type HeaderLine } from './header-lines';

/** The headers of a raw mail. */
export function MailHeaders({ text }: { readonly text: string }): ReactNode {
  const { t } = useTranslation();
  const lines = headerLines(text);
  if (lines.length === 0) return <Text size="sm">{t('mailFacts.noHeaders')}</Text>;
  return <HeaderTable label={t('mailFacts.kinds.headers')} lines={lines} />;
}

interface HeaderTableProps {
  readonly label: string;
  readonly lines: readonly HeaderLine[];
}

/** Names and values, of which any may be long. */
export function HeaderTable({ label, lines }: HeaderTableProps): ReactNode {
  return (
    <Table aria-label={label} layout="fixed" verticalSpacing={4} fz="xs">
      <Table.Tbody>
        {lines.map(({ name, value }, index) => (
          <Table.Tr key={index}>
            <Table.Th scope="row" w="30%" style={{ overflowWrap: 'anywhere', verticalAlign: 'top' }}>
              {name}
            </Table.Th>
            <WrappingCell>{value}</WrappingCell>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
