import { infiniteQueryOptions, useInfiniteQuery, type UseInfiniteQueryResult } from '@tanstack/react-query';
import { call } from '../../api/client';

/** Ids are cheap: as many at a time as the provider gives. */
const IDS_PER_PAGE = 500;
const FRESH_MS = 30_000;

/** The ids of the messages that match, as far as they are loaded. */
export interface FoundMessages {
  readonly ids: readonly string[];
  /** All of them, exact once everything is loaded. */
  readonly total: number;
  readonly isComplete: boolean;
  /** There are more than `total`: the provider's estimate is no more than what is loaded already. */
  readonly isLeast: boolean;
}

const found = (accountId: string, q: string) =>
  infiniteQueryOptions({
    queryKey: ['mailbox.listMessages', { accountId, q }] as const,
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) =>
      call(
        'mailbox.listMessages',
        { accountId, maxResults: IDS_PER_PAGE, q: q || undefined, pageToken: pageParam },
        { signal },
      ),
    getNextPageParam: ({ nextPageToken }) => nextPageToken ?? undefined,
    staleTime: FRESH_MS,
    select: ({ pages }): FoundMessages => {
      // A message that arrives meanwhile moves the pages: an id may come twice.
      const ids = [...new Set(pages.flatMap(({ messages }) => messages.map(({ id }) => id)))];
      const last = pages.at(-1);
      const isComplete = !last?.nextPageToken;
      const isLeast = !isComplete && last.resultSizeEstimate <= ids.length;
      return {
        ids,
        isComplete,
        isLeast,
        total: isComplete || isLeast ? ids.length : last.resultSizeEstimate,
      };
    },
  });

export const useMessageIds = (accountId: string, q: string): UseInfiniteQueryResult<FoundMessages> =>
  useInfiniteQuery(found(accountId, q));
