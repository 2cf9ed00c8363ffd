import { NavLink } from '@mantine/core';
import {
  IconArchive,
  IconChartBar,
  IconInbox,
  IconLayoutDashboard,
  IconSettings,
  IconShieldCheck,
  IconTransfer,
} from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useAccount } from '../api/me';

const ICON_PX = 18;

/** Pages of one mailbox. */
const OF_ACCOUNT = [
  { to: '/a/$accountId/overview', text: 'shell.overview', icon: IconLayoutDashboard },
  { to: '/a/$accountId/space', text: 'shell.space', icon: IconChartBar },
  { to: '/a/$accountId/mailbox', text: 'shell.mailbox', icon: IconInbox },
  { to: '/a/$accountId/archive', text: 'shell.archive', icon: IconArchive },
  { to: '/a/$accountId/keep', text: 'shell.keep', icon: IconShieldCheck },
  { to: '/a/$accountId/transfer', text: 'shell.transfer', icon: IconTransfer },
] as const;

/** The pages, those of the chosen mailbox first. */
export function Navigation({ onChosen }: { readonly onChosen: () => void }): ReactNode {
  const { t } = useTranslation();
  const account = useAccount();
  return (
    <>
      {account &&
        OF_ACCOUNT.map(({ to, text, icon: Icon }) => (
          <NavLink
            key={to}
            renderRoot={(props) => (
              <Link
                to={to}
                params={{ accountId: account.id }}
                activeProps={{ 'data-active': true }}
                {...props}
              />
            )}
            label={t(text)}
            leftSection={<Icon size={ICON_PX} aria-hidden />}
            onClick={onChosen}
          />
        ))}
      <NavLink
        renderRoot={(props) => <Link to="/settings" activeProps={{ 'data-active': true }} {...props} />}
        label={t('shell.settings')}
        leftSection={<IconSettings size={ICON_PX} aria-hidden />}
        onClick={onChosen}
      />
    </>
  );
}
