import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router';
import { screen } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { renderPart } from '../../../test/render';
import { loadTexts } from '../../i18n/texts';
import { InvitePage } from './InvitePage';
import { ResetPasswordPage } from './ResetPasswordPage';

describe('pages of a link that is no longer good', () => {
  afterEach(() => vi.unstubAllGlobals());

  it.each([
    ['InvitePage', InvitePage, 'invitation-invalid'],
    ['ResetPasswordPage', ResetPasswordPage, 'password-reset-invalid'],
  ])('should lead from %s to the sign-in', async (_name, component, code) => {
    await loadTexts('signIn');
    vi.stubGlobal(
      'fetch',
      vi.fn(({ url }: Request) =>
        Promise.resolve(
          url.endsWith('/auth/config')
            ? Response.json({ appUrl: window.location.origin })
            : Response.json(
                { type: 'about:blank', title: 'Gone', status: 410, code, detail: 'No', requestId: 'r' },
                { status: 410, headers: { 'content-type': 'application/problem+json' } },
              ),
        ),
      ),
    );
    const root = createRootRoute({ component });
    const router = createRouter({ routeTree: root, history: createMemoryHistory() });
    renderPart(<RouterProvider router={router as never} />);
    expect(await screen.findByRole('alert')).toHaveTextContent(/was used/);
    expect(screen.getByRole('link', { name: 'Sign in' })).toHaveAttribute('href', '/login');
  });
});
