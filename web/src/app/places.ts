import {
  IconArchive,
  IconEraser,
  IconHome,
  IconInbox,
  IconServer,
  IconSettings,
  IconShieldCheck,
} from '@tabler/icons-react';
import { useLocation } from '@tanstack/react-router';
import { hasNoMailbox, useAccount, useMe, type MailboxAccount } from '../api/me';

/** Condition for a page to be there: an account, one with a mailbox, or no account. */
type Need = 'account' | 'mailbox' | 'none';

const PLACES = [
  {
    name: 'home',
    icon: IconHome,
    pages: [
      { to: '/a/$accountId/overview', text: 'home', needs: 'account' },
      { to: '/home', text: 'home', needs: 'none' },
    ],
  },
  { name: 'mail', icon: IconInbox, pages: [{ to: '/a/$accountId/mailbox', text: 'mail', needs: 'mailbox' }] },
  {
    name: 'archive',
    icon: IconArchive,
    pages: [{ to: '/a/$accountId/archive', text: 'archive', needs: 'account' }],
    also: ['/a/$accountId/attachments', '/a/$accountId/index'],
  },
  {
    name: 'cleanUp',
    icon: IconEraser,
    pages: [
      { to: '/a/$accountId/space', text: 'space', needs: 'mailbox' },
      { to: '/a/$accountId/newsletters', text: 'newsletters', needs: 'mailbox' },
      { to: '/a/$accountId/rules', text: 'rules', needs: 'mailbox' },
      { to: '/a/$accountId/insights', text: 'insights', needs: 'mailbox' },
    ],
  },
  {
    name: 'protect',
    icon: IconShieldCheck,
    pages: [
      { to: '/a/$accountId/keep', text: 'keep', needs: 'account' },
      { to: '/retention', text: 'retention', needs: 'account' },
      { to: '/a/$accountId/privacy', text: 'privacy', needs: 'account' },
    ],
  },
  {
    name: 'settings',
    icon: IconSettings,
    pages: [
      { to: '/settings', text: 'mailboxes' },
      { to: '/a/$accountId/transfer', text: 'transfer', needs: 'account' },
      { to: '/settings/profile', text: 'profile' },
      { to: '/settings/security', text: 'security' },
      { to: '/notifications', text: 'notifications' },
      { to: '/settings/keys', text: 'apiKeys' },
      { to: '/settings/storage', text: 'storage' },
      { to: '/settings/webhooks', text: 'webhooks' },
      { to: '/audit', text: 'audit' },
    ],
  },
  { name: 'admin', icon: IconServer, pages: [{ to: '/admin', text: 'admin' }] },
] as const satisfies readonly {
  readonly pages: readonly { readonly to: string; readonly text: string; readonly needs?: Need }[];
  readonly [key: string]: unknown;
}[];

type AnyPlace = (typeof PLACES)[number];
type PlacePage = AnyPlace['pages'][number];

export interface Place {
  readonly name: AnyPlace['name'];
  readonly icon: AnyPlace['icon'];
  /** The first is that on which the place opens. */
  readonly pages: readonly [PlacePage, ...PlacePage[]];
  /** Whether one is on a page of it. */
  readonly isOpen: boolean;
}

const isThere = (page: PlacePage, account: MailboxAccount | undefined): boolean => {
  if (!('needs' in page)) return true;
  if (account === undefined) return page.needs === 'none';
  return page.needs === 'account' || (page.needs === 'mailbox' && !hasNoMailbox(account));
};

/** The places that the person has, each with its pages. */
export function usePlaces(): readonly Place[] {
  const { user } = useMe();
  const account = useAccount();
  const address = useLocation({ select: ({ pathname }) => routeOf(pathname) });
  return PLACES.filter(({ name }) => name !== 'admin' || user.role === 'admin').flatMap((place) => {
    const { name, icon } = place;
    const [first, ...others] = place.pages.filter((page) => isThere(page, account));
    return first ? [{ name, icon, pages: [first, ...others], isOpen: placeAt(address) === name }] : [];
  });
}

const routeOf = (pathname: string): string =>
  pathname.replace(/^\/a\/[^/]+/, '/a/$accountId').replace(/(?<=.)\/$/, '');

/** The place of a page, by the page's route; undefined for pages that are of none, as the results of a search. */
export const placeAt = (route: string): AnyPlace['name'] | undefined =>
  PLACES.find(
    (place) =>
      place.pages.some(({ to }) => to === route) ||
      ('also' in place && place.also.some((to: string) => to === route)),
  )?.name;
