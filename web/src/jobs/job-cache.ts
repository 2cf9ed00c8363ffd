import type { Schemas } from '@mailroom/sdk';
import { useQuery, type QueryClient, type UseQueryResult } from '@tanstack/react-query';
import { op } from '../api/op';
import { invalidate } from '../api/query-client';
import { listAllChanges, changesOf } from './kinds';

/** A job as events bring it. */
export type Job = Schemas['JobEventResponse'];

/** A job as the tray shows it: lists bring a payload, cut short, and events none. */
export type ListedJob = Job & Partial<Pick<Schemas['JobResponse'], 'payload'>>;

/** Number of jobs that are listed. */
const LISTED = 50;
const listed = op('jobs.list', { limit: LISTED });

/** The newest jobs, kept current by events. */
export const useJobs = (): UseQueryResult<ListedJob[]> =>
  useQuery({ ...listed, select: (jobs): ListedJob[] => jobs });

/** One of the newest jobs, by its jobId; undefined until it is listed. */
export const useJob = (jobId: string | null): ListedJob | undefined =>
  useJobs().data?.find(({ queue_id: id }) => id === jobId);

export const isOpen = ({ completed_at: end }: Pick<Job, 'completed_at'>): boolean => end === null;

/** Jobs whose end has been seen. A list cannot tell: it may know of an end before its event arrives. */
const ends = new WeakMap<QueryClient, Set<string>>();

/** @returns whether the event is the first to say that the job has ended */
function isEnd(client: QueryClient, job: Job): boolean {
  const seen = ends.get(client) ?? new Set();
  ends.set(client, seen);
  if (isOpen(job)) {
    seen.delete(job.id);
    return false;
  }
  const isFirst = !seen.has(job.id);
  seen.add(job.id);
  return isFirst;
}

/** Takes an event into the list, and what the end of the job has changed out of the cache. */
export function showJob(client: QueryClient, job: Job): void {
  const before = client.getQueryData(listed.queryKey)?.find(({ id }) => id === job.id);
  client.setQueryData(listed.queryKey, (jobs) => {
    if (!jobs) return jobs;
    if (!before) return [{ ...WITHOUT_PAYLOAD, ...job }, ...jobs].slice(0, LISTED);
    return jobs.map((other) => (other.id === job.id ? { ...other, ...job } : other));
  });
  if (!isEnd(client, job)) return;
  // A list that was asked for before would bring the job back as it was.
  const isListing = client.isFetching({ queryKey: listed.queryKey }) > 0;
  void invalidate(client, [...changesOf(job.type), ...(isListing ? (['jobs.list'] as const) : [])]);
}

/** Ends may have been missed: all jobs, all that they may have changed, and what failed meanwhile are asked for again. */
export function jobsWereMissed(client: QueryClient): void {
  void invalidate(client, ['jobs.list', 'auth.me', ...listAllChanges()]);
  void client.refetchQueries(
    { type: 'active', predicate: ({ state }) => state.status === 'error' },
    { cancelRefetch: false },
  );
}

const WITHOUT_PAYLOAD = { payload: {}, payload_truncated: true, payload_removed: false };
