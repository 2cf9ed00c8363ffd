import type { Schemas } from '@mailroom/sdk';
import { useQueryClient } from '@tanstack/react-query';
import { useOperation } from '../../../api/op';
import { invalidate } from '../../../api/query-client';
import { stalenessOf, type Staleness } from './use-frozen';

export type BulkAction = Schemas['BulkAction'];

/** Messages of a change: single ones, or a selection with the number that the person saw. */
export type Target =
  | { readonly messageIds: readonly string[] }
  | { readonly selectionId: string; readonly confirmedCount: number };

export const countOf = (target: Target): number =>
  'messageIds' in target ? target.messageIds.length : target.confirmedCount;

/** Rows that were chosen one by one need no counting. */
const bodyOf = (target: Target) =>
  'messageIds' in target ? { messageIds: [...target.messageIds] } : { ...target };

interface Listener {
  readonly onStarted: (jobId: string) => void;
  /** The selection has to be counted again; nothing was started. */
  readonly onStale?: (why: Staleness) => void;
}

export interface Changes {
  readonly change: (action: BulkAction, target: Target, labelId?: string) => void;
  readonly saveToArchive: (target: Target) => void;
  readonly isPending: boolean;
  readonly error: Error | null;
}

/** Starts jobs that change messages, or save them to the archive. */
export function useChanges(accountId: string, { onStarted, onStale }: Listener): Changes {
  const client = useQueryClient();
  const bulk = useOperation('mailbox.startBulkOperation');
  const archive = useOperation('archive.archiveMessages');
  const options = {
    onSuccess: ({ jobId }: { jobId: string }): void => {
      void invalidate(client, ['jobs.list']);
      onStarted(jobId);
    },
    onError: (error: Error): void => {
      const why = stalenessOf(error);
      if (why) onStale?.(why);
    },
  };
  const error = bulk.error ?? archive.error;
  return {
    change: (action, target, labelId) =>
      bulk.mutate({ accountId, body: { action, labelId, ...bodyOf(target) } }, options),
    saveToArchive: (target) => archive.mutate({ accountId, body: bodyOf(target) }, options),
    isPending: bulk.isPending || archive.isPending,
    error: stalenessOf(error) ? null : error,
  };
}
