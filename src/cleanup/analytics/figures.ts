import type { CallOptions } from '../../providers/port/mailbox-provider.port';
import type { Coverage } from '../../mailbox/index/message-index-reader';

/** Messages that must be indexed before any figure is answered. */
export const SAMPLE_SIZE = 500;
export const KEEP_SECONDS = 15 * 60;
/** While the rest of the mailbox is being indexed, figures over all of it change by the minute. */
const KEEP_PROVISIONAL_SECONDS = 60;

/** A request waits for the answer. */
export const INTERACTIVE: CallOptions = { priority: 'interactive' };

/** How long a figure over all indexed mail is answered again. */
export function keepSecondsFor({ complete }: Coverage): number {
  return complete ? KEEP_SECONDS : KEEP_PROVISIONAL_SECONDS;
}
