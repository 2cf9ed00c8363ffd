import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  Outlet,
  RouterProvider,
} from '@tanstack/react-router';
import { screen } from '@testing-library/react';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { renderPart } from '../../../../test/render';
import { loadTexts } from '../../../i18n/texts';
import { MailboxPage } from './MailboxPage';

const LISTED = 500;

describe('MailboxPage', () => {
  beforeAll(async () => {
    await Promise.all((['mailbox', 'mailFacts'] as const).map(loadTexts));
    await loadTexts('savedSearches');
  });
  afterEach(() => vi.unstubAllGlobals());

  const show = (nextPageToken: string | null): void => {
    const messages = Array.from({ length: LISTED }, (_, number) => ({ id: `m${number}`, threadId: 't' }));
    const answers: Readonly<Record<string, object>> = {
      '/api/mailbox/account/messages': { messages, nextPageToken, resultSizeEstimate: LISTED + 1 },
    };
    vi.stubGlobal('fetch', ({ url }: Request) =>
      Promise.resolve(Response.json(answers[new URL(url).pathname] ?? [])),
    );
    const root = createRootRoute({ component: Outlet });
    const signedIn = createRoute({ getParentRoute: () => root, id: 'signed-in', component: Outlet });
    const account = createRoute({
      getParentRoute: () => signedIn,
      path: '/a/$accountId',
      component: Outlet,
    });
    const mailbox = createRoute({
      getParentRoute: () => account,
      path: '/mailbox',
      component: MailboxPage,
    });
    const router = createRouter({
      routeTree: root.addChildren([signedIn.addChildren([account.addChildren([mailbox])])]),
      history: createMemoryHistory({ initialEntries: ['/a/account/mailbox'] }),
    });
    renderPart(<RouterProvider router={router as never} />);
  };

  it.each([
    ['next', '500 listed so far', 'Choose all that match'],
    [null, '500 found', /^Choose all 500 that match/],
  ])('should not present the messages listed so far as all: %s', async (next, text, choose) => {
    show(next);
    expect(await screen.findByText(text)).toBeInTheDocument();
    expect(screen.getByRole('button', { name: choose })).toBeInTheDocument();
  });
});
