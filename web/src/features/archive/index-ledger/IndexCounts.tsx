import { Button, Table, Text } from '@mantine/core';
import type { Schemas } from '@mailroom/sdk';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { formatNumber } from '../../../i18n/format';
import { CLASSES, type IndexClass, type IndexKind } from './index-classes';

interface IndexCountsProps {
  readonly mails: Schemas['IndexCountsResponse'];
  readonly attachments: Schemas['IndexCountsResponse'];
  readonly shown: { readonly kind: IndexKind; readonly class: IndexClass } | undefined;
  readonly onShow: (kind: IndexKind, name: IndexClass | undefined) => void;
}

/** Messages and attachments by class. Each number leads to the list of what it counts. */
export function IndexCounts({ mails, attachments, shown, onShow }: IndexCountsProps): ReactNode {
  const { t } = useTranslation();
  const cell = (kind: IndexKind, name: IndexClass, count: number): ReactNode => {
    const isShown = shown?.kind === kind && shown.class === name;
    if (count === 0) return formatNumber(0);
    return (
      <Button
        size="compact-sm"
        variant={isShown ? 'filled' : 'default'}
        aria-pressed={isShown}
        aria-label={t(`search.index.listOf.${kind}`, {
          count,
          name: t(`search.index.classes.${name}`),
        })}
        onClick={() => onShow(kind, isShown ? undefined : name)}
      >
        {formatNumber(count)}
      </Button>
    );
  };
  return (
    <Table.ScrollContainer minWidth={300}>
      <Table aria-label={t('search.index.title')} verticalSpacing={4}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('search.index.class')}</Table.Th>
            <Table.Th ta="end">{t('search.index.mails')}</Table.Th>
            <Table.Th ta="end">{t('search.index.attachments')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {CLASSES.map(([name, field]) => (
            <Table.Tr key={name}>
              <Table.Th scope="row" fw={400}>
                <Text size="sm">{t(`search.index.classes.${name}`)}</Text>
                <Text size="xs" c="dimmed">
                  {t(`search.index.classTexts.${name}`)}
                </Text>
              </Table.Th>
              <Table.Td ta="end">{cell('mail', name, mails[field])}</Table.Td>
              <Table.Td ta="end">{cell('attachment', name, attachments[field])}</Table.Td>
            </Table.Tr>
          ))}
          <Table.Tr>
            <Table.Th scope="row">{t('search.index.total')}</Table.Th>
            <Table.Td ta="end" fw={600}>
              {formatNumber(mails.total)}
            </Table.Td>
            <Table.Td ta="end" fw={600}>
              {formatNumber(attachments.total)}
            </Table.Td>
          </Table.Tr>
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
