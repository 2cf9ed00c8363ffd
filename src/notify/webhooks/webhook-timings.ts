import type { WebhookAnswer } from './webhook-formats';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Intervals of webhook deliveries, in milliseconds; tests inject shorter ones. */
export class WebhookTimings {
  /** Limit of a whole request: name look-up, connection, TLS, sending, the answer. */
  readonly requestMs: number = 10 * SECOND;
  /** Waits before the second and later attempts; after the last of them the delivery has failed. */
  readonly retriesMs: readonly number[] = [5 * SECOND, MINUTE, 10 * MINUTE, HOUR, 6 * HOUR];
  /** The longest wait that a receiver can ask for. */
  readonly maxRetryAfterMs: number = 6 * HOUR;
  /** Lease of a delivery: time for a request and for writing its outcome. */
  readonly leaseMs: number = 30 * SECOND;
  /** Interval at which a process looks for due deliveries; new ones wake it. */
  readonly pollMs: number = 2 * SECOND;
  /** Wait before writing an outcome again when the database did not take it. */
  readonly writeAgainMs: number = SECOND;
  /** Time that a stopping process waits for answers. */
  readonly shutdownMs: number = 5 * SECOND;
}

/** The Bull queue that wakes workers for new deliveries. */
export const DELIVERIES_QUEUE = 'webhook-deliveries';

/** Waits grow by up to this fraction, so that deliveries that failed together are not retried together. */
export const JITTER = 0.2;

/** Deliveries in flight: per webhook and per user in all processes together, and in one process. */
export const MAX_IN_FLIGHT = { webhook: 2, user: 4, process: 24 } as const;

/**
 * Deliveries that may wait for one webhook. A receiver that answers nothing for the seven hours of all attempts gets no
 * further events until some are over: they would fill the table at the pace at which their user makes events.
 */
export const MAX_WAITING = 1_000;

/** The client reads and discards at most so much of an answer's body; the status of longer answers counts as well. */
export const MAX_ANSWER_BYTES = 64 * 1024;
/** Limit of all headers of an answer together. */
export const MAX_ANSWER_HEADER_BYTES = 16 * 1024;
/** Limit of interim answers (RFC 9110, 15.2) before the final one. */
export const MAX_INTERIM_ANSWERS = 8;

/** Days for which deliveries are kept after they have ended. */
export const KEPT_DAYS = 30;

/** The state of a delivery after an attempt. */
export type AfterAttempt =
  | { readonly status: 'delivered' | 'failed' | 'cancelled' }
  | { readonly status: 'pending'; readonly waitMs: number };

/** Statuses whose `Retry-After` says when to try again (RFC 6585, 4; RFC 9110, 15.6.4). */
const RETRY_LATER = [429, 503];

/** Attempts of a delivery, including the first. */
export const maxAttempts = ({ retriesMs }: WebhookTimings): number => retriesMs.length + 1;

/**
 * @param attempts made so far, including this one
 * @param chance from 0 to 1, for the jitter
 */
export function afterAttempt(
  answer: Pick<WebhookAnswer, 'status' | 'retryAfterMs'>,
  attempts: number,
  timings: WebhookTimings,
  chance: number = Math.random(),
): AfterAttempt {
  if (answer.status >= 200 && answer.status <= 299) return { status: 'delivered' };
  const planned = timings.retriesMs[attempts - 1];
  if (planned === undefined) return { status: 'failed' };
  const asked = RETRY_LATER.includes(answer.status) ? (answer.retryAfterMs ?? 0) : 0;
  const wait = Math.max(planned, Math.min(asked, timings.maxRetryAfterMs));
  return { status: 'pending', waitMs: Math.round(wait * (1 + JITTER * chance)) };
}
