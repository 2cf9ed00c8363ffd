import { useLocation } from '@tanstack/react-router';
import { useEffect, useRef, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { hasNoMailbox, useAccount } from '../api/me';
import { PlainRow } from '../ui/PlainList';
import { PageLink } from './PageLink';
import classes from './places.module.css';
import { usePlaces } from './places';

/** The pages of the place that is open, above the page; nothing where there is only one. */
export function PlaceTabs(): ReactNode {
  const { t } = useTranslation();
  const account = useAccount();
  const place = usePlaces().find(({ isOpen }) => isOpen);
  if (!place || place.pages.length === 1) return null;
  const { name, pages } = place;
  const textOf = (text: (typeof pages)[number]['text']): string =>
    t(`shell.pages.${text === 'keep' && account && hasNoMailbox(account) ? 'integrity' : text}`);
  return (
    <Tabs label={t(`shell.places.${name}`)}>
      {pages.map(({ to, text }) => (
        <li key={to}>
          <PageLink to={to} className={classes.tab}>
            {textOf(text)}
          </PageLink>
        </li>
      ))}
    </Tabs>
  );
}

interface TabsProps {
  readonly label: string;
  readonly children: ReactNode;
}

/** A row that scrolls sideways where it is too long, so that the tab of the page that is open is in sight. */
function Tabs({ label, children }: TabsProps): ReactNode {
  const row = useRef<HTMLElement>(null);
  const page = useLocation({ select: ({ pathname }) => pathname });
  useEffect(() => {
    const open = row.current?.querySelector<HTMLElement>('[aria-current=page]');
    if (row.current && open) row.current.scrollLeft = open.offsetLeft - row.current.clientWidth / 3;
  }, [page]);
  return (
    <nav ref={row} aria-label={label} className={classes.tabs}>
      <PlainRow gap={4} wrap="nowrap">
        {children}
      </PlainRow>
    </nav>
  );
}
