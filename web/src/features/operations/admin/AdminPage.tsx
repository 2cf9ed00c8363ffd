import { Tabs } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useMe } from '../../../api/me';
import { EmptyState } from '../../../ui/EmptyState';
import { Page } from '../../../ui/Page';
import { AdminAudit } from './AdminAudit';
import { AdminFigures } from './AdminFigures';
import { AdminJobs } from './AdminJobs';
import { AdminUsers } from './AdminUsers';

const TABS = ['users', 'jobs', 'audit'] as const;

/** The installation: its figures, users, jobs and log. */
export function AdminPage(): ReactNode {
  const { t } = useTranslation();
  const { user } = useMe();
  const { tab = 'users' } = useSearch({ from: '/signed-in/admin' });
  const navigate = useNavigate({ from: '/admin' });
  if (user.role !== 'admin') return <EmptyState text={t('problems.codes.admin-required')} />;
  return (
    <Page title={t('admin.title')}>
      <AdminFigures />
      <Tabs
        value={tab}
        keepMounted={false}
        onChange={(chosen) =>
          void navigate({ search: { tab: TABS.find((one) => one === chosen) }, replace: true })
        }
      >
        <Tabs.List>
          {TABS.map((one) => (
            <Tabs.Tab key={one} value={one}>
              {t(`admin.tabs.${one}`)}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value="users" pt="md">
          <AdminUsers />
        </Tabs.Panel>
        <Tabs.Panel value="jobs" pt="md">
          <AdminJobs />
        </Tabs.Panel>
        <Tabs.Panel value="audit" pt="md">
          <AdminAudit />
        </Tabs.Panel>
      </Tabs>
    </Page>
  );
}
