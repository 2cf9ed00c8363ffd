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
import type { ArchiveFilter, ArchiveOrder } from './archive-filter';

export type ArchivedMail = Item<'archive.listMails'>;

/** A list of the archive. */
export interface ArchiveListing {
  readonly accountId: string;
  readonly filter: ArchiveFilter;
  readonly order: ArchiveOrder;
}

/** A listing of mails that were archived until its first page was read: later ones do not move its pages. */
export interface HeldListing extends ArchiveListing {
  readonly until: string | undefined;
  readonly total: number;
}

/** Largest page size of the service. */
export const PER_PAGE = 100;

const firstPageOf = ({ accountId, filter, order }: ArchiveListing) =>
  op('archive.listMails', { accountId, ...filter, ...order, page: 1, limit: PER_PAGE });

const pageOf = (listing: HeldListing, page: number) => {
  const { accountId, filter, order, until } = listing;
  if (page === 0) return firstPageOf(listing);
  return op('archive.listMails', {
    accountId,
    ...filter,
    ...order,
    archived_until: until,
    page: page + 1,
    limit: PER_PAGE,
  });
};

/** The first page, which tells how many mails there are, and holds the others still. */
export const useFirstPage = (listing: ArchiveListing): UseQueryResult<Answer<'archive.listMails'>> =>
  useQuery({ ...firstPageOf(listing), placeholderData: keepPreviousData });

interface Rows {
  /** undefined while it is loaded, null when there are fewer than there were. */
  readonly mailAt: (index: number) => ArchivedMail | null | undefined;
  readonly error: Error | null;
  readonly retry: () => void;
}

/** The mails of a range of the list, by numbered pages: a scrollbar jumps anywhere. */
export function useArchivedMails(listing: HeldListing, [first, last]: readonly [number, number]): Rows {
  const firstPage = Math.floor(first / PER_PAGE);
  const count = Math.floor(last / PER_PAGE) - firstPage + 1;
  const queries = useQueries({
    queries: Array.from({ length: count }, (_, offset) => pageOf(listing, firstPage + offset)),
  });
  return {
    mailAt: (index) => {
      const page = queries[Math.floor(index / PER_PAGE) - firstPage];
      if (!page?.data) return undefined;
      return page.data.mails[index % PER_PAGE] ?? null;
    },
    // Pages loaded before stay visible when a refresh fails.
    error: queries.find(({ error, data }) => error !== null && data === undefined)?.error ?? null,
    retry: () => {
      for (const query of queries) if (query.error) void query.refetch();
    },
  };
}

/** Loads the ids of a range of the list, those that are not there yet too. */
export function useIdsBetween(listing: HeldListing): (first: number, last: number) => Promise<string[]> {
  const client = useQueryClient();
  return useCallback(
    async (first, last) => {
      const firstPage = Math.floor(first / PER_PAGE);
      const numbers = Array.from(
        { length: Math.floor(last / PER_PAGE) - firstPage + 1 },
        (_, offset) => firstPage + offset,
      );
      const pages = await Promise.all(
        numbers.map((number) => client.ensureQueryData(pageOf(listing, number))),
      );
      const ids = pages.flatMap(({ mails }) => mails.map(({ id }) => id));
      return ids.slice(first - firstPage * PER_PAGE, last - firstPage * PER_PAGE + 1);
    },
    [client, listing],
  );
}
