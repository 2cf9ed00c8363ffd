import type { Job } from '../src/jobs/job-cache';

/** A change of 5,000 messages that is half done. */
export const aJob = (changes: Partial<Job> = {}): Job => ({
  id: 'a',
  queue_id: 'bulk_operation-1',
  type: 'bulk_operation',
  status: 'active',
  progress: 50,
  total: 5_000,
  processed: 2_500,
  failed: 0,
  mailbox_account_id: 'account',
  result: null,
  error: null,
  error_code: null,
  waits_for: null,
  waits_until: null,
  created_at: '2026-01-01T00:00:00.000Z',
  started_at: '2026-01-01T00:00:00.000Z',
  completed_at: null,
  ...changes,
});
