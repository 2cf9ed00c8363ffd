import { SetMetadata, type Type } from '@nestjs/common';
import type { Transaction } from '../database/transactions';
import type { RecordedEvent } from './events';

/** Brings events to their user, in one way: as notifications, toasts or webhook deliveries. */
export interface EventHandler {
  /** Part of the transaction that records the event: it may write rows, but sends nothing. Called once per event. */
  handle(event: RecordedEvent, transaction: Transaction): Promise<void>;
}

export const HANDLES_EVENTS = 'mailroom:handles-events';

/** Registers a provider class as a handler of every event. */
export const HandlesEvents = (): ((target: Type<EventHandler>) => void) => SetMetadata(HANDLES_EVENTS, true);
