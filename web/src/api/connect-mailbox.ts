import type { Arguments } from '@mailroom/sdk';
import { useMutation, type UseMutationResult } from '@tanstack/react-query';
import { call } from './client';

type Wanted = Omit<Arguments<'mailboxAccounts.connect'>, 'provider'> & { readonly provider: string };

/** Opens the provider's consent in this tab; it comes back to `/settings?mailbox=…`. */
export function useConnectMailbox(): UseMutationResult<void, Error, Wanted> {
  return useMutation({
    mutationFn: async (wanted: Wanted) => {
      // The providers of this installation are in its configuration, the types know those of this version.
      const args = wanted as Arguments<'mailboxAccounts.connect'>;
      const { url } = await call('mailboxAccounts.connect', args);
      window.location.assign(url);
    },
  });
}
