import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  Outlet,
  RouterProvider,
} from '@tanstack/react-router';
import { act, screen } from '@testing-library/react';
import { Suspense, type ReactNode } from 'react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { renderPart } from '../../test/render';
import { rememberAccount, useAccount } from './me';

function Shown(): ReactNode {
  return <p>{useAccount()?.email}</p>;
}

describe('useAccount', () => {
  afterEach(() => vi.unstubAllGlobals());

  it('should be the mailbox of the address, and the one that was open last on pages of none', async () => {
    const mailboxAccounts = ['one', 'two'].map((id) => ({ id, email: `${id}@mail.test`, provider: 'gmail' }));
    vi.stubGlobal('fetch', () => Promise.resolve(Response.json({ user: {}, mailboxAccounts })));
    const root = createRootRoute({
      component: () => (
        <Suspense>
          <Shown />
          <Outlet />
        </Suspense>
      ),
    });
    const paths = ['/a/$accountId', '/retention'].map((path) =>
      createRoute({ getParentRoute: () => root, path, component: () => null }),
    );
    const history = createMemoryHistory({ initialEntries: ['/retention'] });
    const router = createRouter({ routeTree: root.addChildren(paths), history });
    renderPart(<RouterProvider router={router as never} />);
    expect(await screen.findByText('one@mail.test')).toBeInTheDocument();
    act(() => router.history.push('/a/two'));
    expect(await screen.findByText('two@mail.test')).toBeInTheDocument();
    rememberAccount('two');
    act(() => router.history.push('/retention'));
    await vi.waitFor(() => expect(router.state.location.pathname).toBe('/retention'));
    expect(screen.getByText('two@mail.test')).toBeInTheDocument();
  });
});
