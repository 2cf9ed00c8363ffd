import { AppShell } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { PageLink } from './PageLink';
import classes from './places.module.css';
import { usePlaces } from './places';

/** Number of places that fit beside the button for the others. */
const SHOWN = 4;
const ICON_PX = 22;

interface BottomBarProps {
  /** Whether the menu with all places is open. */
  readonly isMenuOpen: boolean;
  readonly onMenu: () => void;
  readonly onChosen: () => void;
}

/** The first places within reach of the thumb, on narrow screens; the others are behind its last button. */
export function BottomBar({ isMenuOpen, onMenu, onChosen }: BottomBarProps): ReactNode {
  const { t } = useTranslation();
  const places = usePlaces();
  const isElsewhere = places.slice(SHOWN).some(({ isOpen }) => isOpen);
  return (
    <AppShell.Footer className={classes.bottom}>
      <nav aria-label={t('shell.mainPlaces')} className={classes.bar}>
        {places.slice(0, SHOWN).map(({ name, icon: Icon, pages: [{ to }], isOpen }) => (
          <PageLink
            key={name}
            to={to}
            className={classes.place}
            data-open={(isOpen && !isMenuOpen) || undefined}
            aria-current={isOpen || undefined}
            onClick={onChosen}
          >
            <Icon size={ICON_PX} aria-hidden />
            {t(`shell.places.${name}`)}
          </PageLink>
        ))}
        <button
          type="button"
          className={classes.place}
          data-open={isMenuOpen || isElsewhere || undefined}
          aria-expanded={isMenuOpen}
          onClick={onMenu}
        >
          <IconDots size={ICON_PX} aria-hidden />
          {t('shell.more')}
        </button>
      </nav>
    </AppShell.Footer>
  );
}
