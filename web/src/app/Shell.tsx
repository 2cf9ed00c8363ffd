import { Anchor, AppShell, Group } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Notifications } from '@mantine/notifications';
import { Link, Outlet } from '@tanstack/react-router';
import { useEffect, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { JobTray } from '../jobs/JobTray';
import { answerTabs } from '../jobs/uploads/uploads-elsewhere';
import { useUploadWarning } from '../jobs/uploads/use-uploads';
import { AccountSwitcher } from './AccountSwitcher';
import { Banners } from './Banners';
import { Bell } from './Bell';
import { BottomBar } from './BottomBar';
import { HeaderSearch } from './HeaderSearch';
import { Navigation } from './Navigation';
import { PlaceTabs } from './PlaceTabs';
import classes from './places.module.css';
import { Shortcuts } from './Shortcuts';
import { StorageBar } from './StorageBar';
import { UserMenu } from './UserMenu';
import { useChosenLanguage } from './use-chosen-language';
import { useFocusOnReturn } from './use-focus-on-return';
import { useLoadedPages } from './use-loaded-pages';
import { useLiveUpdates } from './use-live-updates';

const CONTENT_ID = 'content';
const HEADER_PX = 56;
const NAVIGATION_PX = 230;
const BOTTOM_BAR_PX = 60;
/** Below, the first places are at the bottom, and all of them behind a button there; the theme's `md`. */
const NARROW = 'md';

/** The frame of every page of a signed-in person. */
export function Shell(): ReactNode {
  const { t } = useTranslation();
  const [opened, { toggle, close }] = useDisclosure();
  useChosenLanguage();
  useLiveUpdates();
  useLoadedPages();
  useFocusOnReturn(CONTENT_ID);
  useUploadWarning();
  useEffect(answerTabs, []);
  return (
    <AppShell
      header={{ height: HEADER_PX }}
      navbar={{ width: NAVIGATION_PX, breakpoint: NARROW, collapsed: { mobile: !opened } }}
      footer={{ height: { base: BOTTOM_BAR_PX, [NARROW]: 0 } }}
      padding="md"
    >
      <Anchor href={`#${CONTENT_ID}`} className="skip-link">
        {t('common.skipToContent')}
      </Anchor>
      <AppShell.Header>
        <Group h="100%" px="md" gap="sm" wrap="nowrap">
          <Anchor component={Link} to="/" fw={700} underline="never" c="inherit" visibleFrom="sm">
            <Group gap={8} wrap="nowrap">
              <img src="/icon.svg" alt="" width={24} height={24} />
              {t('common.appName')}
            </Group>
          </Anchor>
          <HeaderSearch />
          <Group gap="xs" wrap="nowrap">
            <JobTray />
            <Bell />
            <UserMenu />
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar
        p="sm"
        aria-label={t('shell.navigation')}
        className={classes.menu}
        data-opened={opened || undefined}
      >
        <AppShell.Section mb="sm">
          <AccountSwitcher onChosen={close} />
        </AppShell.Section>
        <AppShell.Section grow style={{ overflowY: 'auto' }}>
          <Navigation onChosen={close} />
        </AppShell.Section>
        <AppShell.Section>
          <StorageBar />
        </AppShell.Section>
      </AppShell.Navbar>
      <BottomBar isMenuOpen={opened} onMenu={toggle} onChosen={close} />
      <Shortcuts />
      {/* In the middle they cover neither the tray nor the buttons of forms. */}
      <Notifications position="bottom-center" />
      <AppShell.Main id={CONTENT_ID} tabIndex={-1}>
        <Banners />
        <PlaceTabs />
        <Outlet />
      </AppShell.Main>
    </AppShell>
  );
}
