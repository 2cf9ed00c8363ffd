import { NativeSelect, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { op } from '../../../api/op';
import { AuditEntries } from '../../../shared/audit/AuditEntries';
import { EmptyState } from '../../../ui/EmptyState';
import { Page } from '../../../ui/Page';
import { Pages } from '../../../ui/Pages';
import { QueryView } from '../../../ui/QueryView';

const PER_PAGE = 50;

/** Audit log of a person's account and mail: action, actor and origin. */
export function AuditPage(): ReactNode {
  const { t } = useTranslation();
  const [page, setPage] = useState(1);
  const [outcome, setOutcome] = useState<'success' | 'failure' | undefined>();
  const entries = useQuery(op('audit.list', { page, limit: PER_PAGE, ...(outcome && { outcome }) }));
  return (
    <Page title={t('audit.title')}>
      <Text c="dimmed">{t('audit.intro')}</Text>
      <NativeSelect
        label={t('audit.outcome')}
        maw={240}
        value={outcome ?? ''}
        onChange={(event) => {
          setOutcome((event.currentTarget.value || undefined) as typeof outcome);
          setPage(1);
        }}
        data={[
          { value: '', label: t('audit.all') },
          { value: 'success', label: t('audit.outcomes.success') },
          { value: 'failure', label: t('audit.outcomes.failure') },
        ]}
      />
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
    </Page>
  );
}
