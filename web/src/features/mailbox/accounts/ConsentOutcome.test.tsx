import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router';
import { screen } from '@testing-library/react';
import { Suspense } from 'react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { renderPart } from '../../../../test/render';
import { loadTexts } from '../../../i18n/texts';
import { ConsentOutcome } from './ConsentOutcome';

const FORECAST = {
  provider: 'Yahoo',
  messages: 10_000,
  bytes: 1_000_000,
  approximate: true,
  bytesPerDay: null,
  jobBytesPerDay: null,
  completesOn: null,
  cutFolders: [{ path: 'INBOX', messages: 10_000 }],
};

describe('ConsentOutcome', () => {
  let asked: string[];

  beforeEach(async () => {
    asked = [];
    const answers: Record<string, unknown> = {
      '/api/auth/me': {
        mailboxAccounts: [
          { id: 'by-api', provider: 'gmail', email: 'ada@gmail.test' },
          { id: 'by-imap', provider: 'imap', email: 'ada@yahoo.test' },
        ],
      },
      '/api/archive/by-imap/forecast': FORECAST,
    };
    vi.stubGlobal(
      'fetch',
      vi.fn(({ url }: Request) => {
        const { pathname } = new URL(url);
        asked.push(pathname);
        return Promise.resolve(
          pathname in answers ? Response.json(answers[pathname]) : Response.json({}, { status: 404 }),
        );
      }),
    );
    await Promise.all((['mailboxes', 'forecast'] as const).map(loadTexts));
  });
  afterEach(() => vi.unstubAllGlobals());

  const show = (account: string): void => {
    const root = createRootRoute({
      component: () => (
        <Suspense>
          <ConsentOutcome mailbox="connected" account={account} />
        </Suspense>
      ),
    });
    const router = createRouter({ routeTree: root, history: createMemoryHistory() });
    renderPart(<RouterProvider router={router as never} />);
  };

  it('should say what the limits do to a mailbox that a consent has connected over IMAP', async () => {
    show('ada@yahoo.test');
    expect(await screen.findByRole('status')).toHaveTextContent('ada@yahoo.test');
    expect(await screen.findByRole('note')).toHaveTextContent(
      'Yahoo shows mail programs no more than 10,000 messages of a folder, and INBOX has that many.',
    );
  });

  it('should ask for no forecast of a mailbox that is read by the API of its provider', async () => {
    show('ada@gmail.test');
    expect(await screen.findByRole('status')).toHaveTextContent('ada@gmail.test');
    expect(asked.filter((address) => address.endsWith('/forecast'))).toEqual([]);
  });
});
