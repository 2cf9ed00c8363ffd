import { ActionIcon, Menu, useMantineColorScheme, type MantineColorScheme } from '@mantine/core';
import { IconDeviceDesktop, IconLogout, IconMoon, IconSun, IconUser } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { signOut } from '../api/session';
import { useMe } from '../api/me';
import { LANGUAGES, useLanguage } from '../i18n';
import { ProblemView } from '../ui/ProblemView';
import { useLanguageChoice } from './use-chosen-language';

const ICON_PX = 16;

const SCHEMES = [
  { scheme: 'light', icon: IconSun },
  { scheme: 'dark', icon: IconMoon },
  { scheme: 'auto', icon: IconDeviceDesktop },
] as const satisfies readonly { scheme: MantineColorScheme; icon: unknown }[];

/** Menu with the signed-in user, the appearance of the pages, and the sign-out. */
export function UserMenu(): ReactNode {
  const { t } = useTranslation();
  const { user } = useMe();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const language = useLanguage();
  const choose = useLanguageChoice();
  const leave = useMutation({
    mutationFn: signOut,
    // Loaded anew: nothing of the person stays in memory.
    onSuccess: () => window.location.assign('/login'),
  });
  return (
    <Menu position="bottom-end" width={230}>
      <Menu.Target>
        <ActionIcon variant="default" size="lg" aria-label={t('shell.userMenu')}>
          <IconUser size={18} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{user.email}</Menu.Label>
        <Menu.Divider />
        <Menu.Label>{t('common.theme.label')}</Menu.Label>
        {SCHEMES.map(({ scheme, icon: Icon }) => (
          <Menu.Item
            key={scheme}
            leftSection={<Icon size={ICON_PX} aria-hidden />}
            aria-current={scheme === colorScheme}
            fw={scheme === colorScheme ? 600 : undefined}
            onClick={() => setColorScheme(scheme)}
          >
            {t(`common.theme.${scheme}`)}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Label>{t('common.language')}</Menu.Label>
        {LANGUAGES.map((name) => (
          <Menu.Item
            key={name}
            lang={name}
            closeMenuOnClick={false}
            aria-current={name === language}
            fw={name === language ? 600 : undefined}
            onClick={() => choose.mutate(name)}
          >
            {t(`common.languages.${name}`)}
          </Menu.Item>
        ))}
        {choose.error && <ProblemView error={choose.error} />}
        <Menu.Divider />
        <Menu.Item leftSection={<IconLogout size={ICON_PX} aria-hidden />} onClick={() => leave.mutate()}>
          {t('shell.signOut')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
