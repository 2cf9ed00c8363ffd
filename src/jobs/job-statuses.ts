/** `status` of a job on the wire. */
export const JOB_STATUSES = ['pending', 'active', 'completed', 'failed', 'cancelled'] as const;

/** `queueState`: what is going on at this moment. */
export const QUEUE_STATES = ['waiting', 'delayed', 'active', 'completed', 'failed', 'cancelled'] as const;

export type QueueState = (typeof QUEUE_STATES)[number];
