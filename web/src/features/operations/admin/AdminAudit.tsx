import { Select, Stack } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { mailroom } from '../../../api/client';
import { op } from '../../../api/op';
import { toAuditQuery, type AuditFilter } from '../../../shared/audit/audit-filter';
import { AuditEntries } from '../../../shared/audit/AuditEntries';
import { AuditFilters } from '../../../shared/audit/AuditFilters';
import { EmptyState } from '../../../ui/EmptyState';
import { Pages } from '../../../ui/Pages';
import { QueryView } from '../../../ui/QueryView';

const PER_PAGE = 50;
const REST_MS = 300;

/** The audit log of the installation. */
export function AdminAudit(): ReactNode {
  const { t } = useTranslation();
  const [page, setPage] = useState(1);
  const [filter, setFilter] = useState<AuditFilter>({});
  const query = toAuditQuery(filter);
  const entries = useQuery({
    ...op('admin.listAudit', { page, limit: PER_PAGE, ...query }),
    placeholderData: keepPreviousData,
  });
  const change = (chosen: AuditFilter): void => {
    setFilter(chosen);
    setPage(1);
  };
  return (
    <Stack>
      <AuditFilters
        filter={filter}
        exportAddress={mailroom.urlOf('admin.exportAudit', query)}
        onChange={change}
      >
        <PersonSelect value={filter.actorId} onChange={(actorId) => change({ ...filter, actorId })} />
      </AuditFilters>
      <QueryView
        query={entries}
        empty={{ when: ({ total }) => total === 0, show: <EmptyState text={t('audit.noneSuch')} /> }}
      >
        {({ entries: found, total }) => (
          <>
            <AuditEntries entries={found} />
            <Pages total={total} perPage={PER_PAGE} page={page} onChange={setPage} />
          </>
        )}
      </QueryView>
    </Stack>
  );
}

interface PersonSelectProps {
  readonly value: string | undefined;
  readonly onChange: (userId: string | undefined) => void;
}

/** A user, found by what is typed of their address. */
function PersonSelect({ value, onChange }: PersonSelectProps): ReactNode {
  const { t } = useTranslation();
  const [typed, setTyped] = useState('');
  const [search] = useDebouncedValue(typed.trim(), REST_MS);
  const users = useQuery({
    ...op('admin.listUsers', { limit: 20, ...(search !== '' && { search }) }),
    placeholderData: keepPreviousData,
  });
  return (
    <Select
      label={t('audit.person')}
      placeholder={t('audit.all')}
      searchable
      clearable
      value={value ?? null}
      onChange={(id) => onChange(id ?? undefined)}
      onSearchChange={setTyped}
      // The service has searched.
      filter={({ options }) => options}
      data={(users.data?.users ?? []).map(({ id, email }) => ({ value: id, label: email }))}
    />
  );
}
