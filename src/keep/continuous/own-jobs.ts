import type { JobRecord } from '../../platform/jobs/job-record';
import { OWNER_DEACTIVATED } from '../../platform/jobs/jobs.errors';

const FAILED_REST_MS = 10 * 60_000;
/** Rest after a job that was cancelled: its owner does not want it back at once. */
const CANCELLED_REST_MS = 60 * 60_000;

type Ending = Pick<JobRecord, 'status' | 'errorCode' | 'completedAt'>;

/** Whether a job is waiting or running. */
export const isOpen = ({ completedAt }: Pick<JobRecord, 'completedAt'>): boolean => completedAt === null;

/** Whether it is time for another job of the kind after this one. */
export function mayStartAgain({ status, errorCode, completedAt }: Ending, now: Date): boolean {
  if (completedAt === null) return false;
  // A user who is active again gets their archiving back.
  if (errorCode === OWNER_DEACTIVATED.code) return true;
  const restedMs = now.getTime() - new Date(completedAt).getTime();
  if (status === 'failed') return restedMs >= FAILED_REST_MS;
  if (status === 'cancelled') return restedMs >= CANCELLED_REST_MS;
  return true;
}
