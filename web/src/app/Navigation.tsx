import { NavLink } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { PageLink } from './PageLink';
import { usePlaces } from './places';

const ICON_PX = 20;

/** The places. Those with several pages show these above the page that is open. */
export function Navigation({ onChosen }: { readonly onChosen: () => void }): ReactNode {
  const { t } = useTranslation();
  return usePlaces().map(({ name, icon: Icon, pages: [{ to }], isOpen }) => (
    <NavLink
      key={name}
      renderRoot={(props) => <PageLink to={to} {...props} />}
      active={isOpen}
      aria-current={isOpen || undefined}
      label={t(`shell.places.${name}`)}
      leftSection={<Icon size={ICON_PX} aria-hidden />}
      onClick={onChosen}
    />
  ));
}
