import type { WebhookAnswer } from '../webhook-answer';
import { JITTER, WebhookTimings } from '../webhook-timings';

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
