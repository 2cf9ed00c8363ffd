import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import type { OperationId } from '@mailroom/sdk';
import { hasCode, isSessionOver } from './problems';

export interface Watchers {
  /** The session is over, and could not be renewed. */
  readonly onSessionOver: () => void;
}

/** The cache of everything the page shows. Repeating calls is the SDK's business. */
export function createQueryClient({ onSessionOver }: Watchers): QueryClient {
  const watch = (error: unknown): void => {
    if (isSessionOver(error)) onSessionOver();
    // It was removed meanwhile, perhaps in another tab.
    if (hasCode(error, 'account-not-owned')) void invalidate(client, ['auth.me']);
  };
  const client: QueryClient = new QueryClient({
    queryCache: new QueryCache({ onError: watch }),
    mutationCache: new MutationCache({ onError: watch }),
    defaultOptions: {
      // With `always`, nothing would be asked for again when the connection is back, unless it is said here.
      queries: {
        retry: false,
        refetchOnWindowFocus: true,
        refetchOnReconnect: true,
        networkMode: 'always',
      },
      mutations: { retry: false, networkMode: 'always' },
    },
  });
  return client;
}

/** Forgets everything of a person; what is known of the installation stays. */
export function clearUserData(client: QueryClient): void {
  client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'auth.config' });
}

/** All answers of these operations are old. */
export async function invalidate(client: QueryClient, ids: readonly OperationId[]): Promise<void> {
  await Promise.all(ids.map((id) => client.invalidateQueries({ queryKey: [id] })));
}
