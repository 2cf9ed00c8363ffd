import { Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { mailroom } from '../../../api/client';
import { useMe } from '../../../api/me';
import { op } from '../../../api/op';
import { toAuditQuery, type AuditFilter } from '../../../shared/audit/audit-filter';
import { AuditEntries } from '../../../shared/audit/AuditEntries';
import { AuditFilters } from '../../../shared/audit/AuditFilters';
import { EmptyState } from '../../../ui/EmptyState';
import { Page } from '../../../ui/Page';
import { Pages } from '../../../ui/Pages';
import { QueryView } from '../../../ui/QueryView';

const PER_PAGE = 50;

/** Audit log of a person's account and mail: who did what, when, and from where. */
export function AuditPage(): ReactNode {
  const { t } = useTranslation();
  const { mailboxAccounts } = useMe();
  const [page, setPage] = useState(1);
  const [filter, setFilter] = useState<AuditFilter>({});
  const query = toAuditQuery(filter);
  const isFiltered = Object.keys(query).length > 0;
  const entries = useQuery({
    ...op('audit.list', { page, limit: PER_PAGE, ...query }),
    placeholderData: keepPreviousData,
  });
  return (
    <Page title={t('audit.title')}>
      <Text c="dimmed">{t('audit.intro')}</Text>
      <AuditFilters
        filter={filter}
        mailboxes={mailboxAccounts}
        exportAddress={mailroom.urlOf('audit.exportCsv', query)}
        onChange={(chosen) => {
          setFilter(chosen);
          setPage(1);
        }}
      />
      <QueryView
        query={entries}
        empty={{
          when: ({ total }) => total === 0,
          show: <EmptyState text={t(isFiltered ? 'audit.noneSuch' : 'audit.none')} />,
        }}
      >
        {({ entries: found, total }) => (
          <>
            <AuditEntries entries={found} />
            <Pages total={total} perPage={PER_PAGE} page={page} onChange={setPage} />
          </>
        )}
      </QueryView>
    </Page>
  );
}
