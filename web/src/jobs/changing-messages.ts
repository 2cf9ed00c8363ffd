import { useIsFetching, useQueries } from '@tanstack/react-query';
import { useRef } from 'react';
import { op } from '../api/op';
import { isOpen, useJobs } from './job-cache';

/**
 * The messages of a mailbox that jobs are changing at the moment, also those that were started in another tab or before
 * a reload: the jobs themselves know them.
 */
export function useChangingMessages(accountId: string): ReadonlySet<string> {
  const changes = (useJobs().data ?? []).filter(
    (job) => job.type === 'bulk_operation' && job.mailbox_account_id === accountId && isOpen(job),
  );
  const changing = useQueries({
    queries: changes.map(({ queue_id: jobId }) => ({
      ...op('jobs.get', { jobId }),
      // The messages of a job never change.
      staleTime: Infinity,
    })),
    combine: messagesOf,
  });
  // With the end of a job the list is asked for anew: until it is there, what will leave it does not light up again.
  const isListing = useIsFetching({ queryKey: ['mailbox.listMessages'] }) > 0;
  const shown = useRef(changing);
  if (!isListing || changing.size > 0) shown.current = changing;
  return shown.current;
}

const messagesOf = (
  jobs: readonly { readonly data?: { readonly payload: Readonly<Record<string, unknown>> } }[],
): ReadonlySet<string> =>
  new Set(
    jobs.flatMap(({ data }) => {
      const ids = data?.payload['messageIds'];
      return Array.isArray(ids) ? (ids as string[]) : [];
    }),
  );
