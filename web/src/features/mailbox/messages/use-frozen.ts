import type { Schemas } from '@mailroom/sdk';
import { queryOptions, useQuery, type UseQueryResult } from '@tanstack/react-query';
import { useCallback, useEffect, useState } from 'react';
import { call } from '../../../api/client';
import { hasCode } from '../../../api/problems';

type LeaveOut = readonly Schemas['LeavesOut'][];
export type FrozenSelection = Schemas['SelectionResponse'];

/** Why a selection was counted again. */
export type Staleness = 'selection-expired' | 'count-mismatch';

export interface Recount {
  readonly why: Staleness;
  /** Number of messages before the recount. */
  readonly before: number;
}

export interface Frozen {
  readonly query: UseQueryResult<FrozenSelection>;
  /** Set since the messages were counted again, until they are confirmed or chosen anew. */
  readonly recount: Recount | null;
  /** Counts again. Nothing is changed until the person has confirmed the new count. */
  readonly countAgain: (why: Staleness) => void;
}

/** Time for which the service keeps a selection. Its `expires_at` says the same, but by a clock that may differ from ours. */
const KEPT_MS = 15 * 60_000;

const frozenSelectionOptions = (accountId: string, query: string, leaveOut: LeaveOut, of: string) =>
  queryOptions({
    queryKey: ['mailbox.createSelection', { accountId, query, leaveOut, of }] as const,
    queryFn: ({ signal }) =>
      call('mailbox.createSelection', { accountId, body: { query, leaveOut: [...leaveOut] } }, { signal }),
    // Figures are kept for as long as the selection is; a released selection is counted again.
    staleTime: Infinity,
    gcTime: 0,
  });

interface Options {
  readonly accountId: string;
  readonly query: string;
  readonly leaveOut?: LeaveOut;
  /** Id of the selection that this one is a part of. */
  readonly of?: string;
  readonly enabled?: boolean;
}

const NOTHING: LeaveOut = [];

/** All messages that match at this moment, frozen and counted: exactly these are changed later. */
export function useFrozen({
  accountId,
  query,
  leaveOut = NOTHING,
  of = '',
  enabled = true,
}: Options): Frozen {
  const selection = useQuery({ ...frozenSelectionOptions(accountId, query, leaveOut, of), enabled });
  const [recount, setRecount] = useState<Recount | null>(null);
  const { data, dataUpdatedAt, refetch } = selection;
  const before = data?.count ?? 0;
  const countAgain = useCallback(
    (why: Staleness) => {
      setRecount({ why, before });
      void refetch();
    },
    [before, refetch],
  );
  const id = data?.id;
  useEffect(() => {
    if (!enabled || id === undefined) return undefined;
    const left = dataUpdatedAt + KEPT_MS - Date.now();
    const timer = setTimeout(() => countAgain('selection-expired'), Math.max(0, left));
    return () => clearTimeout(timer);
  }, [enabled, id, dataUpdatedAt, countAgain]);
  return { query: selection, recount, countAgain };
}

/** Whether a refusal means that the messages have to be counted again. */
export function stalenessOf(error: unknown): Staleness | null {
  if (hasCode(error, 'selection-expired')) return 'selection-expired';
  return hasCode(error, 'count-mismatch') ? 'count-mismatch' : null;
}
