import { Injectable } from '@nestjs/common';
import type { Transaction } from '../common/database/transactions';
import { InAppSink } from '../notifications/in-app/in-app-sink';
import { ToastSink } from '../notifications/toasts/toast-sink';
import { WebhookSink } from '../webhooks/outbox/webhook-sink';
import { EventDispatcher } from './event-dispatcher.port';
import type { EventSink } from './event-sink';
import { EventsRepository } from './events.repository';
import type { MailroomEvent } from './events';

/** Records every event and hands it to every sink, once: an occurrence recorded before is told already. */
@Injectable()
export class RecordedEventDispatcher extends EventDispatcher {
  private readonly sinks: readonly EventSink[];

  constructor(
    private readonly events: EventsRepository,
    inApp: InAppSink,
    toasts: ToastSink,
    webhooks: WebhookSink,
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
