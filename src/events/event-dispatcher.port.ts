import type { Transaction } from '../common/database/transactions';
import type { MailroomEvent } from './events';

/** The one way events go out. */
export abstract class EventDispatcher {
  /** Part of the transaction that finishes the work: what is told has happened, and what has happened is told. */
  abstract dispatch(event: MailroomEvent, transaction: Transaction): Promise<void>;
}
