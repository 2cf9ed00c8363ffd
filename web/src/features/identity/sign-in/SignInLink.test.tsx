import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router';
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { renderPart } from '../../../../test/render';
import { loadTexts } from '../../../i18n/texts';
import { InvitePage } from './InvitePage';
import { ResetPasswordPage } from './ResetPasswordPage';

const PAGES = [
  ['InvitePage', InvitePage, 'invitation-invalid'],
  ['ResetPasswordPage', ResetPasswordPage, 'password-reset-invalid'],
] as const;

describe('pages of an expired link', () => {
  afterEach(() => vi.unstubAllGlobals());

  const problem = (code: string, status = 404): Response =>
    Response.json(
      { type: 'about:blank', title: 'Refused', status, code, detail: 'No', requestId: 'r' },
      { status, headers: { 'content-type': 'application/problem+json' } },
    );

  /** @param answer to a request, unless it asks how people sign in */
  const open = async (
    component: typeof InvitePage,
    answer: (request: Request) => Response,
  ): Promise<void> => {
    await loadTexts('signIn');
    vi.stubGlobal(
      'fetch',
      vi.fn((request: Request) =>
        Promise.resolve(
          request.url.endsWith('/auth/config')
            ? Response.json({ appUrl: window.location.origin })
            : answer(request),
        ),
      ),
    );
    const root = createRootRoute({ component });
    const router = createRouter({ routeTree: root, history: createMemoryHistory() });
    renderPart(<RouterProvider router={router as never} />);
  };

  /** A link that is good when it is read, and whose use is refused. */
  const chooseAfter = async (component: typeof InvitePage, refusal: () => Response): Promise<void> => {
    let reads = 0;
    await open(component, () => {
      reads += 1;
      return reads === 1
        ? Response.json({ email: 'new@mail.test', expires_at: '2030-01-01T00:00:00Z' })
        : refusal();
    });
    for (const field of await screen.findAllByLabelText(/^(Password|Repeat the password)/))
      await userEvent.type(field, 'a long pass phrase');
    expect(screen.queryByRole('link')).toBeNull();
    await userEvent.click(screen.getByRole('button', { name: /^Set the password/ }));
    await waitFor(() => expect(reads).toBe(2));
  };

  it.each(PAGES)('should link from %s to the sign-in', async (_name, component, code) => {
    await open(component, () => problem(code));
    expect(await screen.findByRole('alert')).toHaveTextContent(/was used/);
    expect(screen.getByRole('link', { name: 'Sign in' })).toHaveAttribute('href', '/login');
  });

  it.each(PAGES)(
    'should link from %s to the sign-in when the link expires while its form is open',
    async (_name, component, code) => {
      await chooseAfter(component, () => problem(code));
      expect(await screen.findByRole('alert')).toHaveTextContent(/was used/);
      expect(screen.getByRole('link', { name: 'Sign in' })).toHaveAttribute('href', '/login');
    },
  );

  it.each(PAGES)(
    'should not leave the form of %s when the link may still be valid',
    async (_name, component) => {
      await chooseAfter(component, () => problem('too-many-requests', 429));
      await screen.findByRole('alert');
      expect(screen.queryByRole('link')).toBeNull();
    },
  );
});
