import { MantineProvider } from '@mantine/core';
import { QueryClientProvider, type QueryClient } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { useEffect, useState, type ReactNode } from 'react';
import { op } from '../api/op';
import { createQueryClient } from '../api/query-client';
import { hearTabs } from '../api/tabs';
import { followTabs } from '../i18n';
import { ReconnectButton } from '../shared/reconnect/ReconnectButton';
import { WaysOutContext, type WaysOut } from '../ui/ways-out';
import { createPages } from './router';
import { cssVariables, theme } from './theme';

const WAYS_OUT: WaysOut = { 'mailbox-reauth-required': ReconnectButton };

/** Wires the page together: its look, its cache, its addresses. */
export function App(): ReactNode {
  const [{ client, pages }] = useState(createParts);
  useEffect(
    () =>
      hearTabs('session', (state) => {
        // The pages may belong to another user now: they are loaded again.
        const { pathname, search } = pages.state.location;
        const isWaiting = state === 'begun' && PUBLIC.test(pathname);
        if (isWaiting) window.location.assign(search.next ?? '/');
        else window.location.reload();
      }),
    [pages],
  );
  useEffect(followTabs, []);
  // What index.html shows until there is a page.
  useEffect(
    () => pages.subscribe('onRendered', () => document.getElementById('starting')?.remove()),
    [pages],
  );
  return (
    <MantineProvider theme={theme} cssVariablesResolver={cssVariables} defaultColorScheme="auto">
      <QueryClientProvider client={client}>
        <WaysOutContext value={WAYS_OUT}>
          <RouterProvider router={pages} />
        </WaysOutContext>
      </QueryClientProvider>
    </MantineProvider>
  );
}

type Pages = ReturnType<typeof createPages>;

function createParts(): { readonly client: QueryClient; readonly pages: Pages } {
  const client = createQueryClient({
    onSessionOver: () => {
      // The router leads users who were not signed in to the sign-in.
      const wasSignedIn = client.getQueryData(op('auth.me').queryKey) !== undefined;
      // Loaded anew: nothing of the person stays in memory.
      if (wasSignedIn)
        window.location.assign(`/login?${new URLSearchParams({ next: pages.state.location.href })}`);
    },
  });
  const pages: Pages = createPages(client);
  return { client, pages };
}

/** Pages for which people need not be signed in. */
const PUBLIC = /^\/(login|setup|register)$/;
