import { NavLink } from '@mantine/core';
import {
  IconArchive,
  IconChartBar,
  IconChartLine,
  IconEyeOff,
  IconHourglass,
  IconListDetails,
  IconShieldLock,
  IconInbox,
  IconLayoutDashboard,
  IconNews,
  IconRobot,
  IconSettings,
  IconShieldCheck,
  IconTransfer,
} from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { hasNoMailbox, useAccount, useMe } from '../api/me';

const ICON_PX = 18;

/** Pages of one mailbox. */
const OF_ACCOUNT = [
  { to: '/a/$accountId/overview', text: 'shell.overview', icon: IconLayoutDashboard },
  { to: '/a/$accountId/space', text: 'shell.space', icon: IconChartBar },
  { to: '/a/$accountId/mailbox', text: 'shell.mailbox', icon: IconInbox },
  { to: '/a/$accountId/archive', text: 'shell.archive', icon: IconArchive },
  { to: '/a/$accountId/keep', text: 'shell.keep', icon: IconShieldCheck },
  { to: '/a/$accountId/rules', text: 'shell.rules', icon: IconRobot },
  { to: '/a/$accountId/newsletters', text: 'shell.newsletters', icon: IconNews },
  { to: '/a/$accountId/privacy', text: 'shell.privacy', icon: IconEyeOff },
  { to: '/a/$accountId/insights', text: 'shell.insights', icon: IconChartLine },
  { to: '/a/$accountId/transfer', text: 'shell.transfer', icon: IconTransfer },
] as const;

/** Pages that show something of an archive without a mailbox. */
const OF_ARCHIVE = new Set<string>(['shell.archive', 'shell.keep', 'shell.privacy', 'shell.transfer']);

/** Pages about everything a person has here. */
const OF_PERSON = [
  { to: '/retention', text: 'shell.retention', icon: IconHourglass },
  { to: '/audit', text: 'shell.audit', icon: IconListDetails },
  { to: '/settings', text: 'shell.settings', icon: IconSettings },
] as const;

const OF_ADMINISTRATORS = [{ to: '/admin', text: 'shell.admin', icon: IconShieldLock }] as const;

/** The pages, those of the chosen mailbox first. */
export function Navigation({ onChosen }: { readonly onChosen: () => void }): ReactNode {
  const { t } = useTranslation();
  const account = useAccount();
  const { user } = useMe();
  const shown =
    account && hasNoMailbox(account) ? OF_ACCOUNT.filter(({ text }) => OF_ARCHIVE.has(text)) : OF_ACCOUNT;
  return (
    <>
      {account &&
        shown.map(({ to, text, icon: Icon }) => (
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
            label={t(text === 'shell.keep' && hasNoMailbox(account) ? 'shell.integrity' : text)}
            leftSection={<Icon size={ICON_PX} aria-hidden />}
            onClick={onChosen}
          />
        ))}
      {[...OF_PERSON, ...(user.role === 'admin' ? OF_ADMINISTRATORS : [])].map(({ to, text, icon: Icon }) => (
        <NavLink
          key={to}
          renderRoot={(props) => <Link to={to} activeProps={{ 'data-active': true }} {...props} />}
          label={t(text)}
          leftSection={<Icon size={ICON_PX} aria-hidden />}
          onClick={onChosen}
        />
      ))}
    </>
  );
}
