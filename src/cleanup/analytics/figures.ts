import type { CallOptions } from '../../providers/port/mailbox-provider.port';
import type { Coverage } from '../../mailbox/index/message-index-reader';

/** Messages that must be indexed before any figure is answered. */
export const SAMPLE_SIZE = 500;
export const KEEP_SECONDS = 15 * 60;
/** Time for which a figure is cached while the rest of the mailbox is being indexed, in seconds: it changes by the minute. */
const KEEP_PROVISIONAL_SECONDS = 60;

/** Options of calls for which a request waits. */
export const INTERACTIVE: CallOptions = { priority: 'interactive' };

/** Time for which a figure over all indexed mail is cached, in seconds. */
export function keepSecondsFor({ complete }: Coverage): number {
  return complete ? KEEP_SECONDS : KEEP_PROVISIONAL_SECONDS;
}
