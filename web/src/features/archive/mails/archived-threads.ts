import type { Answer, Item } from '@mailroom/sdk';
import {
  keepPreviousData,
  useQueries,
  useQuery,
  useQueryClient,
  type UseQueryResult,
} from '@tanstack/react-query';
import { useCallback } from 'react';
import { op } from '../../../api/op';
import { PER_PAGE, type HeldListing } from './archived-mails';

export type ArchivedThread = Item<'archive.listThreads'>;

const pageOf = ({ accountId, filter, until }: HeldListing, page: number) =>
  op('archive.listThreads', {
    accountId,
    ...filter,
    archived_until: until,
    page: page + 1,
    limit: PER_PAGE,
  });

/** The first page, which tells how many conversations there are. */
export const useFirstThreads = (listing: HeldListing): UseQueryResult<Answer<'archive.listThreads'>> =>
  useQuery({ ...pageOf(listing, 0), placeholderData: keepPreviousData });

interface ThreadRows {
  /** undefined while it is loaded, null when there are fewer than there were. */
  readonly threadAt: (index: number) => ArchivedThread | null | undefined;
  readonly error: Error | null;
  readonly retry: () => void;
}

/** The conversations of a range of the list. */
export function useThreads(listing: HeldListing, [first, last]: readonly [number, number]): ThreadRows {
  const firstPage = Math.floor(first / PER_PAGE);
  const count = Math.floor(last / PER_PAGE) - firstPage + 1;
  const queries = useQueries({
    queries: Array.from({ length: count }, (_, offset) => pageOf(listing, firstPage + offset)),
  });
  return {
    threadAt: (index) => {
      const page = queries[Math.floor(index / PER_PAGE) - firstPage];
      if (!page?.data) return undefined;
      return page.data.threads[index % PER_PAGE] ?? null;
    },
    error: queries.find(({ error, data }) => error !== null && data === undefined)?.error ?? null,
    retry: () => {
      for (const query of queries) if (query.error) void query.refetch();
    },
  };
}

/** Loads the id of the conversation at a place of the list; undefined when there are fewer than there were. */
export function useThreadAt(listing: HeldListing): (index: number) => Promise<string | undefined> {
  const client = useQueryClient();
  return useCallback(
    async (index) => {
      const page = await client.ensureQueryData(pageOf(listing, Math.floor(index / PER_PAGE)));
      return page.threads[index % PER_PAGE]?.thread_id;
    },
    [client, listing],
  );
}
