import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router';
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { renderPart } from '../../../test/render';
import { Suggestions } from './Suggestions';

const SUGGESTION = {
  id: 's1',
  type: 'bulk_unread',
  title: 'In English, by the service',
  description: 'D.',
  sender: 'Shop News <news@shop.test>',
  emailCount: 60,
  totalSizeBytes: 7_340_032,
  query: 'from:(news@shop.test) is:unread',
  isDismissed: false,
  mayBeRecords: false,
};

describe('Suggestions', () => {
  afterEach(() => vi.unstubAllGlobals());

  const setup = (dismissal: Response, changes = {}) => {
    const answer = ({ method }: Request): Response =>
      method === 'GET' ? Response.json([{ ...SUGGESTION, ...changes }]) : dismissal;
    vi.stubGlobal('fetch', (request: Request) => Promise.resolve(answer(request)));
    const root = createRootRoute({ component: () => <Suggestions accountId="account" /> });
    const router = createRouter({ routeTree: root, history: createMemoryHistory() });
    // The pages of this router are not those of the page.
    renderPart(<RouterProvider router={router as never} />);
  };
  const title = '60 unread messages from Shop News';
  const dismiss = async (): Promise<void> =>
    userEvent.click(await screen.findByRole('button', { name: `Do not suggest this again: ${title}` }));

  it('should link to their messages', async () => {
    setup(Response.json({ ok: true }));
    const link = await screen.findByRole('link', { name: title });
    const { pathname, searchParams } = new URL((link as HTMLAnchorElement).href);
    expect([pathname, searchParams.get('q')]).toEqual(['/a/account/mailbox', SUGGESTION.query]);
  });

  it('should say why they are made', async () => {
    setup(Response.json({ ok: true }));
    expect(await screen.findByText('You have not opened any of them.')).toBeInTheDocument();
    expect(screen.queryByText(/^These may be receipts/)).toBeNull();
  });

  it('should warn of receipts and other papers', async () => {
    setup(Response.json({ ok: true }), { mayBeRecords: true });
    expect(await screen.findByText(/^These may be receipts/)).toBeInTheDocument();
  });

  it('should disappear when they are dismissed', async () => {
    setup(Response.json({ ok: true }));
    await dismiss();
    await waitFor(() => expect(screen.queryByRole('link', { name: title })).toBeNull());
  });

  it('should reappear, with the reason, when the service refuses', async () => {
    setup(
      Response.json(
        { title: 'No', status: 404, code: 'suggestion-not-found', detail: 'No.' },
        { status: 404 },
      ),
    );
    await dismiss();
    expect(await screen.findByRole('alert')).toHaveTextContent('No.');
    expect(screen.getByRole('link', { name: title })).toBeInTheDocument();
  });
});
