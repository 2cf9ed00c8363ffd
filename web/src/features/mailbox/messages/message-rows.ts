import type { Schemas } from '@mailroom/sdk';
import { useQueries } from '@tanstack/react-query';
import { useRef } from 'react';
import { op } from '../../../api/op';

export type MessageRow = Schemas['MessageSummaryResponse'];

/** Largest page size of the service. */
const ROWS_PER_PAGE = 100;

/** Rows of messages. A row is null when its message is gone, undefined while it is loaded. */
export interface MessageRows {
  readonly rowAt: (index: number) => MessageRow | null | undefined;
  readonly error: Error | null;
  readonly retry: () => void;
}

/** The rows of a range of the list, loaded by hundreds; those that were loaded before stay. */
export function useMessageRows(
  accountId: string,
  ids: readonly string[],
  [first, last]: readonly [number, number],
): MessageRows {
  const firstPage = Math.floor(first / ROWS_PER_PAGE);
  const lastPage = ids.length === 0 ? -1 : Math.floor(Math.min(last, ids.length - 1) / ROWS_PER_PAGE);
  const pages = Array.from(
    { length: Math.max(0, lastPage - firstPage + 1) },
    (_, offset) => firstPage + offset,
  );
  const queries = useQueries({
    queries: pages.map((page) => {
      const wanted = ids.slice(page * ROWS_PER_PAGE, (page + 1) * ROWS_PER_PAGE);
      return op('mailbox.getMessages', { accountId, body: { ids: wanted } });
    }),
  });
  // A change of the list moves its pages: what is known of a message is shown until its page is there.
  const known = useRef(new Map<string, MessageRow>());
  for (const { data } of queries) for (const row of data ?? []) known.current.set(row.id, row);
  // Rows loaded before stay visible when a refresh fails.
  const failed = queries.find(({ error, data }) => error !== null && data === undefined);
  return {
    rowAt: (index) => {
      const query = queries[Math.floor(index / ROWS_PER_PAGE) - firstPage];
      if (!query?.data) return known.current.get(ids[index] ?? '');
      return query.data.find(({ id }) => id === ids[index]) ?? null;
    },
    error: failed?.error ?? null,
    retry: () => {
      for (const query of queries) if (query.error) void query.refetch();
    },
  };
}
