import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router';
import { screen } from '@testing-library/react';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { renderPart } from '../../../../test/render';
import type { MailboxAccount } from '../../../api/me';
import { loadTexts } from '../../../i18n/texts';
import { Figures } from './Figures';

describe('Figures', () => {
  beforeAll(() => loadTexts('home'));
  afterEach(() => vi.unstubAllGlobals());

  const show = (provider: string): void => {
    const answers: Record<string, object> = {
      labels: [
        { id: 'INBOX', messagesTotal: 648, messagesUnread: 77 },
        { id: 'UNREAD', messagesTotal: 207, messagesUnread: 207 },
      ],
      'archive-stats': { total_mails: 1_500 },
      archiving: { mode: 'keep' },
      coverage: { onlyInArchive: { count: 12, bytes: 3_400 } },
    };
    vi.stubGlobal('fetch', ({ url }: Request) => {
      const parts = new URL(url).pathname.split('/');
      return Promise.resolve(
        Response.json(Object.entries(answers).find(([part]) => parts.includes(part))?.[1]),
      );
    });
    const account = { id: 'account', provider } as MailboxAccount;
    const root = createRootRoute({ component: () => <Figures account={account} /> });
    const router = createRouter({ routeTree: root, history: createMemoryHistory() });
    renderPart(<RouterProvider router={router as never} />);
  };

  it.each([
    ['In the inbox 648', '/a/account/mailbox', '?q=in%3Ainbox'],
    ['Unread in the inbox 77', '/a/account/mailbox', '?q=in%3Ainbox%20is%3Aunread'],
    ['In the archive 1,500', '/a/account/archive', ''],
    ['Only in the archive 12', '/a/account/archive', '?only=true'],
  ])('should lead to what it counts: %s', async (name, path, query) => {
    show('gmail');
    const { pathname, search } = new URL((await screen.findByRole<HTMLAnchorElement>('link', { name })).href);
    expect([pathname, search.replaceAll('+', '%20')]).toEqual([path, query]);
  });

  it('should count the archive alone where there is no mailbox', async () => {
    show('archive');
    expect(await screen.findByRole('link', { name: 'In the archive 1,500' })).toBeInTheDocument();
    expect(screen.getAllByRole('link')).toHaveLength(1);
  });
});
