import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { followLiveUpdates, type LiveEvent } from '../api/live-updates';
import { op } from '../api/op';
import { invalidate } from '../api/query-client';
import { showJob, jobsWereMissed } from '../jobs/job-cache';
import { showToast } from '../jobs/job-toast';
import { markSeenEnd } from '../jobs/seen-end';

/** Takes what happens into the cache, and shows toasts, for as long as the person is signed in. */
export function useLiveUpdates(): void {
  const client = useQueryClient();
  useEffect(
    () =>
      followLiveUpdates({
        onEvent: (event) => take(client, event),
        onInterruption: () => jobsWereMissed(client),
      }),
    [client],
  );
}

function take(client: QueryClient, live: LiveEvent): void {
  if (live.event === 'job') showJob(client, live.data);
  else if (live.event === 'account') showAccount(client, live.data);
  else {
    void invalidate(client, ['notifications.list']);
    if (document.visibilityState !== 'visible') return;
    void showToast(live.data);
    markSeenEnd(client, live.data);
  }
}

function showAccount(
  client: QueryClient,
  { id, account }: Extract<LiveEvent, { event: 'account' }>['data'],
): void {
  client.setQueryData(op('auth.me').queryKey, (me) => {
    if (!me) return me;
    const known = me.mailboxAccounts.some((other) => other.id === id);
    const others = me.mailboxAccounts.flatMap((other) =>
      other.id !== id ? [other] : account ? [account] : [],
    );
    return { ...me, mailboxAccounts: known || !account ? others : [...others, account] };
  });
}
