import type { Schemas } from '@mailroom/sdk';
import type { QueryClient } from '@tanstack/react-query';
import { call, mailroom } from './client';
import { op } from './op';
import { clearUserData, invalidate } from './query-client';
import { forgetAllSearches } from './recent-searches';
import { tellTabs } from './tabs';

/** Signs in. The tokens of the answer are dropped: the session is in cookies that no script can read. */
export async function signIn(client: QueryClient, credentials: Schemas['LoginDto']): Promise<void> {
  await call('auth.login', { body: credentials });
  await beginSession(client);
}

/** Registers a user, who is signed in then. */
export async function register(client: QueryClient, user: Schemas['RegisterDto']): Promise<void> {
  await call('auth.register', { body: user });
  await beginSession(client);
}

/** Chooses the first password of a user who was invited, and who is signed in then. */
export async function acceptInvitation(
  client: QueryClient,
  acceptance: Schemas['AcceptInvitationDto'],
): Promise<void> {
  await call('auth.acceptInvitation', { body: acceptance });
  await beginSession(client);
}

/** Ends the session, in all tabs. */
export async function signOut(): Promise<void> {
  await mailroom.signOut();
  forgetAllSearches();
  tellTabs('session', 'ended');
}

/** Loads the page of a person who has just signed in. */
export async function beginSession(client: QueryClient): Promise<void> {
  clearUserData(client);
  // There is a user now.
  await invalidate(client, ['auth.config']);
  await client.fetchQuery(op('auth.me'));
  tellTabs('session', 'begun');
}
