import { infiniteQueryOptions, useInfiniteQuery, type UseInfiniteQueryResult } from '@tanstack/react-query';
import { call } from '../../../api/client';

/** Ids are cheap: as many at a time as the provider gives. */
const IDS_PER_PAGE = 500;
const FRESH_MS = 30_000;

/** The ids of the messages that match, as far as they are loaded. */
export interface FoundMessages {
  readonly ids: readonly string[];
  /** Whether these are all: what the provider estimates until then says little. */
  readonly isComplete: boolean;
}

const messageIdsOptions = (accountId: string, q: string) =>
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
      return { ids, isComplete: !pages.at(-1)?.nextPageToken };
    },
  });

export const useMessageIds = (accountId: string, q: string): UseInfiniteQueryResult<FoundMessages> =>
  useInfiniteQuery(messageIdsOptions(accountId, q));
