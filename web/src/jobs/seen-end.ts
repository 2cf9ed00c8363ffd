import type { Schemas } from '@mailroom/sdk';
import type { QueryClient } from '@tanstack/react-query';
import { call } from '../api/client';
import { invalidate } from '../api/query-client';
import { whenStartedHere } from '../api/started-jobs';

/**
 * Marks the notification of a job as read whose end is being shown to the person who started it on this page: that is no news.
 * One that has failed, or some of whose messages have, stays unread.
 */
export function markSeenEnd(
  client: QueryClient,
  { type, data, notification_id: id }: Schemas['ToastResponse'],
): void {
  const { jobId, failed } = data;
  if (type !== 'job_completed' || typeof jobId !== 'string' || failed !== 0 || id === null) return;
  whenStartedHere(jobId, () => {
    const read = call('notifications.markRead', { notificationId: id });
    // It stays unread without a connection, or when it was deleted meanwhile.
    void read.catch(() => undefined).then(() => invalidate(client, ['notifications.list']));
  });
}
