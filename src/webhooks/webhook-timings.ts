import type { WebhookAnswer } from './webhook-client';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Intervals of webhook deliveries, in milliseconds; tests inject shorter ones. */
export class WebhookTimings {
  /** For one request altogether: name, connection, TLS, sending, the answer. */
  readonly requestMs: number = 10 * SECOND;
  /** Waits before the second attempt and those after it; when all have failed the delivery has. */
  readonly retriesMs: readonly number[] = [5 * SECOND, MINUTE, 10 * MINUTE, HOUR, 6 * HOUR];
  /** The longest wait that a receiver gets by asking for it. */
  readonly maxRetryAfterMs: number = 6 * HOUR;
  /** How long a delivery belongs to the process that took it: a request, and time to write down what came of it. */
  readonly leaseMs: number = 30 * SECOND;
  /** How often a process looks for deliveries that are due; for new ones it is woken. */
  readonly pollMs: number = 2 * SECOND;
  /** Wait before writing down again what the database did not take. */
  readonly writeAgainMs: number = SECOND;
  /** How long a stopping process waits for answers. */
  readonly shutdownMs: number = 5 * SECOND;
}

/** The Bull queue that wakes those who deliver. */
export const DELIVERIES_QUEUE = 'webhook-deliveries';

/** Waits grow by up to this part of them, so that what failed together is not tried together. */
export const JITTER = 0.2;

/** Deliveries in flight: of a webhook and of a user in all processes together, and in one process. */
export const MAX_IN_FLIGHT = { webhook: 2, user: 4, process: 24 } as const;

/** What is read of an answer, and thrown away. What is longer is cut off; its status counts all the same. */
export const MAX_ANSWER_BYTES = 64 * 1024;
/** All headers of an answer together. */
export const MAX_ANSWER_HEADER_BYTES = 16 * 1024;
/** Interim answers (RFC 9110, 15.2) before the real one. */
export const MAX_INTERIM_ANSWERS = 8;

/** Deliveries that are over are kept for this long. */
export const KEPT_DAYS = 30;

/** What becomes of a delivery after an attempt. */
export type AfterAttempt =
  | { readonly status: 'delivered' | 'failed' | 'cancelled' }
  | { readonly status: 'pending'; readonly waitMs: number };

/** Statuses whose `Retry-After` is asked of everybody who comes again (RFC 6585, 4; RFC 9110, 15.6.4). */
const ASKS_FOR_TIME = [429, 503];

/** Attempts that a delivery has, the first included. */
export const maxAttempts = ({ retriesMs }: WebhookTimings): number => retriesMs.length + 1;

/**
 * @param attempts made so far, that of the answer included
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
  const asked = ASKS_FOR_TIME.includes(answer.status) ? (answer.retryAfterMs ?? 0) : 0;
  const wait = Math.max(planned, Math.min(asked, timings.maxRetryAfterMs));
  return { status: 'pending', waitMs: Math.round(wait * (1 + JITTER * chance)) };
}
