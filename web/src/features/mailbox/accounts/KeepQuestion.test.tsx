import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router';
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { renderPart } from '../../../../test/render';
import { loadTexts } from '../../../i18n/texts';
import { KeepQuestion } from './KeepQuestion';

describe('KeepQuestion', () => {
  beforeAll(() => loadTexts('mailboxes'));
  afterEach(() => vi.unstubAllGlobals());

  const show = (mode: 'off' | 'keep') => {
    const sent: unknown[] = [];
    vi.stubGlobal('fetch', async (request: Request) => {
      if (request.method === 'PUT') sent.push(await request.json());
      return Response.json({ mode });
    });
    const root = createRootRoute({ component: () => <KeepQuestion accountId="account" /> });
    const router = createRouter({ routeTree: root, history: createMemoryHistory() });
    renderPart(<RouterProvider router={router as never} />);
    return { router, sent };
  };

  it('should keep everything by one button, and lead to the mailbox', async () => {
    const { router, sent } = show('off');
    await userEvent.click(await screen.findByRole('button', { name: 'Keep everything' }));
    await vi.waitFor(() => expect(router.state.location.pathname).toBe('/a/account/overview'));
    expect(sent).toEqual([{ mode: 'keep' }]);
  });

  it('should lead to the mailbox without it', async () => {
    const { sent } = show('off');
    const link = await screen.findByRole('link', { name: 'Not now, show me the mailbox' });
    expect(link).toHaveAttribute('href', '/a/account/overview');
    expect(sent).toEqual([]);
  });

  it('should not ask again when everything is kept', async () => {
    show('keep');
    expect(await screen.findByRole('link', { name: 'Show me the mailbox' })).toBeInTheDocument();
    expect(screen.queryByRole('button')).toBeNull();
  });
});
