import { Injectable } from '@nestjs/common';
import type { Transaction } from '../common/database/transactions';
import { NotificationHandler } from '../notifications/notification.handler';
import { ToastHandler } from '../notifications/toast.handler';
import { WebhookEventHandler } from '../webhooks/webhook-event.handler';
import type { MailroomEvent, RecordedEvent } from './events';
import { EventsRepository } from './events.repository';

/** A way events reach somebody. */
export interface EventHandler {
  /** Writes down whom to tell, as part of the transaction: nothing is sent here. Called once for each event. */
  accept(event: RecordedEvent, transaction: Transaction): Promise<void>;
}

/** The one way events go out. */
export abstract class EventDispatcher {
  /** Part of the transaction that finishes the work: what is told has happened, and what has happened is told. */
  abstract dispatch(event: MailroomEvent, transaction: Transaction): Promise<void>;
}

/** Records every event and hands it to every sink, once: an occurrence recorded before is told already. */
@Injectable()
export class RecordedEventDispatcher extends EventDispatcher {
  private readonly sinks: readonly EventHandler[];

  constructor(
    private readonly events: EventsRepository,
    inApp: NotificationHandler,
    toasts: ToastHandler,
    webhooks: WebhookEventHandler,
  ) {
    super();
    this.sinks = [inApp, toasts, webhooks];
  }

  async dispatch(event: MailroomEvent, transaction: Transaction): Promise<void> {
    const recorded = await this.events.record(event, transaction);
    if (!recorded) return;
    for (const sink of this.sinks) await sink.accept(recorded, transaction);
  }
}
