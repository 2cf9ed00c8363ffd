import { Group, NativeSelect, SegmentedControl } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { MailboxAccount } from '../../../api/me';

/** The part of a search's address that says where is searched, and in which order. */
export interface SearchChoice {
  readonly place?: 'mailbox' | 'archive';
  readonly account?: string;
  readonly sort?: 'relevance';
}

interface SearchFiltersProps {
  readonly choice: SearchChoice;
  readonly accounts: readonly MailboxAccount[];
  readonly onChange: (changes: SearchChoice) => void;
}

const PLACES = ['all', 'mailbox', 'archive'] as const;
const SORTS = ['date', 'relevance'] as const;
const ALL = '';

/** Where is searched, and in which order the results are. */
export function SearchFilters({ choice, accounts, onChange }: SearchFiltersProps): ReactNode {
  const { t } = useTranslation();
  const { place = 'all', account = ALL, sort = 'date' } = choice;
  return (
    <Group gap="xs">
      <SegmentedControl
        size="xs"
        aria-label={t('search.where')}
        value={place}
        data={PLACES.map((value) => ({ value, label: t(`search.places.${value}`) }))}
        onChange={(value) => onChange({ place: value === 'all' ? undefined : value })}
      />
      {accounts.length > 1 && (
        <NativeSelect
          size="xs"
          aria-label={t('search.account')}
          value={account}
          data={[
            { value: ALL, label: t('search.allAccounts') },
            ...accounts.map(({ id, email }) => ({ value: id, label: email })),
          ]}
          onChange={(event) => onChange({ account: event.currentTarget.value || undefined })}
        />
      )}
      <SegmentedControl
        size="xs"
        aria-label={t('search.order')}
        value={sort}
        data={SORTS.map((value) => ({ value, label: t(`search.orders.${value}`) }))}
        onChange={(value) => onChange({ sort: value === 'date' ? undefined : value })}
      />
    </Group>
  );
}
