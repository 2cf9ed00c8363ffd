import type { Transaction } from '../common/database/transactions';
import type { MailroomEvent } from './events';

/** A way events reach somebody. */
export interface EventSink {
  /**
   * Writes down whom to tell, as part of the transaction: nothing is sent here. An event whose key is known already
   * changes nothing.
   */
  accept(event: MailroomEvent, transaction: Transaction): Promise<void>;
}
