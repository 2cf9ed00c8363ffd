import { Button, Stack } from '@mantine/core';
import { Link, Outlet, useRouterState } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { PlainRow } from '../ui/PlainList';

const PAGES = [
  { to: '/settings', text: 'settings.pages.mailboxes' },
  { to: '/settings/profile', text: 'settings.pages.profile' },
  { to: '/settings/security', text: 'settings.pages.security' },
  { to: '/settings/keys', text: 'settings.pages.apiKeys' },
  { to: '/settings/storage', text: 'settings.pages.storage' },
  { to: '/settings/webhooks', text: 'settings.pages.webhooks' },
] as const;

/** The settings of a person, a page for each kind. */
export function SettingsLayout(): ReactNode {
  const { t } = useTranslation();
  const path = useRouterState({ select: ({ location }) => location.pathname.replace(/\/$/, '') });
  return (
    <Stack gap="md">
      <nav aria-label={t('settings.sections')}>
        <PlainRow gap={4}>
          {PAGES.map(({ to, text }) => (
            <li key={to}>
              <Button
                size="compact-sm"
                variant={path === to ? 'filled' : 'default'}
                renderRoot={(props) => <Link to={to} activeOptions={{ exact: true }} {...props} />}
              >
                {t(text)}
              </Button>
            </li>
          ))}
        </PlainRow>
      </nav>
      <Outlet />
    </Stack>
  );
}
