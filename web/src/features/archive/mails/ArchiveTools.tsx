import { Group, NativeSelect, SegmentedControl } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { ArchiveConditions, ArchiveOrder } from './archive-filter';
import { FilterForm } from './FilterForm';

const ORDERS = [
  ['newest', {}],
  ['oldest', { up: true }],
  ['largest', { sort: 'size' }],
  ['smallest', { sort: 'size', up: true }],
  ['sender', { sort: 'sender', up: true }],
  ['subject', { sort: 'subject', up: true }],
] as const satisfies readonly (readonly [string, ListOrder])[];

/** The order of a list, as the address has it. */
export interface ListOrder {
  readonly sort?: ArchiveOrder['sort'];
  /** From the other end. */
  readonly up?: true;
}

export const orderOf = ({ sort, up }: ListOrder): ArchiveOrder => ({
  sort,
  order: up === true ? 'asc' : undefined,
});

interface ArchiveToolsProps {
  readonly conditions: ArchiveConditions;
  readonly order: ListOrder;
  readonly view: 'threads' | undefined;
  readonly onConditions: (changes: ArchiveConditions) => void;
  readonly onOrder: (order: ListOrder) => void;
  readonly onView: (view: 'threads' | undefined) => void;
}

/** Conditions, order and kind of the list. */
export function ArchiveTools(props: ArchiveToolsProps): ReactNode {
  const { conditions, order, view, onConditions, onOrder, onView } = props;
  const { t } = useTranslation();
  const isSorted = ([, { sort, up }]: readonly [string, ListOrder]): boolean =>
    sort === order.sort && up === order.up;
  return (
    <Group gap="xs">
      <FilterForm conditions={conditions} onChange={onConditions} />
      <SegmentedControl
        size="xs"
        aria-label={t('archive.view')}
        value={view ?? 'mails'}
        onChange={(next) => onView(next === 'threads' ? 'threads' : undefined)}
        data={[
          { value: 'mails', label: t('archive.mails') },
          { value: 'threads', label: t('archive.threads') },
        ]}
      />
      {/* Conversations have one order only. */}
      {view === undefined && (
        <NativeSelect
          size="xs"
          aria-label={t('archive.order')}
          value={ORDERS.find(isSorted)?.[0] ?? 'newest'}
          onChange={({ currentTarget }) =>
            onOrder(ORDERS.find(([name]) => name === currentTarget.value)?.[1] ?? {})
          }
          data={ORDERS.map(([name]) => ({ value: name, label: t(`archive.orders.${name}`) }))}
        />
      )}
    </Group>
  );
}
