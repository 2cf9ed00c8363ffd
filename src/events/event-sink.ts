import type { Transaction } from '../common/database/transactions';
import type { RecordedEvent } from './events';

/** A way events reach somebody. */
export interface EventSink {
  /** Writes down whom to tell, as part of the transaction: nothing is sent here. Called once for each event. */
  accept(event: RecordedEvent, transaction: Transaction): Promise<void>;
}
