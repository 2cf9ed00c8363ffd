import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createQueryClient } from '../api/query-client';
import { noteStart } from '../api/started-jobs';
import { markSeenEnd } from './seen-end';

type Toast = Parameters<typeof markSeenEnd>[1];

const client = createQueryClient({ onSessionOver: () => undefined });
const anEnd = (jobId: string, change: Partial<Toast> = {}): Toast => ({
  id: 'event',
  type: 'job_completed',
  title: 'Done',
  body: '',
  data: { jobId, failed: 0 },
  created_at: '2026-01-01T00:00:00.000Z',
  notification_id: `notification-of-${jobId}`,
  ...change,
});

describe('markSeenEnd', () => {
  const read: string[] = [];
  beforeEach(() => {
    read.length = 0;
    vi.stubGlobal(
      'fetch',
      vi.fn(({ method, url }: Request) => {
        read.push(`${method} ${new URL(url).pathname}`);
        return Promise.resolve(Response.json({ success: true }));
      }),
    );
  });
  afterEach(() => vi.unstubAllGlobals());

  const patched = (jobId: string): string[] => [`PATCH /api/notifications/notification-of-${jobId}/read`];
  const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 20));

  it('should mark the end of a job as read that was started here', async () => {
    noteStart({ jobId: 'bulk_operation-1' });
    markSeenEnd(client, anEnd('bulk_operation-1'));
    await vi.waitFor(() => expect(read).toEqual(patched('bulk_operation-1')));
  });

  it('should do so when the end of a quick job comes before the answer to its start', async () => {
    markSeenEnd(client, anEnd('bulk_operation-2'));
    await settled();
    expect(read).toEqual([]);
    noteStart({ jobId: 'bulk_operation-2' });
    await vi.waitFor(() => expect(read).toEqual(patched('bulk_operation-2')));
  });

  it.each([
    ['started elsewhere', 'run_rule-3', {}],
    ['has failed', 'own-4', { type: 'job_failed' as const }],
    ['failed in part', 'own-5', { data: { jobId: 'own-5', failed: 2 } }],
    ['has no notification', 'own-6', { notification_id: null }],
  ])('should leave a job to the bell that %s', async (_why, jobId, change) => {
    if (jobId.startsWith('own')) noteStart({ jobId });
    markSeenEnd(client, anEnd(jobId, change));
    await settled();
    expect(read).toEqual([]);
  });
});
