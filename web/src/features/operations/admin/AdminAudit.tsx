import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { op } from '../../../api/op';
import { AuditEntries } from '../../../shared/audit/AuditEntries';
import { EmptyState } from '../../../ui/EmptyState';
import { Pages } from '../../../ui/Pages';
import { QueryView } from '../../../ui/QueryView';

const PER_PAGE = 50;

/** The audit log of the installation. */
export function AdminAudit(): ReactNode {
  const { t } = useTranslation();
  const [page, setPage] = useState(1);
  const entries = useQuery(op('admin.listAudit', { page, limit: PER_PAGE }));
  return (
    <QueryView
      query={entries}
      empty={{ when: ({ total }) => total === 0, show: <EmptyState text={t('audit.none')} /> }}
    >
      {({ entries: found, total }) => (
        <>
          <AuditEntries entries={found} />
          <Pages total={total} perPage={PER_PAGE} page={page} onChange={setPage} />
        </>
      )}
    </QueryView>
  );
}
