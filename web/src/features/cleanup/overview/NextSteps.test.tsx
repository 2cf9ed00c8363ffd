import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router';
import { screen } from '@testing-library/react';
import { beforeAll, describe, expect, it } from 'vitest';
import { renderPart } from '../../../../test/render';
import { loadTexts } from '../../../i18n/texts';
import { NextSteps } from './NextSteps';

describe('NextSteps', () => {
  beforeAll(() => loadTexts('home'));

  it('should link to the unread messages of the inbox, which the figure above counts', async () => {
    const root = createRootRoute({ component: () => <NextSteps accountId="account" /> });
    const router = createRouter({ routeTree: root, history: createMemoryHistory() });
    renderPart(<RouterProvider router={router as never} />);
    const link = await screen.findByRole('link', { name: 'Catch up on unread mail in the inbox' });
    const { pathname, searchParams } = new URL((link as HTMLAnchorElement).href);
    expect([pathname, searchParams.get('q')]).toEqual(['/a/account/mailbox', 'in:inbox is:unread']);
  });
});
